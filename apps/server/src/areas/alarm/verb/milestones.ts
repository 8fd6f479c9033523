import { type Milestone, milestones } from '@tocsin/contract/alarm/milestone'
import type { LockedRecord } from './verb-context.ts'

/** Never before an earlier milestone, even when the clocks of two nodes differ or a clock is set back (invariant 5). */
export const nextMilestoneTime = (record: Pick<LockedRecord, Milestone>, now: Date): Date =>
  new Date(Math.max(now.getTime(), ...milestones.map((name) => record[name]?.getTime() ?? 0)))

/** The columns to write: those of the reached milestones that are still empty (invariant 5). */
export const newMilestones = (record: Pick<LockedRecord, Milestone>, now: Date, reached: readonly Milestone[]) => {
  const at = nextMilestoneTime(record, now)
  return Object.fromEntries(reached.filter((name) => record[name] === null).map((name) => [name, at]))
}
