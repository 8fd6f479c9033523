import { warnClasses } from '@tocsin/contract/alarm-class'
import { codes } from '@tocsin/contract/codes'
import type {
  BuiltInProcedure,
  ProcedureCoverage,
  ProcedureDetail,
  ProcedureQuery,
} from '@tocsin/contract/device/procedure/procedure'
import { procedureStatuses } from '@tocsin/contract/device/procedure/procedure-machine'
import { sql } from 'kysely'
import type { Db, UnscopedDb } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { byWord, type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { builtInResponses } from './built-in-response.ts'
import { builtInWork } from './built-in-work.ts'

export const PROCEDURE_NAME = '规程'

export const builtInProcedures: readonly BuiltInProcedure[] = [...builtInResponses, ...builtInWork]

const names = (db: Db) => unscoped(db, 'names of the editors of rules that everybody reads')
const nicknameOf = (_all: UnscopedDb, column: string) =>
  sql<string | null>`(select nickname from users where users.id = ${sql.ref(column)})`

const findProcedures = (db: Db, query: Partial<ProcedureQuery>) => {
  const { keyword, kind, class: classes, work, status } = query
  const text = likePattern(keyword ?? '')
  return db
    .selectFrom('procedure')
    .$if(!!keyword, (q) =>
      q.where((eb) => eb.or([eb('procedure.name', 'ilike', text), eb('procedure.nameEn', 'ilike', text)])),
    )
    .$if(!!kind?.length, (q) => q.where('procedure.kind', 'in', kind ?? []))
    .$if(!!classes?.length, (q) => q.where('procedure.class', 'in', classes ?? []))
    .$if(!!work?.length, (q) => q.where('procedure.work', 'in', work ?? []))
    .$if(!!status?.length, (q) => q.where('procedure.status', 'in', status ?? []))
}

/** Runs of the last 30 days that the reader sees. */
const countRuns = async (db: Db, actor: Actor, ids: readonly number[]): Promise<Map<number, number>> => {
  if (ids.length === 0) return new Map()
  const rows = await scoped(db, actor)
    .selectFrom('procedureRun')
    .select(['procedureRun.procedureId', (eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count')])
    .where('procedureRun.procedureId', 'in', [...ids])
    .$if(!hasPermission(actor)('warn:record:query'), (q) => q.where('procedureRun.kind', '=', 'WORK'))
    .where('procedureRun.startedAt', '>', sql<Date>`now() - interval '30 days'`)
    .groupBy('procedureRun.procedureId')
    .execute()
  return new Map(rows.map(({ procedureId, count }) => [procedureId, count]))
}

const order: ListOrder<ProcedureQuery> = {
  columns: {
    name: { by: sql`procedure.name` },
    status: { by: byWord(sql`procedure.status`, procedureStatuses) },
    publishedAt: { by: sql`procedure.published_at`, nullable: true },
    updateTime: { by: sql`procedure.update_time` },
  },
  usual: sql`procedure.status = 'RETIRED', procedure.kind, procedure.name, procedure.id`,
  id: sql`procedure.id`,
}

const selectRows = (db: Db, found: ReturnType<typeof findProcedures>, orderBy?: ProcedureQuery['orderBy']) =>
  found
    .selectAll('procedure')
    .select(nicknameOf(names(db), 'procedure.edited_by').as('editedByName'))
    .orderBy(toOrderBy(orderBy, order))

export const pageProcedures = async (db: Db, actor: Actor, query: ProcedureQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const found = findProcedures(db, query)
  const [rows, total] = await Promise.all([
    selectRows(db, found, query.orderBy).limit(limit).offset(offset).execute(),
    countCapped(db, found.select('procedure.id')),
  ])
  const runs = await countRuns(
    db,
    actor,
    rows.map(({ id }) => id),
  )
  return { list: rows.map((row) => ({ ...row, runs: runs.get(row.id) ?? 0 })), ...total }
}

export const getProcedure = async (db: Db, actor: Actor, id: number): Promise<ProcedureDetail> => {
  const row = await selectRows(db, findProcedures(db, {}).where('procedure.id', '=', id)).executeTakeFirst()
  if (!row) throw new BusinessError(codes.notFound, { what: PROCEDURE_NAME })
  const all = names(db)
  const versions = await all
    .selectFrom('procedureVersion')
    .selectAll()
    .select([
      nicknameOf(all, 'procedure_version.drafted_by').as('draftedByName'),
      nicknameOf(all, 'procedure_version.published_by').as('publishedByName'),
    ])
    .where('procedureId', '=', id)
    .orderBy('no', 'desc')
    .execute()
  return { ...row, runs: (await countRuns(db, actor, [id])).get(id) ?? 0, versions }
}

const levels = [1, 2, 3, 4] as const

/** A cell is covered by a plan that applies all day at every kind of place. */
export const getCoverage = async (db: Db): Promise<ProcedureCoverage> => {
  const plans = await db
    .selectFrom('procedure')
    .innerJoin('procedureVersion', (join) =>
      join
        .onRef('procedureVersion.procedureId', '=', 'procedure.id')
        .onRef('procedureVersion.no', '=', 'procedure.versionNo'),
    )
    .select(['procedure.id', 'procedureVersion.name', 'procedureVersion.nameEn'])
    .select(['procedureVersion.class', 'procedureVersion.levels'])
    .where('procedure.status', '=', 'PUBLISHED')
    .where('procedure.kind', '=', 'RESPONSE')
    .where(sql<boolean>`cardinality(procedure_version.place_kinds) = 0`)
    .where('procedureVersion.fromMin', 'is', null)
    .orderBy(sql`cardinality(procedure_version.levels) = 0`)
    .orderBy('procedure.id', 'desc')
    .execute()
  return {
    cells: warnClasses.flatMap((warnClass) =>
      levels.map((level) => {
        const plan = plans.find(
          ({ class: of, levels: at }) => of === warnClass && (at.length === 0 || at.includes(level)),
        )
        return {
          class: warnClass,
          level,
          procedureId: plan?.id ?? null,
          name: plan?.name ?? null,
          nameEn: plan?.nameEn ?? null,
        }
      }),
    ),
  }
}
