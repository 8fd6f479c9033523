import { adminMenu } from './admin-menus.ts'
import { demoMenu } from './demo-menus.ts'
import { button, type MenuSeed } from './menu-seed.ts'
import { warnMenu } from './menus/alarm-menus.ts'
import { deviceMenu } from './menus/device-menus.ts'
import { dutyMenu } from './menus/duty-menus.ts'
import { oversightMenu } from './menus/oversight-menus.ts'
import { policeMenu } from './menus/police-menus.ts'
import { atSchool, desk } from './menus/role-groups.ts'
import { schoolMenu } from './menus/school-menus.ts'

const entries: readonly MenuSeed[] = [
  {
    name: '我的任务',
    nameEn: 'My tasks',
    path: '/m/tasks',
    component: 'task/index',
    componentName: 'MyTasks',
    icon: 'task',
    roles: [...atSchool, 'officer'],
    buttons: [
      button('warn:task:query', '查看本人任务', 'Own tasks', [...atSchool, 'officer']),
      button('warn:task:update', '任务步骤', 'Steps of tasks', desk),
    ],
  },
  warnMenu,
  policeMenu,
  schoolMenu,
  deviceMenu,
  dutyMenu,
  oversightMenu,
  adminMenu,
  demoMenu,
]

/** The menu of the console in its order: one entry for each screen, one button for each permission of a call. */
export const menuSeeds = entries.filter(({ component, children }) => component !== undefined || children?.length)
