import type { Connectivity } from '@tocsin/contract/device/device'
import { sql } from 'kysely'
import { ingestServerSignal } from '#areas/alarm/ingest'
import { lockDevice } from '#areas/alarm/intake/signal-source'
import type { AllTablesDb, Db } from '#db/db'
import { emitEvents, wakeSequencer } from '#db/event'
import { unscoped } from '#db/scope'
import { hasStoppedFlapping, derivedConnectivity, FLAP_CHANGES, FLAP_LOSSES } from './connectivity-sql.ts'

/** Lifecycle states in which silence of a device is no fault. */
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
  /** Changes in ten minutes with this one, and the first of them. */
  changes: number
  changesSince: Date
  /** Losses of the connection in the last hour, without this change. */
  losses: number
  now: Date
}

const judge = async (all: AllTablesDb, deviceId: number): Promise<Judged | undefined> => {
  const { rows } = await sql<Judged>`
    select state.connectivity, outcome.next, state.flapping, ${hasStoppedFlapping} as calm, coalesce(fact.lost, false) as lost,
      device.school_id, device.dept_id, device.lifecycle, recent.count as changes,
      least(recent.first, now()) as changes_since, now() as now,
      (select count(*)::integer from device_connectivity earlier where earlier.device_id = state.device_id
        and earlier.to_state = 'OFFLINE' and earlier.at > now() - interval '1 hour') as losses
    from ${derivedConnectivity} cross join lateral (
      select count(*)::integer + 1 as count, min(at) as first from device_connectivity earlier
      where earlier.device_id = state.device_id and earlier.at > now() - interval '10 minutes'
    ) recent
    where state.device_id = ${deviceId} and state.last_seen_at is not null and device.lifecycle <> 'RETIRED'`.execute(
    all,
  )
  return rows[0]
}

type Change = { all: AllTablesDb; deviceId: number; judged: Judged; moves: boolean }
type Changed = { since: Date; flapping: boolean }

const reasonOf = ({ next, lost }: Judged): string => {
  if (next === 'ONLINE') return 'SEEN'
  return next === 'OFFLINE' && lost ? 'LINK_LOST' : 'SILENCE'
}

/** The device sent a message or another node changed it meanwhile, so the next sweep evaluates it again. */
class Overtaken extends Error {}

/**
 * Writes the state if it has not changed meanwhile. This must be the last lock of the transaction: waiting for another
 * lock while holding a device row could deadlock with the write of activities and with a shared record.
 */
const write = async ({ all, deviceId, judged, moves }: Change, { flapping }: Changed): Promise<void> => {
  const { connectivity, next, changes, changesSince } = judged
  const moved = sql`connectivity = ${next}, since = now(), change_count = ${changes}, changes_since = ${changesSince},`
  const { rows } = await sql`
    with still as (
      select state.device_id from ${derivedConnectivity}
      where state.device_id = ${deviceId} and state.connectivity = ${connectivity} and outcome.next = ${next}
        and state.flapping = ${judged.flapping}
      for no key update of state
    )
    update device_state state set ${moves ? moved : sql``} flapping = ${flapping}
    from still where state.device_id = still.device_id
    returning state.device_id`.execute(all)
  if (rows.length === 0) throw new Overtaken()
}

const note = async ({ all, deviceId, judged }: Change): Promise<void> => {
  const { connectivity: fromState, next: toState } = judged
  await all
    .insertInto('deviceConnectivity')
    .values({ deviceId, fromState, toState, reason: reasonOf(judged) })
    .execute()
}

/** Many changes in ten minutes, or many losses in an hour: one alarm stands for all of them. */
const isFlapping = ({ flapping, changes, next, losses }: Judged): boolean =>
  flapping || changes >= FLAP_CHANGES || (next === 'OFFLINE' && losses + 1 >= FLAP_LOSSES)

/** The signals of a change. A flapping device raises one signal for the flapping, and none for each change. */
const signalsOf = ({ judged }: Change, { flapping }: Changed): string[] => {
  const { connectivity, next, lifecycle } = judged
  const watched = WATCHED.has(lifecycle)
  if (flapping) return !judged.flapping && watched ? ['FLAPPING'] : []
  if (judged.flapping) return ['FLAPPING_ENDED', ...(next === 'OFFLINE' ? (watched ? ['OFFLINE'] : []) : ['ONLINE'])]
  if (next === 'OFFLINE') return watched ? ['OFFLINE'] : []
  return connectivity === 'OFFLINE' ? ['ONLINE'] : []
}

/**
 * Updates the connectivity of one device, with history, event and signals, in one transaction.
 * @returns whether anything changed.
 */
export const updateConnectivity = async (db: Db, deviceId: number): Promise<boolean> => {
  const settled = await db
    .transaction()
    .execute((trx) => updateLocked(trx, deviceId))
    .catch((error: unknown) => {
      if (error instanceof Overtaken) return false
      throw error
    })
  if (settled) wakeSequencer()
  return settled
}

const updateLocked = async (trx: Db, deviceId: number): Promise<boolean> => {
  // The same lock as the intake: it excludes signals and other updates of this device.
  await lockDevice(trx, deviceId)
  const all = unscoped(trx, 'connectivity of all devices')
  const judged = await judge(all, deviceId)
  const moves = judged !== undefined && judged.next !== judged.connectivity
  if (!judged || !(moves || judged.calm)) return false
  const change = { all, deviceId, judged, moves }
  const changed = { since: judged.now, flapping: moves && isFlapping(judged) }
  if (moves) await note(change)
  const { schoolId, deptId } = judged
  await emitEvents(trx, { type: 'device.status', ref: deviceId, schoolId, deptId })
  for (const code of signalsOf(change, changed))
    await ingestServerSignal(trx, { deviceId, code, eventId: `${code}-${changed.since.getTime()}` })
  await write(change, changed)
  return true
}
