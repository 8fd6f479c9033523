import { orderStateLabels } from '../codes/oversight-codes.ts'
import { type EnumLabels, type Lang, lookupLabel } from '../field.ts'
import type { OrderKind, OrderLight, OrderLogVerb, OrderSubjectType, OrderView } from './order.ts'
import { evidenceFigure, evidenceLimit, evidenceTotal } from './order-evidence.ts'
import type { OrderState, OrderVerb } from './order-machine.ts'

const orderState: EnumLabels<OrderState> = orderStateLabels

const orderKind: EnumLabels<OrderKind> = {
  ALARM_OVERDUE: ['警情超时', 'Alarm overdue'],
  FALSE_ALARM_HIGH: ['误报偏高', 'Many false alarms'],
  DEVICE_UNREADY: ['设备未就绪', 'Device not ready'],
  HAZARD: ['安全隐患', 'Hazard'],
  DUTY_ABSENT: ['缺岗', 'Absent from duty'],
  BULLY_OVERDUE: ['欺凌调查超期', 'Bullying inquiry overdue'],
  DRILL_OVERDUE: ['演练超期', 'Drill overdue'],
  MANUAL: ['人工', 'Manual'],
}

const orderSubject: EnumLabels<OrderSubjectType> = {
  WARN_RECORD: ['警情', 'Alarm'],
  SCHOOL_DEVICE: ['学校设备', 'Installed device'],
  SCHOOL: ['学校', 'School'],
  NONE: ['无', 'None'],
}

const orderLight: EnumLabels<OrderLight> = {
  GREEN: ['正常', 'On track'],
  YELLOW: ['临期', 'Due soon'],
  RED: ['逾期', 'Overdue'],
}

const orderView: EnumLabels<OrderView> = {
  MINE: ['我负责', 'For me'],
  ISSUED: ['我下达', 'Issued by me'],
  DUE_SOON: ['临期', 'Due soon'],
  OVERDUE: ['逾期', 'Overdue'],
  TO_REVIEW: ['待复核', 'To review'],
}

const extensionState: EnumLabels<'REQUESTED' | 'APPROVED' | 'REFUSED'> = {
  REQUESTED: ['延期待批', 'Extension asked'],
  APPROVED: ['已延期', 'Extended'],
  REFUSED: ['未同意延期', 'Extension refused'],
}

const orderVerb: EnumLabels<OrderVerb> = {
  issue: ['下达', 'Issue'],
  sign: ['签收', 'Receive'],
  progress: ['办理进展', 'Report progress'],
  submit: ['提交', 'Submit'],
  conclude: ['办结', 'Conclude'],
  return: ['退回重办', 'Send back'],
  evaluate: ['评价', 'Evaluate'],
  requestExtension: ['申请延期', 'Ask for extension'],
  approveExtension: ['同意延期', 'Grant extension'],
  refuseExtension: ['不同意延期', 'Refuse extension'],
  transfer: ['转办', 'Pass on'],
  revoke: ['撤销', 'Revoke'],
}

/** Past tense, as the timeline reads. */
const orderLogVerb: EnumLabels<OrderLogVerb> = {
  issue: ['下达', 'issued it'],
  issueAutomatically: ['自动下达', 'issued it automatically'],
  sign: ['签收', 'received it'],
  progress: ['报告进展', 'reported progress'],
  submit: ['提交复核', 'submitted it for review'],
  conclude: ['办结', 'concluded it'],
  return: ['退回重办', 'sent it back'],
  evaluate: ['评价', 'evaluated it'],
  requestExtension: ['申请延期', 'asked for an extension'],
  approveExtension: ['同意延期', 'granted the extension'],
  refuseExtension: ['不同意延期', 'refused the extension'],
  transfer: ['转办', 'passed it on'],
  revoke: ['撤销', 'revoked it'],
  remindSign: ['催签收', 'reminded: not received yet'],
  remindSoon: ['临期提醒', 'reminded: due soon'],
  remindDue: ['到期提醒', 'reminded: due'],
  remindLate: ['逾期 1 天催办', 'reminded: one day overdue'],
  remindUpward: ['逾期 3 天，已报上级', 'reminded the department above: three days overdue'],
}

/** Labels of supervision, on screens, in notices and in spreadsheets. */
export const superviseLabels = {
  orderState,
  orderKind,
  orderSubject,
  orderLight,
  orderView,
  extensionState,
  orderVerb,
  orderLogVerb,
  evidenceFigure,
  evidenceTotal,
  evidenceLimit,
}

export const superviseLabel = (kind: keyof typeof superviseLabels, value: string, lang: Lang): string =>
  lookupLabel(superviseLabels[kind], value, lang)
