import { codes } from '@tocsin/contract/codes'
import type {
  RolloutDetail,
  RolloutDeviceQuery,
  RolloutFigures,
  RolloutQuery,
  RolloutRow,
} from '@tocsin/contract/device/rollout/rollout'
import { badShare, rolloutStates } from '@tocsin/contract/device/rollout/rollout-machine'
import { sql } from 'kysely'
import type { AllTablesDb, Db, UnscopedDb } from '#db/db'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { byWord, type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { getSetting } from '#settings/settings-cache'
import { type Freeze, loadFreezes, loadLocalTime, toMoment } from './freeze.ts'
import { countUnseen, visibleRollouts } from './rollout-sight.ts'

export const ROLLOUT_NAME = '升级'

/** Counts of all devices decide over all schools; rows are read with the visibility of the reader. */
const counts = (db: Db) => unscoped(db, 'counts of a rollout over all schools')

type Counted = { rolloutId: number; ring: number } & Record<
  'total' | 'ended' | 'updated' | 'failed' | 'offline' | 'started',
  number
>

const countDevices = async (db: Db, ids: readonly number[]): Promise<Counted[]> => {
  if (ids.length === 0) return []
  const { rows } = await sql<Counted>`
    select d.rollout_id as "rolloutId", d.ring, count(*)::int4 as total,
      (count(*) filter (where d.state in ('UPDATED', 'FAILED', 'ROLLED_BACK')))::int4 as ended,
      (count(*) filter (where d.state = 'UPDATED'))::int4 as updated,
      (count(*) filter (where d.state = 'FAILED'))::int4 as failed,
      (count(*) filter (where d.state <> 'QUEUED'))::int4 as started,
      (count(*) filter (where d.state not in ('QUEUED', 'FAILED', 'ROLLED_BACK') and s.connectivity = 'OFFLINE'))::int4
        as offline
    from rollout_device d left join device_state s on s.device_id = d.device_id
    where d.rollout_id = any(${ids})
    group by d.rollout_id, d.ring order by d.ring`.execute(counts(db))
  return rows
}

const sum = (rows: readonly Counted[], key: Exclude<keyof Counted, 'rolloutId' | 'ring'>): number =>
  rows.reduce((total, row) => total + row[key], 0)

const toFigures = (rows: readonly Counted[]): RolloutFigures => {
  const [started, failed, offline] = [sum(rows, 'started'), sum(rows, 'failed'), sum(rows, 'offline')]
  return {
    total: sum(rows, 'total'),
    ended: sum(rows, 'ended'),
    updated: sum(rows, 'updated'),
    failed,
    offline,
    started,
    badPct: Math.round(badShare({ started, failed, offline }) * 10) / 10,
    rings: rows.map(({ ring, total, ended }) => ({ ring, total, ended })),
  }
}

export const loadFigures = async (db: Db, id: number): Promise<RolloutFigures> =>
  toFigures(await countDevices(db, [id]))

const nameOf = (_all: UnscopedDb, column: string) =>
  sql<string | null>`(select nickname from users where users.id = ${sql.ref(column)})`

const findRollouts = (db: Db, actor: Actor, { state, kind, modelId }: Partial<RolloutQuery>) =>
  visibleRollouts(db, actor)
    .innerJoin('programPackage', 'programPackage.id', 'rollout.packageId')
    .innerJoin('deviceModel', 'deviceModel.id', 'rollout.modelId')
    .$if(!!state?.length, (q) => q.where('rollout.state', 'in', state ?? []))
    .$if(!!kind?.length, (q) => q.where('rollout.kind', 'in', kind ?? []))
    .$if(modelId !== undefined, (q) => q.where('rollout.modelId', '=', modelId ?? 0))

const order: ListOrder<RolloutQuery> = {
  columns: {
    name: { by: sql`rollout.name` },
    modelName: { by: sql`device_model.name` },
    state: { by: byWord(sql`rollout.state`, rolloutStates) },
    startedAt: { by: sql`rollout.started_at`, nullable: true },
    createTime: { by: sql`rollout.create_time` },
  },
  usual: sql`rollout.state in ('COMPLETED', 'HALTED'), rollout.id desc`,
  id: sql`rollout.id`,
}

const selectRows = (db: Db, found: ReturnType<typeof findRollouts>, orderBy?: RolloutQuery['orderBy']) => {
  const all = unscoped(db, 'names of people who created and approved rollouts')
  return found
    .selectAll('rollout')
    .select(['programPackage.release', 'deviceModel.name as modelName'])
    .select([nameOf(all, 'rollout.creator').as('creatorName'), nameOf(all, 'rollout.approved_by').as('approvedByName')])
    .orderBy(toOrderBy(orderBy, order))
}

const withFigures = async <R extends { id: number }>(db: Db, actor: Actor, rows: readonly R[]) => {
  const ids = rows.map(({ id }) => id)
  const [counted, unseen] = await Promise.all([countDevices(db, ids), countUnseen(db, actor, ids)])
  return rows.map((row) => ({
    ...row,
    figures: toFigures(counted.filter(({ rolloutId }) => rolloutId === row.id)),
    unseen: unseen.get(row.id) ?? 0,
  }))
}

export const pageRollouts = async (db: Db, actor: Actor, query: RolloutQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const found = findRollouts(db, actor, query)
  const [rows, total] = await Promise.all([
    selectRows(db, found, query.orderBy).limit(limit).offset(offset).execute(),
    countCapped(db, found.select('rollout.id')),
  ])
  const list: RolloutRow[] = await withFigures(db, actor, rows)
  return { list, ...total }
}

type Frozen = Pick<RolloutDetail, 'frozen' | 'resumesAt'>
const RUNS: Frozen = { frozen: null, resumesAt: null }

/** The freeze that ends first, when every school has one. */
const firstToEnd = (freezes: readonly (Freeze | null)[]): Freeze | undefined => {
  if (freezes.includes(null)) return undefined
  const order = ({ until }: Freeze) => Date.parse(`${until.day}T00:00:00Z`) + until.minute
  return freezes.filter((freeze) => freeze !== null).toSorted((a, b) => order(a) - order(b))[0]
}

/** Why nothing would start now: by the setting, or because all waiting schools have class or exams. */
const findFreeze = async (db: Db, { id, state, ring }: Pick<RolloutRow, 'id' | 'state' | 'ring'>): Promise<Frozen> => {
  if (state !== 'RING') return RUNS
  if ((await getSetting(db, 'ota.freeze')) === 'true') return { frozen: 'MANUAL', resumesAt: null }
  const waiting = await counts(db)
    .selectFrom('rolloutDevice')
    .innerJoin('device', 'device.id', 'rolloutDevice.deviceId')
    .select('device.schoolId')
    .distinct()
    .where('rolloutDevice.rolloutId', '=', id)
    .where('rolloutDevice.ring', '<=', ring)
    .where('rolloutDevice.state', '=', 'QUEUED')
    .execute()
  const freezes = await loadFreezes(
    db,
    waiting.flatMap(({ schoolId }) => schoolId ?? []),
    await loadLocalTime(db),
  )
  const first = firstToEnd(waiting.map(({ schoolId }) => (schoolId === null ? null : (freezes.get(schoolId) ?? null))))
  return first ? { frozen: first.reason, resumesAt: await toMoment(db, first.until) } : RUNS
}

export const getRollout = async (db: Db, actor: Actor, id: number): Promise<RolloutDetail> => {
  const rows = await selectRows(db, findRollouts(db, actor, {}).where('rollout.id', '=', id)).execute()
  const [row] = await withFigures(db, actor, rows)
  if (!row) throw new BusinessError(codes.notFound, { what: ROLLOUT_NAME })
  return { ...row, ...(await findFreeze(db, row)) }
}

const namesOf = (db: AllTablesDb) => unscoped(db, 'names on devices that were read within the visibility of the caller')

const deviceOrder: ListOrder<RolloutDeviceQuery> = {
  columns: {
    sn: { by: sql`device.sn` },
    ring: { by: sql`rollout_device.ring` },
    changedAt: { by: sql`rollout_device.changed_at` },
  },
  usual: sql`rollout_device.state <> 'FAILED', rollout_device.ring, rollout_device.id`,
  id: sql`rollout_device.id`,
}

export const pageRolloutDevices = async (db: Db, actor: Actor, query: RolloutDeviceQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const found = scoped(db, actor)
    .selectFrom('rolloutDevice')
    .innerJoin('device', 'device.id', 'rolloutDevice.deviceId')
    .where('rolloutDevice.rolloutId', '=', query.rolloutId)
    .$if(!!query.state?.length, (q) => q.where('rolloutDevice.state', 'in', query.state ?? []))
  const schoolOf = (_all: UnscopedDb) =>
    sql<string | null>`(select name from school where school.id = device.school_id)`
  const all = namesOf(scoped(db, actor))
  const [list, total] = await Promise.all([
    found
      .selectAll('rolloutDevice')
      .select(['device.sn', schoolOf(all).as('schoolName')])
      .orderBy(toOrderBy(query.orderBy, deviceOrder))
      .limit(limit)
      .offset(offset)
      .execute(),
    countCapped(db, found.select('rolloutDevice.id')),
  ])
  return { list, ...total }
}
