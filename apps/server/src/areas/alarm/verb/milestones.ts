import type { Locked } from './scene.ts'

/** Write-once instants of a record, in the order in which a case usually reaches them. */
export const milestones = [
  'receivedAt',
  'displayedAt',
  'soundedAt',
  'claimedAt',
  'verifiedAt',
  'dispatchedAt',
  'onSiteAt',
  'escalatedAt',
  'resolvedAt',
  'closedAt',
] as const
export type Milestone = (typeof milestones)[number]

/** Never before one that is set already, whatever the clocks of two nodes or a stepped clock say (invariant 5). */
export const milestoneAt = (record: Pick<Locked, Milestone>, now: Date): Date =>
  new Date(Math.max(now.getTime(), ...milestones.map((name) => record[name]?.getTime() ?? 0)))

/** The columns to write: those of the reached milestones that are still empty (invariant 5). */
export const reachedNow = (record: Pick<Locked, Milestone>, now: Date, reached: readonly Milestone[]) => {
  const at = milestoneAt(record, now)
  return Object.fromEntries(reached.filter((name) => record[name] === null).map((name) => [name, at]))
}
