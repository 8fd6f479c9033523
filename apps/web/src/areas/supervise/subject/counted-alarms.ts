import type { OrderEvidence } from '@tocsin/contract/supervise/order-evidence'

/**
 * The filters of the alarm list that show the alarms which a rate of false ones was counted from, and the false ones
 * among them; undefined for other evidence.
 */
export const countedAlarms = (
  { kind, since, until }: OrderEvidence,
  schoolId: number | null,
): { all: string; false: string } | undefined => {
  if (kind !== 'FALSE_RATE' || !since || !until || schoolId === null) return undefined
  const period = `from=${since.getTime()}&to=${until.getTime()}`
  const all = `schoolId=${schoolId}&mode=LIVE&open=false&continued=false&${period}`
  return { all, false: `${all}&falseAlarm=true` }
}
