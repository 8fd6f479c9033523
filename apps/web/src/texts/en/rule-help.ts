import type { SameKeys } from '../same-keys.ts'
import type { ruleHelp as zh } from '../zh-cn/rule-help.ts'

export const ruleHelp: SameKeys<typeof zh> = {
  name: 'The name of the rule shown on alarms.',
  enabled: 'A disabled rule matches no new signals. Alarms it raised stay unchanged.',
  shadow:
    'A shadow rule raises no alarms and does not affect other rules. Events that match no other rule are marked as shadow.',
  priority: 'When several rules match, the lowest number is used.',
  matchCodes: 'Codes that devices report; any of them matches. Custom codes: capitals, digits and underscores.',
  condition:
    'At once: every signal. Repeated within: that many signals within the time. Lasting: no recovery within the time. No data: no signal within the time.',
  repeatCount: 'Number of signals required within the time.',
  withinSec: 'The time used by the conditions repeated, lasting and no data.',
  class: 'Determines sound and handling. Only device trouble and duty gap can close automatically.',
  level: 'Level 1 is the most urgent. Levels 1 and 2 must be closed by another person.',
  dedupBy: 'Later signals of the same device, zone or school are added to the open alarm.',
  reopenWindowSec: 'Within this time after an alarm was resolved, a new signal rings it again. 0: always a new alarm.',
  minConfidence: 'Minimum confidence of a voice keyword (0 to 1). Empty: no minimum.',
  minDb: 'Minimum loudness of a voice keyword. Empty: no minimum.',
  recoverCodes: 'These codes mean that the condition is over. The alarm shows it.',
  autoRecover: 'After a recovery code, an unclaimed or just claimed alarm closes automatically.',
  t1Sec: 'Not claimed within this time: it rings again. A level 1 panic is handed to police.',
  t2Sec:
    'No action within this time after the claim: the shift lead is told, and the alarm is released and rings again.',
  t3Sec:
    'Life in danger and not handed to police within this time: it rings again. A level 1 panic is handed to police.',
  t4Sec: 'Sent and not on scene within this time: the shift lead is told.',
  t5Sec: 'Not resolved within this time: a supervision order starts.',
}
