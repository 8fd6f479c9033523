import type { HomeLogged, HomeSeals } from '@tocsin/contract/insight/home/home-cards'
import { startOfDay } from '@tocsin/contract/security/hours'
import { sql } from 'kysely'
import { SUCCESS } from '#areas/audit/log/audit-log'
import { iterateSeals } from '#areas/audit/log/verify-seals'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Actor } from '#http/route'

const MAX_ROWS = 5

/** Last parts of the actions of exports, and of reads that disclosed personal data: other reads are not logged. */
export const loggedVerbs = { exports: ['export'], personalReads: ['query', 'reveal', 'track'] } as const

/** Actions of today that ended well. */
export const getLogged = async (db: Db, actor: Actor, verbs: readonly string[], now: Date): Promise<HomeLogged> => {
  const since = startOfDay(now)
  const subType = sql<string>`substring(action from '[^:]+$')`
  const all = scoped(db, actor)
  // Found in the index of the list, which has the action but not the result.
  const found = all
    .selectFrom('auditLog')
    .select('id')
    .where('at', '>=', since)
    .where(sql<boolean>`action like any(${verbs.map((verb) => `%:${verb}`)})`)
  const rows = all.selectFrom('auditLog').where('id', 'in', found).where('result', '=', SUCCESS)
  const [kinds, { people }, latest] = await Promise.all([
    rows
      .select([subType.as('subType'), sql<number>`count(*)::int`.as('n')])
      .groupBy(subType)
      .orderBy('n', 'desc')
      .execute(),
    rows.select(sql<number>`count(distinct user_id)::int`.as('people')).executeTakeFirstOrThrow(),
    rows
      .select(['id', 'at', 'username as userName', 'action'])
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_ROWS)
      .execute(),
  ])
  return { since, people, kinds, latest }
}

const MAX_SEALS = 10
/** Hashing more rows would take longer than a card may; `verify-log` checks everything. */
const MAX_SEALED_ROWS = 2000

/** Recomputes the latest seals, each chained to the one before. */
export const getSeals = async (db: Db): Promise<HomeSeals> => {
  const all = unscoped(db, 'a seal covers entries of every department; only counts are told')
  const [latest, { waiting }] = await Promise.all([
    db
      .selectFrom('seal')
      .selectAll()
      .orderBy('seq', 'desc')
      .limit(MAX_SEALS + 1)
      .execute(),
    db.selectFrom('auditUnsealed').select(sql<number>`count(*)::int`.as('waiting')).executeTakeFirstOrThrow(),
  ])
  let rows = 0
  // The one before the checked ones; none where the chain begins.
  const anchor = latest.find((seal, at) => {
    rows += seal.rowIds.length
    return at > 0 && (at === MAX_SEALS || rows > MAX_SEALED_ROWS)
  })
  const oldest = latest.at(-1)
  const checked = { seals: 0, rows: 0, waiting, lastAt: latest[0]?.at ?? null, broken: null }
  // The retention removes the rows of the first seals that remain.
  for await (const { seal, broken } of iterateSeals(all, anchor ?? (oldest?.seq === 1 ? undefined : oldest))) {
    if (broken) return { ...checked, broken: broken.seal ?? seal.seq }
    checked.seals += 1
    checked.rows += seal.rowIds.length
  }
  return checked
}
