import type { DeskRow, RecordQuery, WarnRecord, WarnRecordRow } from '@tocsin/contract/alarm/record'
import { DESK_LIMIT, type DeskQueue } from '@tocsin/contract/alarm/records'
import { recordStates } from '@tocsin/contract/alarm/state-machine'
import type { Page } from '@tocsin/contract/page'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { readBatches, countCapped, type BatchCursor } from '#db/page'
import { scoped } from '#db/scope'
import { byWord, type ListOrder, toOrderBy } from '#db/sort'
import { deptsBelow } from '#areas/access/roles/dept/depts-below'
import { oldestOverdueSec } from '#timer/overdue-monitor'
import type { Actor } from '#http/route'
import { THREAT_TO_LIFE } from '#areas/alarm/verb/timers'
import { loadNextLimits } from '#areas/alarm/timer/next-limit'
import { isUnowned } from './lease.ts'
import { recordColumns, loadRecordRows } from './record-row.ts'
import { toOffsetLimit, type TimeWindow, toTimeWindow } from '#http/time-window'

/** An open alarm waits for a person whatever its age, so that only a given period limits a list of open ones. */
const windowOf = (query: RecordQuery): Partial<TimeWindow> =>
  query.open === true && query.from === undefined ? { to: query.to } : toTimeWindow(query, new Date())

/** Selects the ids that match a filter, unordered. */
const found = (all: AllTablesDb, query: RecordQuery, { from, to }: Partial<TimeWindow>) => {
  const { keyword, state, level, class: classes, mode, schoolId, deviceId, sampled, falseAlarm } = query
  const { open, continued, deptId } = query
  const pattern = likePattern(keyword ?? '')
  return all
    .selectFrom('warnRecord')
    .select('id')
    .$if(from !== undefined, (q) => q.where('firstAt', '>=', from as Date))
    .$if(to !== undefined, (q) => q.where('firstAt', '<', to as Date))
    .$if(!!state?.length, (q) => q.where('state', 'in', state ?? []))
    .$if(!!level?.length, (q) => q.where('level', 'in', (level ?? []).map(Number)))
    .$if(!!classes?.length, (q) => q.where('class', 'in', classes ?? []))
    .$if(!!mode?.length, (q) => q.where('mode', 'in', mode ?? []))
    .$if(schoolId !== undefined, (q) => q.where('schoolId', '=', schoolId ?? null))
    .$if(deviceId !== undefined, (q) => q.where('deviceId', '=', deviceId ?? null))
    .$if(open !== undefined, (q) => q.where('open', '=', open ?? true))
    .$if(continued !== undefined, (q) => q.where('occurrenceCount', continued ? '=' : '>', 0))
    .$if(deptId !== undefined, (q) => q.where('deptId', 'in', deptsBelow(deptId ?? 0)))
    .$if(sampled !== undefined, (q) => q.where('sampled', '=', sampled ?? false))
    .$if(falseAlarm !== undefined, (q) =>
      q.where(sql<boolean>`coalesce(disposition like 'FALSE%', false)`, '=', falseAlarm ?? false),
    )
    .$if(!!keyword, (q) =>
      q.where((eb) =>
        eb.or([
          eb('no', 'ilike', pattern),
          // Searches the text in its displayed order: school before place.
          eb(sql<string>`concat_ws(' · ', school_name, place_path)`, 'ilike', pattern),
          eb('deviceId', 'in', eb.selectFrom('device').select('device.id').where('sn', 'ilike', pattern)),
        ]),
      ),
    )
}

const order: ListOrder<RecordQuery> = {
  columns: {
    firstAt: { by: sql`warn_record.first_at` },
    level: { by: sql`warn_record.level` },
    state: { by: byWord(sql`warn_record.state`, recordStates) },
  },
  usual: sql`warn_record.first_at desc, warn_record.id desc`,
  id: sql`warn_record.id`,
}

/** Loads the rows of these ids, in their order. */
const byIds = async (db: Db, actor: Actor, hits: readonly { id: number }[]): Promise<WarnRecordRow[]> => {
  if (hits.length === 0) return []
  const records = await scoped(db, actor)
    .selectFrom('warnRecord')
    .select(recordColumns)
    .where(
      'id',
      'in',
      hits.map(({ id }) => id),
    )
    .execute()
  const rows = await loadRecordRows(db, records)
  const places = new Map(hits.map(({ id }, place) => [id, place]))
  return rows.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
}

export const recordPage = async (db: Db, actor: Actor, query: RecordQuery): Promise<Page<WarnRecordRow>> => {
  const { limit, offset } = toOffsetLimit(query)
  const hits = found(scoped(db, actor), query, windowOf(query))
  const counted = await countCapped(db, hits)
  const result = await hits.orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute()
  return { list: await byIds(db, actor, result), ...counted }
}

const BATCH = 500

/** Yields all matches of a filter in batches, latest first whatever the order of the list. */
export async function* readRecordBatches(db: Db, actor: Actor, query: RecordQuery): AsyncGenerator<WarnRecordRow[]> {
  const window = windowOf(query)
  const read = (after: BatchCursor | undefined) =>
    found(scoped(db, actor), query, window)
      .select(sql<string>`first_at::text`.as('place'))
      .$if(after !== undefined, (q) =>
        q.where(sql<boolean>`(first_at, id) < (${after?.place}::timestamptz, ${after?.id}::bigint)`),
      )
      .orderBy('firstAt', 'desc')
      .orderBy('id', 'desc')
      .limit(BATCH)
      .execute()
  for await (const hits of readBatches(read)) yield await byIds(db, actor, hits)
}

const clockOf = (db: Db): Promise<{ now: Date; lateSec: number | null }> =>
  db.selectNoFrom([sql<Date>`now()`.as('now'), oldestOverdueSec.as('lateSec')]).executeTakeFirstOrThrow()

const urgency = sql.join([
  sql`shelved_until is not null and shelved_until > now()`,
  sql`owner_id is not null`,
  sql`mode = 'DRILL' or commissioning`,
  sql`level`,
  sql`validation is distinct from ${THREAT_TO_LIFE}`,
  sql`received_at desc`,
  sql`id desc`,
])

const withLimits = async (db: Db, records: readonly WarnRecord[]): Promise<DeskRow[]> => {
  const limits = await loadNextLimits(db, records)
  return (await loadRecordRows(db, records)).map((row) => ({ ...row, limit: limits.get(row.id) ?? null }))
}

/**
 * The open queue, most urgent first: not shelved, unclaimed, no drill or commissioning, level, threat to life, latest first, so that the
 * newest alarm is neither below older ones of its level nor cut off. A citywide drill must not precede the one real
 * press. The desk divides it into groups, because who looks and what time it is decide them. It always contains the records the reader owns, because the page renews the
 * claims that it reads here.
 */
export const getDeskQueue = async (db: Db, actor: Actor): Promise<DeskQueue> => {
  const rows = await scoped(db, actor)
    .selectFrom('warnRecord')
    .select(recordColumns)
    .select([
      sql<number>`row_number() over (order by ${urgency})`.as('turn'),
      sql<number>`count(*) over ()`.as('total'),
      sql<number>`count(*) filter (where ${isUnowned}) over ()`.as('totalDue'),
      isUnowned.as('due'),
      sql<Date>`now()`.as('now'),
      oldestOverdueSec.as('lateSec'),
    ])
    .where('open', '=', true)
    .orderBy(sql`owner_id is distinct from ${actor.userId}`)
    .orderBy('turn')
    .limit(DESK_LIMIT)
    .execute()
  const [first] = rows
  // Also for an empty queue, because the next record needs them.
  const { now, lateSec: late } = first ?? (await clockOf(db))
  return {
    now,
    lateSec: late,
    list: await withLimits(
      db,
      rows.toSorted((a, b) => a.turn - b.turn),
    ),
    more: (first?.total ?? 0) - rows.length,
    moreDue: (first?.totalDue ?? 0) - rows.filter((row) => row.due).length,
  }
}
