import type { SameKeys } from '../same-keys.ts'
import type { ruleHelp as zh } from '../zh-cn/rule-help.ts'

export const ruleHelp: SameKeys<typeof zh> = {
  name: 'The name of the rule as operators see it on a record.',
  enabled: 'A disabled rule matches no new signals; records it raised stay as they are.',
  shadow:
    'A shadow rule raises nothing and leaves what other rules raise as it is; events that match no other rule are marked as shadow.',
  priority: 'When several rules match, the lower number is used.',
  matchCodes: 'Codes that devices report; one of them is enough. Others may be typed: capitals, digits, underscores.',
  condition:
    'At once: every signal. Repeated within: that many signals within the time. Lasting: no recovery within the time. No data: nothing heard within the time.',
  repeatCount: 'How many signals within the time are needed.',
  withinSec: 'The time used by the conditions repeated, lasting and no data.',
  class: 'Decides class, sound and handling. Only device health and security duty may ever end by themselves.',
  level: 'Level 1 is the most urgent. Levels 1 and 2 need a second person to close.',
  dedupBy: 'Later signals of the same device, zone or school join the one open record.',
  reopenWindowSec:
    'Within this time after it was resolved, a new signal rings the old record again. 0: always a new one.',
  minConfidence: 'A heard word matches only with at least this confidence (0 to 1); empty: with any.',
  minDb: 'A heard word matches only if at least this loud; empty: however loud.',
  recoverCodes: 'These codes mean that the cause is gone; the record shows it.',
  autoRecover: 'After a recovery code, a record that is new or merely claimed ends by itself.',
  t1Sec: 'Nobody claimed within this time: it rings again; a panic of level 1 is escalated.',
  t2Sec:
    'No first action within this time after the claim: the shift lead is told, and the record can be claimed and rings again.',
  t3Sec:
    'Verified as the highest grade and not escalated within this time: it rings again; a panic of level 1 is escalated.',
  t4Sec: 'Dispatched and not on site within this time: the shift lead is told.',
  t5Sec: 'Not resolved within this time: supervision begins.',
}
