import { type Code, code } from './code.ts'

/** The states of an incident; here, because error messages name them too. */
export const situationStateLabels = {
  RECEIVED: ['待派警', 'To dispatch'],
  DISPATCHED: ['已派警', 'Dispatched'],
  IN_PROGRESS: ['处置中', 'In progress'],
  FED_BACK: ['已反馈', 'Reported back'],
  CLOSED: ['已结案', 'Closed'],
  ARCHIVED: ['已归档', 'Archived'],
  REJECTED: ['已退回', 'Returned'],
  TRANSFERRED: ['已移交', 'Transferred'],
  MERGED: ['已合并', 'Merged'],
  CANCELLED: ['已撤销', 'Cancelled'],
} as const

/** Of incidents, units and stations, part of `codes`. */
export const policeCodes = {
  situationState: {
    ...code(1_007_001_000, '警单处于「{state}」，不能执行该操作', 'Not possible while the incident is “{state}”'),
    words: { state: situationStateLabels },
  },
  situationClaimed: code(1_007_001_001, '该警单已有人接警', 'Somebody has claimed this incident already'),
  situationNoAlarm: code(
    1_007_001_002,
    '该警单不是由校园报警转来，不能退回学校。可改为撤销',
    'This incident did not come from a school, so it cannot be returned. Cancel it instead',
  ),
  situationHasAlarm: code(
    1_007_001_003,
    '该警单由校园报警转来，不能撤销。请退回学校或结案',
    'This incident came from a school alarm and cannot be cancelled. Return it or close it',
  ),
  situationNoStation: code(1_007_001_004, '尚未指定派出所，请先移交给一个派出所', 'Transfer it to a station first'),
  situationUnitsOut: code(
    1_007_001_005,
    '还有单位未完成：{units}。请先等其完成或撤回',
    'Units are still out: {units}. Wait until they have cleared or recall them',
  ),
  situationNoFeedback: code(1_007_001_006, '结案前至少需要一条反馈', 'Report back at least once before closing'),
  situationMergeTarget: code(
    1_007_001_007,
    '只能并入同一派出所、同一模式的另一件未结束的警单',
    'Merge only into another open incident of the same station and mode',
  ),
  situationMergeOver: code(
    1_007_001_008,
    '并入的警单已结束，不能取消合并',
    'The incident it was merged into is closed, so it cannot be unmerged',
  ),
  situationReopenLate: code(
    1_007_001_009,
    '结案超过 {days} 天，不能重新打开',
    'Closed more than {days} days ago: it cannot be reopened',
  ),
  situationSameStation: code(1_007_001_010, '警单已在该派出所', 'The incident is at this station already'),
  situationHasMerged: code(
    1_007_001_011,
    '有警单并入了此单，请先取消合并',
    'Other incidents were merged into this one; unmerge them first',
  ),
  unitGone: code(1_007_002_005, '警力单位不存在', 'The unit does not exist'),
  stationGone: code(1_007_003_000, '派出所不存在', 'The station does not exist'),
  jurisdictionCrosses: code(
    1_007_003_001,
    '辖区范围的边线在第 {corner} 个顶点之后与另一条边相交',
    'After corner {corner} the jurisdiction crosses another of its sides',
  ),
  unitOff: code(1_007_002_000, '未能派警：{unit}未在岗', '{unit} is off duty and was not sent'),
  unitBusy: code(
    1_007_002_001,
    '未能派警：{unit}已有任务（{no}）。可另选单位，或仍要派警',
    '{unit} is busy with {no} and was not sent. Choose another, or send it anyway',
  ),
  unitHere: code(1_007_002_002, '{unit}已在此警单', '{unit} is on this incident already'),
  unitUsed: code(
    1_007_002_003,
    '该单位有出警记录，不能删除。可让其下班',
    'The unit has been sent before and cannot be deleted',
  ),
  unitOut: code(1_007_002_004, '该单位还有未完成的任务，不能下班', 'The unit is on a task and cannot end its shift'),
} satisfies Record<string, Code>
