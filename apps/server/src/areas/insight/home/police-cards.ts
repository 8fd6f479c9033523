import type { HomeDispatch, HomeUnits } from '@tocsin/contract/insight/home/home-cards'
import { unitStates } from '@tocsin/contract/police/unit'
import { sql } from 'kysely'
import { dueAt } from '#areas/police/situation/situation-rows'
import { completeUnits, unitState } from '#areas/police/unit-rows'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'

const MAX_ROWS = 5

const countIf = (condition: string) => sql<number>`(count(*) filter (where ${sql.raw(condition)}))::int`

/** Incidents that wait for a unit, with or without an owner. */
export const getDispatch = async (db: Db, actor: Actor): Promise<HomeDispatch> => {
  const waiting = scoped(db, actor).selectFrom('policeSituation').where('state', '=', 'RECEIVED')
  const [counted, oldest] = await Promise.all([
    waiting
      .select([countIf('owner_id is null').as('unclaimed'), countIf('owner_id is not null').as('toDispatch')])
      .select(sql<number>`(count(*) filter (where ${dueAt} < now()))::int`.as('overdue'))
      // The list of incidents reaches back 92 days at most.
      .select(sql<Date>`coalesce(greatest(min(received_at), now() - interval '91 days'), now())`.as('since'))
      .executeTakeFirstOrThrow(),
    waiting
      .select(['id', 'no', 'grade', 'state', 'ownerId', 'schoolName', 'place', 'receivedAt'])
      .orderBy('receivedAt')
      .orderBy('id')
      .limit(MAX_ROWS)
      .execute(),
  ])
  return { ...counted, waiting: oldest }
}

/** Units by state, and those on an incident. */
export const getUnits = async (db: Db, actor: Actor): Promise<HomeUnits> => {
  const seen = scoped(db, actor).selectFrom('policeUnit')
  const [counted, busy] = await Promise.all([
    seen
      .select([unitState.as('unitState'), sql<number>`count(*)::int`.as('n')])
      .groupBy('unitState')
      .execute(),
    seen
      .selectAll()
      .where(unitState, 'not in', ['FREE', 'OFF'])
      .orderBy('name')
      .orderBy('id')
      .limit(MAX_ROWS)
      .execute(),
  ])
  const numberOf = new Map(counted.map((row) => [row.unitState, row.n]))
  return {
    states: unitStates.map((state) => ({ state, n: numberOf.get(state) ?? 0 })),
    busy: (await completeUnits(db, busy)).map(({ id, name, state, situationId, situationNo }) => ({
      id,
      name,
      state,
      situationId,
      situationNo,
    })),
  }
}
