import { type Code, code } from './code.ts'

/** The states of a shift; here, because error messages name them too. */
export const shiftStateLabels = {
  PLANNED: ['已排班', 'Planned'],
  CHECKED_IN: ['在岗', 'On duty'],
  LATE: ['迟到', 'Late'],
  ABSENT: ['缺岗', 'Absent'],
  LEFT_EARLY: ['早退', 'Left early'],
  DONE: ['已下班', 'Finished'],
} as const

/** The states of a handover. */
export const handoverStateLabels = {
  DRAFT: ['待交班', 'To hand over'],
  GIVEN: ['待接班', 'To take over'],
  DONE: ['已交接', 'Done'],
  CANCELLED: ['已取消', 'Cancelled'],
} as const

/** Of posts, shifts, handovers and patrols, part of `codes`. */
export const dutyCodes = {
  postNeedsOwner: code(1_005_001_000, '岗位须属于一所学校或一个部门', 'A post belongs to one school or one department'),
  postPlace: code(1_005_001_001, '位置须属于岗位所在的学校', 'The place must belong to the school of the post'),
  postsComplete: code(
    1_005_001_002,
    '现有岗位已达到标准（应到 {required} 人）',
    'The posts meet the rule already ({required} people)',
  ),
  postNoRule: code(1_005_001_003, '该学校没有适用的配备标准', 'No rule for the number of guards applies to the school'),
  importPlace: code(1_005_001_004, '学校没有位置【{name}】', 'The school has no place {name}'),
  importPlaceTwice: code(
    1_005_001_005,
    '位置【{name}】不唯一，请填写路径，如「教学楼/1层/大厅」',
    'More than one place is called {name}: give its path, such as “Main building/Floor 1/Hall”',
  ),
  importPostTwice: code(
    1_005_001_006,
    '学校有多个岗位名为【{name}】，请在岗位页面修改',
    'The school has more than one post called {name}: change it on the page of posts',
  ),
  shiftState: {
    ...code(1_005_002_000, '班次处于「{state}」，不能执行该操作', 'Not possible while the shift is “{state}”'),
    words: { state: shiftStateLabels },
  },
  shiftUnpublished: code(1_005_002_001, '班次尚未发布，请先发布本周', 'Publish the week before this shift is used'),
  shiftOver: code(1_005_002_002, '班次已经结束', 'The shift is over'),
  shiftNotOver: code(
    1_005_002_003,
    '班次尚未结束，提前离岗请填写原因',
    'The shift is not over; give a reason to leave early',
  ),
  shiftTooEarly: code(
    1_005_002_004,
    '最早可在上岗前 {minutes} 分钟签到',
    'Check in at most {minutes} minutes before the shift begins',
  ),
  shiftNotYours: code(
    1_005_002_005,
    '这不是您的班次；补签须由排班人员操作',
    'This is not your shift; only a planner checks in others',
  ),
  shiftFar: code(
    1_005_002_006,
    '距岗位 {metres} 米，请靠近岗位，或填写原因',
    'You are {metres} m from the post: go nearer, or give a reason',
  ),
  shiftNoPosition: code(
    1_005_002_007,
    '岗位和学校都没有坐标，请扫描岗位二维码，或填写原因补签',
    'Neither the post nor the school has a position; scan the code at the post, or give a reason',
  ),
  shiftWrongCode: code(1_005_002_008, '二维码不属于这个岗位', 'This code belongs to another post'),
  shiftDouble: code(
    1_005_002_010,
    '{name} 在 {from}–{to} 已有班次（{post}）',
    '{name} already has a shift from {from} to {to} ({post})',
  ),
  shiftRest: code(
    1_005_002_011,
    '{name} 与 {from}–{to} 的班次间隔不足 {hours} 小时',
    '{name} would rest less than {hours} hours beside the shift from {from} to {to}',
  ),
  shiftCertificate: code(
    1_005_002_012,
    '{name} 的证件已于 {day} 到期，不能排班',
    'The certificate of {name} expires on {day}; no shift after that',
  ),
  shiftInactive: code(1_005_002_013, '{name} 不在职，不能排班', '{name} is not employed at present'),
  shiftElsewhere: code(
    1_005_002_014,
    '{name} 不是该单位的人员',
    '{name} does not belong to the school or department of the post',
  ),
  shiftLong: code(1_005_002_015, '一个班次不能超过 {hours} 小时', 'A shift lasts at most {hours} hours'),
  shiftNothing: code(1_005_002_016, '没有可以发布的班次', 'There is nothing to publish'),
  shiftNoneCreated: code(
    1_005_002_018,
    '没有新增班次：{skipped} 个与现有班次冲突或人员不可用',
    'Nothing was planned: {skipped} shifts conflict with others or with their people',
  ),
  shiftGap: code(
    1_005_002_017,
    '未来 24 小时 {school} {from}–{to} 无人在岗，请补足或填写原因后发布',
    'Within 24 hours nobody is on duty at {school} from {from} to {to}; fill the gap or give a reason',
  ),
  shiftOneOwner: code(
    1_005_002_026,
    '请指定一所学校或一个部门，排班按单位复制和发布',
    'Name one school or one department: shifts are copied and published for one of them',
  ),
  shiftPast: code(
    1_005_002_027,
    '结束时间须晚于现在，已结束的班次不能安排',
    'The end must be later than now; a shift that is over cannot be planned',
  ),
  shiftNotSeat: code(1_005_002_019, '只有席位可以在接警台上岗', 'Only the shift of a seat begins at the alarm desk'),
  shiftOwnsAlarms: code(
    1_005_002_028,
    '{name} 还负责 {count} 起未结警情：{numbers}。请先处置或移交，再下班',
    '{name} still owns open alarms ({count}): {numbers}. End them or reassign them before the shift ends',
  ),
  swapSelf: code(1_005_002_020, '不能与本人换班', 'You cannot swap with yourself'),
  swapOwn: code(1_005_002_021, '只能用本人的班次申请换班', 'Ask for a swap with a shift of your own'),
  swapOther: code(1_005_002_022, '只有对方本人可以答复换班', 'Only the person who was asked can answer'),
  swapAnswered: code(1_005_002_023, '换班申请已处理', 'The swap was answered already'),
  swapOpen: code(1_005_002_024, '该班次已有待答复的换班申请', 'A swap of this shift is waiting for an answer'),
  shiftStoodIn: code(1_005_002_025, '{name} 已顶替该班次', '{name} already stands in for this shift'),
  handoverState: {
    ...code(1_005_003_000, '交接班处于「{state}」，不能执行该操作', 'Not possible while the handover is “{state}”'),
    words: { state: handoverStateLabels },
  },
  handoverNotYours: code(1_005_003_001, '只有交班人本人可以操作', 'Only the person who hands over can do this'),
  handoverSelf: code(
    1_005_003_002,
    '交班人不能自己接班，请接班人用自己的账号签字',
    'Who hands over cannot take over; the next person signs with an account of their own',
  ),
  handoverUnowned: code(
    1_005_003_003,
    '还差 {lacking} 起无人负责：{numbers}。请先由留下的人接警或接手',
    '{lacking} alarms have no owner who stays: {numbers}. Somebody who stays must claim or take them first',
  ),
  handoverOpen: code(
    1_005_003_004,
    '您已有进行中的交接班，请先完成或取消',
    'You have an open handover already; finish or cancel it first',
  ),
  handoverMember: code(
    1_005_003_050,
    '单位的交接班只能由本单位人员接班',
    'Only a member of the department takes over its handover',
  ),
  handoverFirst: code(
    1_005_003_005,
    '交接班尚未完成，请等接班人签字后下班',
    'The handover is not finished; end the shift after the next person has signed',
  ),
  patrolWrongCode: code(
    1_005_004_000,
    '巡查码不属于「{plan}」，请核对后重新输入',
    'This code belongs to no point of “{plan}”; check it and type it again',
  ),
  patrolOutside: code(
    1_005_004_001,
    '第 {round} 轮的时间为 {from}–{to}，该点未计入',
    'Round {round} is from {from} to {to}; the point was not counted',
  ),
  patrolTooOld: code(
    1_005_004_002,
    '到达时间已超过 {hours} 小时，不能补传',
    'The point was reached more than {hours} hours ago and cannot be sent any more',
  ),
  patrolUsed: code(
    1_005_004_003,
    '该路线已有巡查记录，不能删除，可以停用',
    'Somebody has walked this patrol; take it out of use instead',
  ),
  patrolBegun: code(
    1_005_004_004,
    '该路线有 {hours} 小时内的轮次，手机可能还有未上传的记录，请先停用，{hours} 小时后再删除',
    'Phones may still send scans of rounds of the last {hours} hours; take the patrol out of use and delete it after that',
  ),
} satisfies Record<string, Code>
