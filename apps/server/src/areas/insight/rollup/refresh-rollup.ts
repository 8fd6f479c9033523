import { zone } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import type { Db, UnscopedDb } from '#db/db'
import { unscoped } from '#db/scope'
import { trimCounts } from './buckets.ts'
import { type DayFigures, histograms, sumDays } from './load-figures.ts'
import {
  type CellKey,
  type Cells,
  cellColumns,
  countRecords,
  localDay,
  recordsOf,
  recordsOfKeys,
  startOfDaySql,
  unnestKeys,
} from './record-cells.ts'

/** Nothing is stored yet. */
const NEVER = '9999-12-31'
/** All is stored, also what will be written for days of long ago. */
const COMPLETE = '0001-01-01'

const MAX_CHANGES = 2000
const SLICE_RECORDS = 20_000
const ROWS_PER_INSERT = 200

const unscopedDb = (trx: Db) => unscoped(trx, 'the server counts the alarms of every school')

const storeCells = (all: UnscopedDb, cells: Cells) =>
  all.insertInto('alarmDay').columns(cellColumns).expression(cells).execute()

/** Counts cells again from their records. */
const recountCells = async (all: UnscopedDb, keys: readonly CellKey[]): Promise<void> => {
  await sql`
    delete from alarm_day cell using ${unnestKeys(keys)} as key(dept, school, day)
    where cell.dept_id = key.dept and cell.school_id is not distinct from nullif(key.school, 0) and cell.day = key.day
  `.execute(all)
  await storeCells(all, countRecords(recordsOfKeys(all, keys)))
}

const toTotal = ({ levels: [level1 = 0, level2 = 0, level3 = 0, level4 = 0], ...figures }: DayFigures) => {
  const counts = Object.fromEntries(histograms.map((name) => [name, trimCounts(figures[name])]))
  return { ...figures, ...(counts as Pick<DayFigures, (typeof histograms)[number]>), level1, level2, level3, level4 }
}

/** Sums the stored cells of days over all schools. */
const sumTotals = async (all: UnscopedDb, cells: Cells): Promise<void> => {
  const totals = (await sumDays(all, cells)).map(toTotal)
  for (let at = 0; at < totals.length; at += ROWS_PER_INSERT)
    await all
      .insertInto('alarmDayTotal')
      .values(totals.slice(at, at + ROWS_PER_INSERT))
      .execute()
}

const storedCells = (all: UnscopedDb) => all.selectFrom('alarmDay').select(cellColumns)

/**
 * Counts again what changed. The changes are removed by a statement before the one that counts, so whatever they
 * announce is visible to it, and a change that is not yet committed keeps its row.
 * @returns whether more may wait
 */
const applyChanges = async (all: UnscopedDb): Promise<boolean> => {
  const { rows } = await sql<CellKey & { taken: number }>`
    with taken as (
      delete from alarm_day_change where id in (select id from alarm_day_change order by id limit ${MAX_CHANGES})
      returning at, dept_id, school_id
    )
    select ${localDay(sql.ref('at'))} as day, dept_id, school_id, count(*)::int as taken from taken group by 1, 2, 3
  `.execute(all)
  if (rows.length === 0) return false
  await recountCells(all, rows)
  const days = [...new Set(rows.map(({ day }) => day))]
  await all.deleteFrom('alarmDayTotal').where('day', 'in', days).execute()
  await sumTotals(all, storedCells(all).where('day', 'in', days) as unknown as Cells)
  return rows.reduce((sum, { taken }) => sum + taken, 0) === MAX_CHANGES
}

/** The first day of the next slice; undefined when it contains all that is left. */
const findSlice = async (all: UnscopedDb, builtFrom: string, count: number): Promise<string | undefined> => {
  const row = await recordsOf(all)
    .select(localDay(sql.ref('first_at')).as('day'))
    .where('firstAt', '<', startOfDaySql(builtFrom))
    .orderBy('firstAt', 'desc')
    .offset(count)
    .limit(1)
    .executeTakeFirst()
  return row?.day
}

/** Counts the days before those that are stored. @returns the first day that is stored then */
const buildSlice = async (all: UnscopedDb, builtFrom: string, count: number): Promise<string> => {
  const fromDay = await findSlice(all, builtFrom, count)
  for (const table of ['alarmDay', 'alarmDayTotal'] as const)
    await all
      .deleteFrom(table)
      .where('day', '<', builtFrom)
      .$if(fromDay !== undefined, (q) => q.where('day', '>=', fromDay ?? ''))
      .execute()
  const records = recordsOf(all)
    .where('firstAt', '<', startOfDaySql(builtFrom))
    .$if(fromDay !== undefined, (q) => q.where('firstAt', '>=', startOfDaySql(fromDay ?? '')))
  await storeCells(all, countRecords(records))
  const built = storedCells(all)
    .where('day', '<', builtFrom)
    .$if(fromDay !== undefined, (q) => q.where('day', '>=', fromDay ?? ''))
  await sumTotals(all, built as unknown as Cells)
  return fromDay ?? COMPLETE
}

/** Counts everything again, in slices. The pages read records meanwhile. */
export const rebuildRollup = async (trx: Db): Promise<void> => {
  await trx.updateTable('alarmRollupCursor').set({ zone: zone.name, builtFrom: NEVER }).execute()
}

/**
 * Counts what changed since the last time, and a slice of what was never counted. A day is a local one, so another time
 * zone begins anew.
 * @returns whether more is to be done at once
 */
export const refreshRollup = async (trx: Db, sliceRecords = SLICE_RECORDS): Promise<boolean> => {
  const all = unscopedDb(trx)
  const cursor = await all.selectFrom('alarmRollupCursor').selectAll().forUpdate().executeTakeFirstOrThrow()
  if (cursor.zone !== zone.name) await rebuildRollup(trx)
  const builtFrom = cursor.zone === zone.name ? cursor.builtFrom : NEVER
  const hasMore = await applyChanges(all)
  if (builtFrom === COMPLETE) return hasMore
  const next = await buildSlice(all, builtFrom, sliceRecords)
  await all.updateTable('alarmRollupCursor').set({ builtFrom: next }).execute()
  return hasMore || next !== COMPLETE
}
