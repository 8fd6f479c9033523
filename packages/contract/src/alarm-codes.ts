import { type Code, code } from './code.ts'

/** The states of a record; here, since sentences name them too. */
export const recordStateLabels = {
  NEW: ['待认领', 'New'],
  CLAIMED: ['已认领', 'Claimed'],
  HANDLING: ['处置中', 'Handling'],
  ESCALATED: ['已升级', 'Escalated'],
  RESOLVED: ['待审核', 'Resolved'],
  CLOSED: ['已关闭', 'Closed'],
} as const

/** Of alarms and their rules, part of `codes`. */
export const alarmCodes = {
  wrongState: {
    ...code(1_006_001_000, '当前状态（{state}）不能执行该操作', 'Not possible in the present state ({state})'),
    words: { state: recordStateLabels },
  },
  notOwner: code(1_006_001_001, '只有处理人可以执行该操作', 'Only the owner can do this'),
  alreadyClaimed: code(1_006_001_002, '已由 {owner} 认领', 'Already claimed by {owner}'),
  leaseLost: code(1_006_001_003, '认领已失效，请重新认领', 'Your claim has lapsed; claim again'),
  needsReset: code(
    1_006_001_004,
    '紧急报警须先在设备上手动复位，或由值班长说明理由后处置',
    'A panic alarm needs the manual reset on the device, or a shift lead with a reason',
  ),
  secondPerson: code(1_006_001_005, '须由另一人确认', 'A second person must confirm this'),
  notForPanic: code(1_006_001_006, '紧急报警不能执行该操作', 'Not possible for a panic alarm'),
  mergeTarget: code(
    1_006_001_007,
    '合并目标须是同一学校未结束的其他警情，且不因合并被搁置或自动结束',
    'Merge only into another open record of the same school, which cannot be shelved or end by itself if this one cannot',
  ),
  reasonNeeded: code(1_006_001_009, '请说明理由', 'Give a reason'),
  notVerified: code(1_006_001_010, '请先核实警情', 'Verify the alarm first'),
  leadOnly: code(
    1_006_001_011,
    '已升级至公安的警情须由值班长处置',
    'An alarm that went to the police is resolved by a shift lead',
  ),
  openTwin: code(
    1_006_001_012,
    '同一来源已有未结束的警情，不能重新打开',
    'The same source has another open record; this one cannot be reopened',
  ),
  shelveTooLong: code(1_006_001_013, '搁置时间须在 {hours} 小时以内', 'Shelve for at most {hours} hours'),
  notShelved: code(1_006_001_014, '该警情未被搁置', 'This record is not shelved'),
  leadReviews: code(
    1_006_001_015,
    '一级、二级警情须由值班长审核关闭',
    'An alarm of level 1 or 2 is reviewed and closed by a shift lead',
  ),
  ruleUsesRecover: code(
    1_006_002_000,
    '该类别或信号不允许自动恢复',
    'Records of this class or signal can never end by themselves',
  ),
} satisfies Record<string, Code>
