import type { Connectivity } from '@tocsin/contract/device/device'
import { sql } from 'kysely'
import { signalFromServer } from '#areas/alarm/ingest'
import { takeTurn } from '#areas/alarm/intake/place'
import type { AllDb, Db } from '#db/db'
import { announce, poke } from '#db/event'
import { everything } from '#db/scope'
import { calmAgain, derived, FLAP_CHANGES } from './facts.ts'

/** Kept away on purpose, or not yet in place: silence of these is no fault. */
const WATCHED = new Set(['COMMISSIONING', 'IN_SERVICE'])

type Judged = {
  connectivity: Connectivity
  next: Exclude<Connectivity, 'NEVER_SEEN'>
  flapping: boolean
  calm: boolean
  lost: boolean
  schoolId: number | null
  deptId: number
  lifecycle: string
}

const judge = async (all: AllDb, deviceId: number): Promise<Judged | undefined> => {
  const { rows } = await sql<Judged>`
    select state.connectivity, outcome.next, state.flapping, ${calmAgain} as calm, coalesce(fact.lost, false) as lost,
      device.school_id, device.dept_id, device.lifecycle
    from ${derived}
    where state.device_id = ${deviceId} and state.last_seen_at is not null and device.lifecycle <> 'RETIRED'
    for update of state`.execute(all)
  return rows[0]
}

type Change = { all: AllDb; deviceId: number; judged: Judged }
type Changed = { since: Date; flapping: boolean }

const reasonOf = ({ next, lost }: Judged): string => {
  if (next === 'ONLINE') return 'SEEN'
  return next === 'OFFLINE' && lost ? 'LINK_LOST' : 'SILENCE'
}

const move = async ({ all, deviceId, judged }: Change): Promise<Changed> => {
  const { connectivity: fromState, next: toState } = judged
  await all
    .insertInto('deviceConnectivity')
    .values({ deviceId, fromState, toState, reason: reasonOf(judged) })
    .execute()
  const { rows } = await sql<Changed>`
    update device_state state set connectivity = ${toState}, since = now(), change_count = recent.count,
      changes_since = recent.first, flapping = state.flapping or recent.count >= ${FLAP_CHANGES}
    from (
      select count(*)::integer as count, min(at) as first from device_connectivity
      where device_id = ${deviceId} and at > now() - interval '10 minutes'
    ) recent
    where state.device_id = ${deviceId}
    returning state.since, state.flapping`.execute(all)
  const [changed] = rows
  if (!changed) throw new Error(`device ${deviceId} has no state`)
  return changed
}

const calmDown = async ({ all, deviceId }: Change): Promise<Changed> => {
  const { since } = await all
    .updateTable('deviceState')
    .set({ flapping: false })
    .where('deviceId', '=', deviceId)
    .returning('since')
    .executeTakeFirstOrThrow()
  return { since, flapping: false }
}

/** What follows of a change for the warn record: nothing of each step while a device flaps, once for the flapping. */
const signalsOf = ({ judged }: Change, { flapping }: Changed): string[] => {
  const { connectivity, next, lifecycle } = judged
  const watched = WATCHED.has(lifecycle)
  if (flapping) return !judged.flapping && watched ? ['FLAPPING'] : []
  if (judged.flapping) return ['FLAPPING_ENDED', ...(next === 'OFFLINE' ? (watched ? ['OFFLINE'] : []) : ['ONLINE'])]
  if (next === 'OFFLINE') return watched ? ['OFFLINE'] : []
  return connectivity === 'OFFLINE' ? ['ONLINE'] : []
}

/**
 * Brings one device's state up to what follows from the facts, under its row lock, with history, event and the signals
 * of it, in one transaction. @returns whether anything changed.
 */
export const settle = async (db: Db, deviceId: number): Promise<boolean> => {
  const settled = await db.transaction().execute(async (trx) => {
    // Before the row lock, as intake does: an alarm of this device at the same moment must not deadlock with it.
    await takeTurn(trx, deviceId)
    const all = everything(trx, 'connectivity of all devices')
    const judged = await judge(all, deviceId)
    const moves = judged && judged.next !== judged.connectivity
    if (!judged || !(moves || judged.calm)) return false
    const change = { all, deviceId, judged }
    const changed = moves ? await move(change) : await calmDown(change)
    const { schoolId, deptId } = judged
    await announce(trx, { type: 'device.status', ref: deviceId, schoolId, deptId })
    for (const code of signalsOf(change, changed))
      await signalFromServer(trx, { deviceId, code, eventId: `${code}-${changed.since.getTime()}` })
    return true
  })
  if (settled) poke()
  return settled
}
