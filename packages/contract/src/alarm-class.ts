/** Classes of alarms; here, because areas before the alarm area select by them. */
export const warnClasses = [
  'PANIC',
  'VOICE',
  'BULLY',
  'INTRUSION',
  'MEDICAL',
  'FIRE',
  'DEVICE_HEALTH',
  'SECURITY_DUTY',
] as const
export type WarnClass = (typeof warnClasses)[number]
