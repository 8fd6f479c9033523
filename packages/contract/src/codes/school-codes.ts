import type { EnumLabels } from '../field.ts'
import { type Code, code } from './code.ts'

export const schoolStatusLabels: EnumLabels<'PREPARING' | 'ACTIVE' | 'SUSPENDED' | 'CLOSED'> = {
  PREPARING: ['筹备中', 'Preparing'],
  ACTIVE: ['使用中', 'Active'],
  SUSPENDED: ['已停用', 'Suspended'],
  CLOSED: ['已关闭', 'Closed'],
}

/** What a school may still have when it is deleted. */
export const schoolPossessionLabels = {
  PLACES: ['位置', 'places'],
  FLOOR_PLANS: ['平面图', 'floor plans'],
  PEOPLE: ['人员', 'people'],
  ACCOUNTS: ['学校账号', 'school accounts'],
  DEVICES: ['设备', 'devices'],
  INSTALLATIONS: ['设备安装记录', 'installations of devices'],
  OUTAGES: ['停电断网记录', 'outages'],
  TESTS: ['设备测试', 'device tests'],
  MAINTENANCE: ['维修工单', 'maintenance orders'],
  ROLLOUTS: ['设备升级记录', 'rollouts'],
  ALARMS: ['警情', 'alarms'],
  TASKS: ['派人任务', 'tasks'],
  PROCEDURES: ['规程执行记录', 'runs of procedures'],
  INCIDENTS: ['警单', 'incidents'],
  MESSAGES: ['送达记录', 'deliveries'],
  POSTS: ['岗位', 'posts'],
  SHIFTS: ['班次', 'shifts'],
  HANDOVERS: ['交接班记录', 'handovers'],
  PATROLS: ['巡查', 'patrols'],
  ORDERS: ['督办单', 'supervision orders'],
} as const satisfies EnumLabels<string>
export type SchoolPossession = keyof typeof schoolPossessionLabels

/** Of schools and their places; part of `codes`. */
export const schoolCodes = {
  schoolState: {
    ...code(1_010_001_000, '学校处于「{state}」，不能执行该操作', 'Not possible while the school is “{state}”'),
    words: { state: schoolStatusLabels },
  },
  schoolNotEmpty: code(
    1_010_001_001,
    '不能关闭：还有 {devices} 台未拆除的设备、{alarms} 起未结警情',
    'Cannot be closed: {devices} devices are still installed and {alarms} alarms are open',
  ),
  schoolNotReady: code(
    1_010_001_002,
    '不能启用：缺少派出所或应急联系人，请先补齐',
    'Cannot be activated: the police station or an emergency contact is missing; add it first',
  ),
  importDistrict: code(1_010_001_003, '教育部门【{name}】不存在', 'There is no education department {name}'),
  importDistrictTwice: code(
    1_010_001_004,
    '教育部门【{name}】不唯一，请填写部门编码',
    'More than one education department is called {name}: give its code',
  ),
  importStation: code(1_010_001_005, '派出所【{name}】不存在', 'There is no police station {name}'),
  importStationTwice: code(
    1_010_001_006,
    '派出所【{name}】不唯一，请填写部门编码',
    'More than one police station is called {name}: give its code',
  ),
  importDistrictFixed: code(
    1_010_001_007,
    '已有学校的教育部门在部门管理中调整',
    'The education department of an existing school is changed under Departments',
  ),
  fenceCrosses: code(
    1_010_001_008,
    '围栏的边线在第 {corner} 个顶点之后与另一条边相交',
    'After corner {corner} the fence crosses another of its sides',
  ),
  schoolClosed: code(1_010_001_009, '学校已关闭，不能再修改', 'The school is closed and can no longer be changed'),
  termName: code(1_010_001_010, '该部门已有同名学期', 'The department has a term of this name'),
  contactNoMobile: code(
    1_010_001_011,
    '只有手机号码能接收验证码，请通话核验',
    'Only a mobile number receives a code; verify it by a call',
  ),
  importPositionIncomplete: code(
    1_010_001_012,
    '换算坐标需要同时填写经度和纬度',
    'Converting a position needs both longitude and latitude',
  ),
  schoolReferred: {
    ...code(1_010_001_013, '学校还有{thing}，不能删除', 'The school still has {thing} and cannot be deleted'),
    words: { thing: schoolPossessionLabels },
  },
  placeChildren: code(
    1_010_002_000,
    '该位置下还有 {count} 个位置（{names}），请先移走或删除',
    'There are {count} places below this one ({names}); move or delete them first',
  ),
  placeDevices: code(
    1_010_002_001,
    '还有 {count} 台设备安装在这里（{names}），请先换位或拆除',
    '{count} devices are installed here ({names}); move or remove them first',
  ),
  placePastDevices: code(
    1_010_002_010,
    '这里安装过设备（{names}），以往警情引用该位置，不能删除',
    'Devices were installed here ({names}), and past alarms refer to the place; it cannot be deleted',
  ),
  placeFloorPlans: code(
    1_010_002_011,
    '该楼层有 {count} 版平面图，删除楼层须一并删除',
    'The floor has {count} editions of its floor plan, which must be deleted with it',
  ),
  placeCycle: code(
    1_010_002_002,
    '不能移到自己或自己的下级位置中',
    'A place cannot be moved into itself or a place below it',
  ),
  placeName: code(
    1_010_002_003,
    '同一上级下已有名为「{name}」的位置',
    'There is another place called “{name}” below the same parent',
  ),
  placeParent: code(1_010_002_004, '上级位置不属于这所学校', 'The parent place does not belong to this school'),
  placeCameras: code(1_010_002_005, '摄像机须属于这所学校', 'The cameras must belong to this school'),
  placesTooMany: code(1_010_002_006, '一所学校最多 {count} 个位置', 'A school has at most {count} places'),
  outlineCrosses: code(
    1_010_002_008,
    '轮廓的边线在第 {corner} 个顶点之后与另一条边相交',
    'After corner {corner} the outline crosses another of its sides',
  ),
  mapTileMissing: code(1_010_002_050, '该处没有底图', 'No base map here'),
  floorPlanPublished: code(
    1_010_002_007,
    '已发布的平面图不能删除，请先发布另一版',
    'A published floor plan cannot be deleted; publish another edition first',
  ),
  controlPointsInLine: code(
    1_010_002_009,
    '三个控制点几乎在一条直线上，请选离得更开的点',
    'The three control points lie almost in one line: choose points farther apart',
  ),
} satisfies Record<string, Code>
