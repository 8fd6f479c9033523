import { type Milestone, milestones } from '@tocsin/contract/alarm/milestone'
import type { Locked } from './scene.ts'

/** Never before one that is set already, whatever the clocks of two nodes or a stepped clock say (invariant 5). */
export const milestoneAt = (record: Pick<Locked, Milestone>, now: Date): Date =>
  new Date(Math.max(now.getTime(), ...milestones.map((name) => record[name]?.getTime() ?? 0)))

/** The columns to write: those of the reached milestones that are still empty (invariant 5). */
export const reachedNow = (record: Pick<Locked, Milestone>, now: Date, reached: readonly Milestone[]) => {
  const at = milestoneAt(record, now)
  return Object.fromEntries(reached.filter((name) => record[name] === null).map((name) => [name, at]))
}
