import { LEASE_SEC } from '@tocsin/contract/alarm/state-machine'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { emitEvents, wakeSequencer } from '#db/event'
import { scoped } from '#db/scope'
import { type Actor, hasPermission } from '#http/route'

/**
 * Renews the claims that this person holds at this desk, in one statement. A claim that was transferred to the person
 * gets the desk that answers first. A locked or ended session renews nothing. Version and log do not change, because
 * nobody decided anything.
 * @returns ids of the leases that the page still has; the others have expired or were claimed.
 */
export const renewLeases = async (db: Db, actor: Actor, ids: readonly number[]): Promise<number[]> => {
  if (ids.length === 0) return []
  const all = scoped(db, actor)
  // In the order of ids, like every lock of several records, so that two transactions cannot deadlock.
  const mine = all
    .selectFrom('warnRecord')
    .select('id')
    .where('id', 'in', ids)
    .where('state', '=', 'CLAIMED')
    .where('ownerId', '=', actor.userId)
    .where((eb) => eb.or([eb('leaseSessionId', '=', actor.sessionId), eb('leaseSessionId', 'is', null)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('session')
          .select('id')
          .where('id', '=', actor.sessionId)
          .where('endedAt', 'is', null)
          .where('lockedAt', 'is', null),
      ),
    )
    .orderBy('id')
    .forNoKeyUpdate()
  const renewed = await all
    .updateTable('warnRecord')
    .set({
      leaseUntil: sql`greatest(lease_until, now() + make_interval(secs => ${LEASE_SEC}))`,
      leaseSessionId: actor.sessionId,
    })
    .where('id', 'in', mine)
    .returning('id')
    .execute()
  return renewed.map(({ id }) => id)
}

/** A user without permission to read records has displayed none, and gets no count. */
const mayRead = (actor: Actor): boolean => hasPermission(actor)(warnRecords.page.permission)

export type DisplayReport = { shown: readonly number[]; sounded: readonly number[] }

const now = sql<Date>`date_trunc('milliseconds', clock_timestamp())`

const noteSightings = async (
  trx: Db,
  actor: Actor,
  visible: number[],
  { shown, sounded }: DisplayReport,
): Promise<void> => {
  await trx
    .insertInto('warnSighting')
    .values(
      visible.map((recordId) => ({
        recordId,
        sessionId: actor.sessionId,
        userId: actor.userId,
        displayedAt: shown.includes(recordId) ? now : null,
        soundedAt: sounded.includes(recordId) ? now : null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['recordId', 'sessionId'])
        .doUpdateSet({
          displayedAt: sql`coalesce(warn_sighting.displayed_at, excluded.displayed_at)`,
          soundedAt: sql`coalesce(warn_sighting.sounded_at, excluded.sounded_at)`,
        })
        // A desk reports the displayed records with every heartbeat. Known ones are not written again.
        .where(
          sql<boolean>`warn_sighting.displayed_at is null and excluded.displayed_at is not null
            or warn_sighting.sounded_at is null and excluded.sounded_at is not null`,
        ),
    )
    .execute()
}

/** Never before an earlier milestone (invariant 5). */
const reached = sql<Date>`greatest(${now}, received_at, displayed_at, sounded_at, claimed_at, verified_at,
  dispatched_at, on_site_at, escalated_at, resolved_at, closed_at)`

const firstOf = (all: AllTablesDb, { shown, sounded }: DisplayReport) => {
  const found = all
    .selectFrom('warnRecord')
    .select('id')
    .where((eb) =>
      eb.or([
        eb.and([eb('displayedAt', 'is', null), eb('id', '=', sql<number>`any(${shown})`)]),
        eb.and([eb('soundedAt', 'is', null), eb('id', '=', sql<number>`any(${sounded})`)]),
      ]),
    )
  return found.where('id', '=', sql<number>`any(${[...shown, ...sounded]})`)
}

const setMilestones = async (all: AllTablesDb, seen: DisplayReport) => {
  // In the order of ids, so that two desks reporting the same records wait instead of deadlocking.
  const first = await firstOf(all, seen).orderBy('id').forNoKeyUpdate().execute()
  if (first.length === 0) return []
  const at = (column: 'displayed_at' | 'sounded_at', ids: readonly number[]) =>
    sql<Date>`case when ${sql.ref(column)} is null and id = any(${ids}) then ${reached} else ${sql.ref(column)} end`
  return all
    .updateTable('warnRecord')
    .set({ displayedAt: at('displayed_at', seen.shown), soundedAt: at('sounded_at', seen.sounded) })
    .where(
      'id',
      'in',
      first.map(({ id }) => id),
    )
    .returning(['id', 'schoolId', 'deptId'])
    .execute()
}

/**
 * Stores which records a desk displayed and sounded: once per desk, and as a milestone for the first of all desks. Ids
 * outside the person's visibility are ignored.
 */
export const recordDisplayed = async (db: Db, actor: Actor, seen: DisplayReport): Promise<void> => {
  const items = [...new Set([...seen.shown, ...seen.sounded])]
  if (items.length === 0 || !mayRead(actor)) return
  const first = await db.transaction().execute(async (trx) => {
    const all = scoped(trx, actor)
    const visible = await all.selectFrom('warnRecord').select('id').where('id', 'in', items).orderBy('id').execute()
    if (visible.length === 0) return []
    await noteSightings(
      trx,
      actor,
      visible.map(({ id }) => id),
      seen,
    )
    const records = await setMilestones(all, seen)
    await emitEvents(
      trx,
      ...records.map(({ id, schoolId, deptId }) => ({ type: 'alarm.changed' as const, ref: id, schoolId, deptId })),
    )
    return records
  })
  if (first.length > 0) wakeSequencer()
}

/** Open records that a person must claim. */
export const isUnowned = sql<boolean>`(state = 'NEW' or (state = 'ESCALATED' and owner_id is null))
  and (shelved_until is null or shelved_until <= now()) and not commissioning`

/**
 * Counts of open records the person sees, of unclaimed ones, and whether the desk rings for them. A locked desk gets
 * nothing else.
 */
export const countOpen = async (db: Db, actor: Actor): Promise<{ open: number; due: number; rings: boolean }> => {
  if (!mayRead(actor)) return { open: 0, due: 0, rings: false }
  const count = await scoped(db, actor)
    .selectFrom('warnRecord')
    .select((eb) => [eb.fn.countAll<number>().as('open'), eb.fn.countAll<number>().filterWhere(isUnowned).as('due')])
    .where('open', '=', true)
    .executeTakeFirstOrThrow()
  return { ...count, rings: actor.permissions.has('warn:record:claim') }
}
