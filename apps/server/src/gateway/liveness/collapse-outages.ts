import { absorbNarrowerOutages, endOutages, joinEarlierAlarms, openOutage } from '#areas/alarm/outage/open-outage'
import { raiseRemainingDevices } from '#areas/alarm/outage/raise-devices'
import type { Db } from '#db/db'
import { wakeSequencer } from '#db/event'
import { attachToOutages, findChangingDevices, findGroups, findInOutages, restoreFromOutages } from './outage-sql.ts'

/** Repeats a statement that takes a limited number of rows until none is left, or only locked ones are. */
const repeat = async (step: () => Promise<number>): Promise<number> => {
  let changed = 0
  for (let last = 1; last > 0; changed += last) last = await step()
  return changed
}

const openGroups = async (db: Db, falling: readonly number[]): Promise<void> => {
  for (const group of await findGroups(db, falling)) {
    const id = await openOutage(db, group)
    if (id === undefined) continue
    await absorbNarrowerOutages(db, id, group)
    await joinEarlierAlarms(db, id, group)
  }
}

export type Collapsed = { changed: number; rest: number[] }

/**
 * Puts devices that went offline together into one outage (domain 6.4), so that thousands of them raise one alarm, and
 * takes those that return out of it.
 * @returns how many changed, and the devices that are to be updated one by one.
 */
export const collapseOutages = async (db: Db, deviceIds: readonly number[]): Promise<Collapsed> => {
  const { falling, returning } = await findChangingDevices(db, deviceIds)
  let changed = 0
  if (returning.length > 0) changed += await repeat(() => restoreFromOutages(db, returning))
  const inOutage = new Set(returning)
  if (falling.length > 0) {
    await openGroups(db, falling)
    for (const id of await findInOutages(db, falling)) inOutage.add(id)
    if (inOutage.size > 0) changed += await repeat(() => attachToOutages(db, falling))
  }
  if (changed > 0) wakeSequencer()
  return { changed, rest: deviceIds.filter((id) => !inOutage.has(id)) }
}

/** Ends outages that are over; devices that stay away after the others returned get alarms of their own. */
export const settleOutages = async (db: Db): Promise<void> => {
  await raiseRemainingDevices(db)
  await endOutages(db)
}
