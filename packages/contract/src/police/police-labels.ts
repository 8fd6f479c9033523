import type { ReportKind } from './report-kind.ts'
import { situationStateLabels } from '../codes/police-codes.ts'
import type { EnumLabels } from '../field.ts'
import type { SituationVerb } from './situation-machine.ts'
import type { Situation, SituationRow } from './situation.ts'
import type { Unit, UnitState } from './unit.ts'

const situationSource: EnumLabels<Situation['source']> = {
  WARN: ['校园报警', 'School alarm'],
  PHONE_110: ['110 来电', '110 call'],
  MANUAL: ['人工录入', 'By hand'],
  EXTERNAL_CAD: ['外部系统', 'Other system'],
  PATROL: ['巡逻发现', 'Patrol'],
}

const situationDisposition: EnumLabels<NonNullable<Situation['disposition']>> = {
  RESOLVED_ON_SCENE: ['现场处置完毕', 'Settled on scene'],
  MEDIATED: ['调解', 'Mediated'],
  ADMINISTRATIVE_CASE: ['受理行政案件', 'Administrative case'],
  CRIMINAL_CASE: ['受理刑事案件', 'Criminal case'],
  HELPED: ['救助', 'Helped'],
  HANDED_OVER: ['移交其他部门', 'Handed to another authority'],
  NOTHING_FOUND: ['未发现异常', 'Nothing found'],
  FALSE_REPORT: ['误报', 'False report'],
}

const unitType: EnumLabels<Unit['type']> = {
  CAR: ['警车', 'Car'],
  FOOT: ['步巡', 'Foot'],
  POST: ['岗亭', 'Post'],
  AUX: ['辅警', 'Auxiliary'],
}

const unitState: EnumLabels<UnitState> = {
  FREE: ['空闲', 'Free'],
  ASSIGNED: ['已派', 'Assigned'],
  EN_ROUTE: ['途中', 'On the way'],
  ON_SCENE: ['在现场', 'On scene'],
  OFF: ['未在岗', 'Off duty'],
}

const dueStep: EnumLabels<NonNullable<SituationRow['dueStep']>> = {
  CLAIM: ['接警', 'Claim'],
  DISPATCH: ['派警', 'Dispatch'],
  SIGN: ['签收', 'Receive'],
  DEPART: ['出警', 'Depart'],
  ARRIVE: ['到场', 'Arrive'],
  FEEDBACK: ['反馈', 'Report back'],
  CLOSE: ['结案', 'Close'],
}

/** Buttons (screens 1.4). */
const situationVerb: EnumLabels<SituationVerb> = {
  claim: ['接警', 'Claim'],
  dispatch: ['派警', 'Dispatch'],
  addUnit: ['增援', 'Add unit'],
  recall: ['撤回', 'Recall'],
  feedback: ['反馈', 'Report back'],
  close: ['结案', 'Close'],
  note: ['备注', 'Note'],
  transfer: ['移交', 'Transfer'],
  reject: ['退回学校', 'Return to school'],
  merge: ['合并', 'Merge'],
  unmerge: ['取消合并', 'Unmerge'],
  cancel: ['撤销', 'Cancel'],
  reopen: ['重新打开', 'Reopen'],
  progress: ['开始处置', 'In progress'],
  archive: ['归档', 'Archive'],
  again: ['再次转来', 'Handed over again'],
}

/** Entries of the timeline that are no verbs. */
const situationLogVerb: EnumLabels<string> = {
  claim: ['接警', 'Claimed'],
  dispatch: ['派警', 'Sent'],
  addUnit: ['增援', 'Added'],
  recall: ['撤回', 'Recalled'],
  feedback: ['反馈', 'Reported back'],
  close: ['结案', 'Closed'],
  note: ['备注', 'Note'],
  transfer: ['移交', 'Transferred'],
  reject: ['退回学校', 'Returned to the school'],
  merge: ['合并', 'Merged'],
  unmerge: ['取消合并', 'Unmerged'],
  cancel: ['撤销', 'Cancelled'],
  reopen: ['重新打开', 'Reopened'],
  progress: ['开始处置', 'In progress'],
  archive: ['归档', 'Archived'],
  again: ['学校再次转来', 'Handed over again by the school'],
  create: ['录入警单', 'Created'],
  escalated: ['由校园报警转来', 'Handed over by the school'],
  transferred: ['由其他派出所移交', 'Transferred from another station'],
  absorb: ['并入另一警单', 'Another incident was merged into it'],
  recordEnded: ['警情已由学校处置完成', 'The school resolved the alarm'],
  RECEIVED: ['签收', 'Received'],
  EN_ROUTE: ['出警', 'Departed'],
  ON_SCENE: ['到场', 'On scene'],
  CLEARED: ['完成', 'Cleared'],
  DECLINED: ['无法前往', 'Declined'],
  TIMED_OUT: ['超时未签收', 'No answer'],
  noReceipt: ['派警后未签收，提醒', 'Not received yet: reminder'],
  unanswered: ['派警后无人签收，升级通知', 'Nobody answered: escalated'],
  overdueCLAIM: ['接警超时，已提醒', 'Claim overdue: reminder'],
  overdueDISPATCH: ['派警超时，已提醒', 'Dispatch overdue: reminder'],
  overdueDEPART: ['出警超时，已提醒', 'Departure overdue: reminder'],
  overdueARRIVE: ['到场超时，已提醒', 'Arrival overdue: reminder'],
  overdueFEEDBACK: ['反馈超时，已提醒', 'Report overdue: reminder'],
  overdueCLOSE: ['结案超时，已提醒', 'Closing overdue: reminder'],
  RECALLED: ['撤回', 'Recalled'],
  support: ['请求增援', 'Asked for support'],
  report: ['现场情况', 'Reported from the scene'],
  cadAlarm: ['由外部接处警系统转来', 'Received from another dispatch system'],
  cadUpdate: ['外部系统更新', 'Updated by the other system'],
  cadCancel: ['外部系统请求撤销', 'The other system asked to cancel'],
  cadAccepted: ['外部系统已受理', 'Accepted by the other system'],
  cadRejected: ['外部系统退回', 'Rejected by the other system'],
  cadDispatched: ['外部系统已派警', 'The other system sent units'],
  cadArrived: ['外部系统单位到场', 'Units of the other system are on scene'],
  cadClosed: ['外部系统已办结', 'Closed by the other system'],
}

const reportKind: EnumLabels<ReportKind> = {
  FIRST: ['首报', 'First report'],
  FOLLOW_UP: ['续报', 'Follow-up report'],
  FINAL: ['终报', 'Final report'],
}

export const policeLabels = {
  reportKind,
  situationState: situationStateLabels satisfies EnumLabels<Situation['state']>,
  situationSource,
  situationDisposition,
  situationVerb,
  situationLogVerb,
  unitType,
  unitState,
  dueStep,
}
