import type { Lang } from '@tocsin/contract/field'

/** What the system itself writes into a record's trace, beside the verbs of people. */
export const traceWords = {
  raise: ['产生警情', 'Raised'],
  signal: ['收到信号', 'Signal'],
  repeat: ['再次收到信号', 'Signal again'],
  recovery: ['收到恢复信号', 'Recovery signal'],
  cancel: ['现场取消', 'Cancelled on site'],
  reset: ['设备手动复位', 'Reset on the device'],
  raiseLevel: ['提高级别', 'Level raised'],
  merged: ['其他警情并入', 'Another record merged in'],
  T1: ['超时未认领，再次提醒', 'Unclaimed: reminded'],
  T2: ['认领后未处置，提醒值班长', 'No action after the claim: lead told'],
  T3: ['属实未升级，提醒', 'Real and not escalated: reminded'],
  T4: ['派出人员未到场，提醒', 'Not on site: reminded'],
  overdue: ['超时未处置完成', 'Overdue'],
  LEASE: ['席位失去响应', 'The desk did not answer'],
} as const

const names: Record<string, readonly [string, string]> = {
  via: ['途径', 'Via'],
  code: ['代码', 'Code'],
  occurredAt: ['发生时间', 'Occurred'],
  pressCount: ['按压次数', 'Presses'],
  late: ['迟到', 'Late'],
  class: ['类别', 'Class'],
  level: ['级别', 'Level'],
  from: ['原级别', 'From'],
  to: ['新级别', 'To'],
  reason: ['理由', 'Reason'],
  overrideReason: ['未复位理由', 'Reason without a reset'],
  note: ['说明', 'Note'],
  validation: ['核实等级', 'Validation'],
  guards: ['派出人员', 'Guards sent'],
  disposition: ['处置结果', 'Disposition'],
  causeCode: ['原因', 'Cause'],
  name: ['转交给', 'Given to'],
  until: ['至', 'Until'],
  intoNo: ['并入', 'Merged into'],
  no: ['警情编号', 'Record no.'],
  loop: ['第几次提醒', 'Reminder no.'],
  takenOver: ['接手', 'Taken over'],
  proposed: ['待他人确认', 'To be confirmed'],
  eventId: ['信号编号', 'Signal id'],
}

/** The name of what a trace entry carries; ids without a meaning for people have none. */
export const traceName = (key: string, lang: Lang): string | undefined => {
  const known = names[key]?.[lang === 'en' ? 1 : 0]
  return known ?? (/Id$|Version$|By$/.test(key) ? undefined : key)
}
