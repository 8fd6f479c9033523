import type { LogQuery, WarnLogRow } from '@tocsin/contract/alarm/log'
import type { Page } from '@tocsin/contract/page'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { readBatches, countCapped, type BatchCursor, logDirection } from '#db/page'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'
import { logColumns, withAccounts } from './detail.ts'
import { maskToldPhone } from './mask-told-phone.ts'
import { toOffsetLimit, type TimeWindow, toTimeWindow } from '#http/time-window'

const found = (all: AllTablesDb, query: LogQuery, { from, to }: TimeWindow) => {
  const { keyword, recordId, kind, schoolId } = query
  const pattern = likePattern(keyword ?? '')
  return all
    .selectFrom('warnLog')
    .select('warnLog.id')
    .where('warnLog.at', '>=', from)
    .$if(to !== undefined, (q) => q.where('warnLog.at', '<', to as Date))
    .$if(recordId !== undefined, (q) => q.where('warnLog.recordId', '=', recordId ?? 0))
    .$if(!!kind?.length, (q) => q.where('warnLog.kind', 'in', kind ?? []))
    .$if(schoolId !== undefined, (q) => q.where('warnLog.schoolId', '=', schoolId ?? null))
    .$if(!!keyword, (q) =>
      q.where((eb) =>
        eb.or([
          eb('warnLog.actorName', 'ilike', pattern),
          eb('warnLog.actorId', 'in', eb.selectFrom('users').select('users.id').where('username', 'ilike', pattern)),
          eb(
            'warnLog.recordId',
            'in',
            eb.selectFrom('warnRecord').select('warnRecord.id').where('no', 'ilike', pattern),
          ),
        ]),
      ),
    )
}

type Hits = { hits: readonly { id: number }[]; direction: 'asc' | 'desc' }

const byIds = async (db: Db, actor: Actor, { hits, direction }: Hits): Promise<WarnLogRow[]> => {
  if (hits.length === 0) return []
  const rows = await scoped(db, actor)
    .selectFrom('warnLog')
    .innerJoin('warnRecord', 'warnRecord.id', 'warnLog.recordId')
    .select(logColumns.map((column) => `warnLog.${column}` as const))
    .select(['warnRecord.no as recordNo', 'warnRecord.schoolName', 'warnLog.hash'])
    .where(
      'warnLog.id',
      'in',
      hits.map(({ id }) => id),
    )
    .orderBy('warnLog.at', direction)
    .orderBy('warnLog.id', direction)
    .execute()
  const shown = rows.map((row) => ({ ...row, hash: row.hash.toString('hex') }))
  return withAccounts(db, maskToldPhone(actor, shown))
}

export const logPage = async (db: Db, actor: Actor, query: LogQuery): Promise<Page<WarnLogRow>> => {
  const { limit, offset } = toOffsetLimit(query)
  const hits = found(scoped(db, actor), query, toTimeWindow(query, new Date()))
  const counted = await countCapped(db, hits)
  const direction = logDirection(query.orderBy)
  const result = await hits.orderBy('at', direction).orderBy('id', direction).limit(limit).offset(offset).execute()
  return { list: await byIds(db, actor, { hits: result, direction }), ...counted }
}

const BATCH = 1000

/** Like `readRecordBatches`, latest first whatever the order of the list. */
export async function* readLogBatches(db: Db, actor: Actor, query: LogQuery): AsyncGenerator<WarnLogRow[]> {
  const window = toTimeWindow(query, new Date())
  const read = (after: BatchCursor | undefined) =>
    found(scoped(db, actor), query, window)
      .select(sql<string>`at::text`.as('place'))
      .$if(after !== undefined, (q) =>
        q.where(sql<boolean>`(at, id) < (${after?.place}::timestamptz, ${after?.id}::bigint)`),
      )
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(BATCH)
      .execute()
  for await (const hits of readBatches(read)) yield await byIds(db, actor, { hits, direction: 'desc' })
}
