import { maintenanceCodes } from './maintenance-codes.ts'
import { procedureCodes } from './procedure-codes.ts'
import { rolloutCodes } from './rollout-codes.ts'
import { type Code, code } from './code.ts'

/** The states of a record; here, because error messages name them too. */
export const recordStateLabels = {
  NEW: ['待接警', 'Unclaimed'],
  CLAIMED: ['已接警', 'Claimed'],
  HANDLING: ['处置中', 'In progress'],
  ESCALATED: ['警方处置中', 'With police'],
  RESOLVED: ['待审核', 'For review'],
  CLOSED: ['已结案', 'Closed'],
} as const

/** The states of an assignment (domain 2.9, F2). */
export const assignmentStateLabels = {
  ASSIGNED: ['待签收', 'Not received yet'],
  RECEIVED: ['已签收', 'Received'],
  EN_ROUTE: ['途中', 'On the way'],
  ON_SCENE: ['已到场', 'On scene'],
  CLEARED: ['已完成', 'Cleared'],
  DECLINED: ['无法前往', 'Declined'],
  RECALLED: ['已撤回', 'Recalled'],
  TIMED_OUT: ['超时未签收', 'No answer'],
} as const

/** Error codes of alarms and rules, part of `codes`. */
export const alarmCodes = {
  wrongState: {
    ...code(1_006_001_000, '当前状态（{state}）不能执行该操作', 'Not possible in the state {state}'),
    words: { state: recordStateLabels },
  },
  notOwner: code(1_006_001_001, '只有处理人可以执行该操作', 'Only the owner can do this'),
  alreadyClaimed: code(1_006_001_002, '{owner} 已接警', 'Already claimed by {owner}'),
  leaseLost: code(1_006_001_003, '已退回队列，请重新接警', 'The alarm was released. Claim it again'),
  needsReset: code(
    1_006_001_004,
    '紧急报警须先在设备上手动复位，或由值班长说明理由后处置',
    'Reset the button first, or a shift lead must give a reason',
  ),
  secondPerson: code(1_006_001_005, '须由另一人确认', 'Another person must confirm this'),
  notForPanic: code(1_006_001_006, '紧急报警不能执行该操作', 'Not possible for a panic alarm'),
  mergeTarget: code(
    1_006_001_007,
    '合并目标须是同一学校未结束的其他警情，且不因合并被搁置或自动结束',
    'Merge only into another open alarm of the same school, which cannot be shelved or close automatically if this one cannot',
  ),
  reasonNeeded: code(1_006_001_009, '请说明理由', 'Give a reason'),
  notVerified: code(1_006_001_010, '请先核实警情', 'Verify the alarm first'),
  leadOnly: code(
    1_006_001_011,
    '已转警方的警情须由值班长处置',
    'A shift lead must resolve an alarm that is with police',
  ),
  openTwin: code(
    1_006_001_012,
    '同一来源已有未结束的警情，不能重新打开',
    'The same source has another open alarm, so this one cannot be reopened',
  ),
  shelveTooLong: code(1_006_001_013, '搁置时间须在 {hours} 小时以内', 'Shelve for at most {hours} hours'),
  notShelved: code(1_006_001_014, '该警情未被搁置', 'This alarm is not shelved'),
  leadReviews: code(1_006_001_015, '一级、二级警情须由值班长结案', 'A shift lead must close a level 1 or 2 alarm'),
  assignmentState: {
    ...code(1_006_003_000, '任务{state}，不能执行该操作', 'Not possible: the task is “{state}”'),
    words: { state: assignmentStateLabels },
  },
  ruleUsesRecover: code(
    1_006_002_000,
    '该类别或信号不允许自动恢复',
    'Alarms of this class or signal cannot close automatically',
  ),
} satisfies Record<string, Code>

/** The stages of a device; here, because error messages name them too. */
export const lifecycleLabels = {
  IN_STOCK: ['在库', 'In stock'],
  ALLOCATED: ['已分配', 'Allocated'],
  INSTALLING: ['安装中', 'Installing'],
  COMMISSIONING: ['调试中', 'Commissioning'],
  IN_SERVICE: ['在用', 'In service'],
  UNDER_REPAIR: ['维修中', 'Under repair'],
  SUSPENDED: ['已停用', 'Suspended'],
  LOST: ['遗失', 'Lost'],
  RETIRED: ['已报废', 'Retired'],
} as const

export const installationLabels = {
  PLANNED: ['待安装', 'Planned'],
  INSTALLED: ['待验收', 'To accept'],
  ACCEPTED: ['已验收', 'Accepted'],
  SUSPENDED: ['已停用', 'Suspended'],
  REMOVED: ['已拆除', 'Removed'],
} as const

/** Of devices, their models, installations, commands and tests; part of `codes`. */
export const deviceCodes = {
  ...maintenanceCodes,
  ...procedureCodes,
  ...rolloutCodes,
  deviceState: {
    ...code(1_004_001_000, '设备处于「{state}」，不能执行该操作', 'Not possible while the device is “{state}”'),
    words: { state: lifecycleLabels },
  },
  deviceInstalled: code(
    1_004_001_001,
    '设备还装在墙上，请先拆除',
    'The device is still installed; remove it from its place first',
  ),
  deviceNotInstalled: code(1_004_001_002, '设备没有安装位置，请先安装', 'The device has no place; install it first'),
  suspendTooLong: code(
    1_004_001_003,
    '报警设备最多停用 {days} 天，请选择更早的结束时间',
    'A panic device may be suspended for at most {days} days; choose an earlier end',
  ),
  suspendPast: code(1_004_001_004, '停用的结束时间须在将来', 'The end of the suspension must be in the future'),
  otherSchool: code(
    1_004_001_005,
    '设备已分配给另一所学校，请先退库',
    'The device is allocated to another school; return it to the stock first',
  ),
  secretRetired: code(1_004_001_006, '设备已报废，不能再有密钥', 'A retired device cannot have a secret'),
  gatewayHasChildren: code(
    1_004_001_015,
    '网关 {sn} 下还有 {count} 台设备：{names}。它们将不再属于该网关',
    '{count, plural(one device hangs; other devices hang)} below gateway {sn}: {names}. They leave it',
  ),
  secretUnused: code(
    1_004_001_014,
    '设备 {sn} 还没有用过上次签发的密钥，再次轮换需确认',
    'Device {sn} has not used the secret that was issued last; rotating again needs a confirmation',
  ),
  adoptProduct: code(
    1_004_001_007,
    '设备上报的产品标识是 {reported}，与该型号的 {expected} 不同',
    'The device reports the product key {reported}; this model has {expected}',
  ),
  importModel: code(1_004_001_008, '型号【{name}】不存在', 'There is no model {name}'),
  importModelTwice: code(
    1_004_001_009,
    '型号【{name}】不唯一，请填写产品标识',
    'More than one model is called {name}: give its product key',
  ),
  importModelFixed: code(
    1_004_001_010,
    '已登记设备的型号不能修改',
    'The model of a registered device cannot be changed',
  ),
  installationState: {
    ...code(1_004_002_000, '安装处于「{state}」，不能执行该操作', 'Not possible while the installation is “{state}”'),
    words: { state: installationLabels },
  },
  alreadyInstalled: code(
    1_004_002_001,
    '设备已装在别处，请使用「换位」；旧位置的警情仍留在旧位置',
    'The device is installed elsewhere; move it instead. Old alarms keep their old place',
  ),
  acceptorInstalled: code(
    1_004_002_002,
    '验收人不能是安装人，请由学校的另一人验收',
    'Whoever installed it cannot accept it; another person of the school must',
  ),
  notProven: code(
    1_004_002_003,
    '安装后还没有收到按键信号，请先在设备上按一次',
    'No press has arrived since it was installed; press the device once',
  ),
  placeElsewhere: code(1_004_002_004, '位置须属于设备所在的学校', 'The place must belong to the school of the device'),
  samePlace: code(1_004_002_005, '设备已在该位置', 'The device is at this place already'),
  modelLocked: code(
    1_004_003_000,
    '已有 {count} 台设备，改动「{fields}」会改变旧信号的含义。请复制为新型号',
    'There are {count} devices of this model; changing “{fields}” would change what stored signals mean. Copy it to a new model',
  ),
  commandUnknown: code(1_004_004_000, '该型号不支持此命令', 'This model does not support the command'),
  commandRetired: code(1_004_004_001, '设备已报废，不能下发命令', 'A retired device takes no commands'),
  commandLost: code(1_004_004_009, '设备已报失，不能下发命令', 'A lost device takes no commands'),
  commandPayload: code(
    1_004_004_002,
    '命令参数不符合型号的要求：{detail}',
    'The parameters do not fit the model: {detail}',
  ),
  commandOver: code(1_004_004_003, '命令已结束，不能取消', 'The command is over and cannot be cancelled'),
  commandAudioOpen: code(
    1_004_004_004,
    '该设备正在监听或对讲，请先停止',
    'Somebody listens or talks through the device; stop that first',
  ),
  commandAudioOver: code(1_004_004_005, '监听或对讲已结束', 'Listening or talking is over already'),
  planOverlaps: code(1_004_005_000, '该学校在这段时间已有测试计划', 'The school has another test plan in this window'),
  planStarted: code(1_004_005_001, '测试窗口已开始，不能再改', 'The window has begun; it can no longer be changed'),
  planStation: code(1_004_005_002, '请先告知派出所，再开始按钮测试', 'Tell the police station before the test begins'),
  planClosed: code(1_004_005_004, '测试已结束', 'The test is closed already'),
  planExam: code(1_004_005_005, '{day} 是考试日，不能安排按钮测试', '{day} is a day of exams; no test can be planned'),
  planEmpty: code(1_004_005_003, '该学校没有已验收的设备', 'The school has no accepted devices'),
} satisfies Record<string, Code>
