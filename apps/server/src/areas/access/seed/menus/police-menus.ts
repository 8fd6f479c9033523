import { button, type MenuSeed } from '../menu-seed.ts'
import { readers } from './role-groups.ts'
import type { RoleCode } from '../roles.ts'

/** Roles that claim incidents and send units. */
const senders: RoleCode[] = ['shift_lead', 'command_operator', 'station_desk']
/** The same and the roles that are sent. */
const police: RoleCode[] = [...senders, 'officer']
const command: RoleCode[] = ['shift_lead', 'command_operator']

const situationButtons = [
  button('police:situation:query', '查询', 'Query', [...police, ...readers]),
  button('police:situation:create', '新增', 'Create', police),
  button('police:situation:receive', '接警与退回', 'Receive', senders),
  button('police:situation:dispatch', '派警', 'Dispatch', senders),
  button('police:situation:transfer', '移交', 'Transfer', senders),
  button('police:situation:merge', '合并', 'Merge', senders),
  button('police:situation:feedback', '反馈', 'Report back', police),
  button('police:situation:close', '结案', 'Close', senders),
  button('police:situation:reopen', '重新打开', 'Reopen', command),
  button('police:situation:export', '导出', 'Export', [...senders, ...readers]),
]

/** Police: incidents, units, stations. */
export const policeMenu: MenuSeed = {
  name: '警务',
  nameEn: 'Police',
  path: '/police',
  componentName: 'Police',
  icon: 'police',
  roles: [],
  children: [
    {
      name: '处警台',
      nameEn: 'Dispatch desk',
      path: 'desk',
      component: 'policeSituation/desk',
      componentName: 'DispatchDesk',
      icon: 'desk',
      roles: police,
    },
    {
      name: '警单',
      nameEn: 'Incidents',
      path: 'situation',
      component: 'policeSituation/index',
      componentName: 'PoliceSituation',
      icon: 'record',
      roles: [],
      buttons: situationButtons,
    },
    {
      name: '警力',
      nameEn: 'Units',
      path: 'unit',
      component: 'police/unit',
      componentName: 'PoliceUnit',
      icon: 'team',
      roles: [],
      buttons: [
        button('police:unit:query', '查询', 'Query', [...police, 'auditor']),
        button('police:unit:update', '维护', 'Maintain', senders),
        button('police:unit:duty', '上岗与下班', 'Start or end a shift', police),
      ],
    },
    {
      name: '派出所',
      nameEn: 'Stations',
      path: 'station',
      component: 'police/station',
      componentName: 'PoliceStation',
      icon: 'station',
      roles: [],
      buttons: [
        button('police:station:query', '查询', 'Query', [...senders, ...readers]),
        button('police:station:update', '维护', 'Maintain', ['shift_lead', 'station_desk']),
        button('police:station:export', '导出', 'Export', [...senders, ...readers]),
      ],
    },
  ],
}
