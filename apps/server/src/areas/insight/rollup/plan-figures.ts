import { wallClock, zone } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { scoped, type Visibility } from '#db/scope'
import { deptsBelow } from '#areas/access/roles/dept/depts-below'
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

const DAY_MS = 86_400_000

export type FigurePeriod = { from: Date; to: Date; deptId: number | undefined }

/** What of a period is stored, and what of it is counted from records. */
export type Plan = {
  all: AllTablesDb
  period: FigurePeriod
  /** Whole local days, the second one excluded. */
  stored: { fromDay: string; toDay: string } | undefined
  changed: readonly CellKey[]
  /** Whether the sums over all schools may be used. */
  seesAll: boolean
}

const formatDay = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10)

/**
 * Finds what changed since it was stored. The figures are read after that, so each of them is as new as this moment or
 * newer, whatever is stored in the meantime.
 */
export const planFigures = async (db: Db, sight: Visibility, period: FigurePeriod): Promise<Plan> => {
  const all = scoped(db, sight)
  const cursor = await db.selectFrom('alarmRollupCursor').selectAll().executeTakeFirst()
  const plan = { all, period, changed: [], seesAll: sight.depts === 'all' && period.deptId === undefined }
  const first = formatDay(Math.ceil(wallClock(period.from).getTime() / DAY_MS))
  const toDay = formatDay(Math.floor(wallClock(period.to).getTime() / DAY_MS))
  if (!cursor || cursor.zone !== zone.name) return { ...plan, stored: undefined }
  const fromDay = first > cursor.builtFrom ? first : cursor.builtFrom
  if (fromDay >= toDay) return { ...plan, stored: undefined }
  const changed = await all
    .selectFrom('alarmDayChange')
    .select([localDay(sql.ref('at')).as('day'), 'deptId', 'schoolId'])
    .distinct()
    .where('at', '>=', startOfDaySql(fromDay))
    .where('at', '<', startOfDaySql(toDay))
    .execute()
  return { ...plan, stored: { fromDay, toDay }, changed }
}

/** The parts of the period that are not stored. */
const countRest = ({ all, period: { from, to, deptId }, stored }: Plan): Cells => {
  const records = recordsOf(all)
    .where('firstAt', '>=', from)
    .where('firstAt', '<', to)
    .$if(deptId !== undefined, (q) => q.where('warnRecord.deptId', 'in', deptsBelow(deptId ?? 0)))
  if (!stored) return countRecords(records)
  const begin = startOfDaySql(stored.fromDay)
  const end = startOfDaySql(stored.toDay)
  return countRecords(records.where((eb) => eb.or([eb('firstAt', '<', begin), eb('firstAt', '>=', end)])))
}

const hasRest = ({ period: { from, to }, stored }: Plan): boolean =>
  !stored ||
  wallClock(from).getTime() !== Date.parse(stored.fromDay) ||
  wallClock(to).getTime() !== Date.parse(stored.toDay)

const countChanged = ({ all, period: { deptId }, changed }: Plan): Cells =>
  countRecords(
    recordsOfKeys(all, changed).$if(deptId !== undefined, (q) =>
      q.where('warnRecord.deptId', 'in', deptsBelow(deptId ?? 0)),
    ),
  )

const selectStored = ({ all, period: { deptId }, stored, changed }: Plan): Cells =>
  all
    .selectFrom('alarmDay')
    .select(cellColumns)
    .where('day', '>=', stored?.fromDay ?? '')
    .where('day', '<', stored?.toDay ?? '')
    .$if(deptId !== undefined, (q) => q.where('alarmDay.deptId', 'in', deptsBelow(deptId ?? 0)))
    .$if(changed.length > 0, (q) =>
      q.where(sql<boolean>`(dept_id, coalesce(school_id, 0), day) not in (select * from ${unnestKeys(changed)})`),
    ) as unknown as Cells

/** The cells of the plan, each counted once. `hasTotals`: without days whose total is read. */
export const cellsOf = (plan: Plan, hasTotals: boolean): Cells | undefined => {
  const days = [...new Set(plan.changed.map(({ day }) => day))]
  const parts = [
    ...(plan.stored && !hasTotals ? [selectStored(plan)] : []),
    ...(plan.stored && hasTotals && days.length > 0
      ? [selectStored(plan).where(sql<boolean>`day = any(${days}::date[])`)]
      : []),
    ...(plan.changed.length > 0 ? [countChanged(plan)] : []),
    ...(hasRest(plan) ? [countRest(plan)] : []),
  ]
  const [first, ...more] = parts
  return first && more.reduce((union, part) => union.unionAll(part), first)
}
