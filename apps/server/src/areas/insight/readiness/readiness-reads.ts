import { codes } from '@tocsin/contract/codes'
import {
  LOW_READINESS,
  type ReadinessQuery,
  type ReadinessReason,
  type SchoolReadinessDetail,
  TREND_DAYS,
} from '@tocsin/contract/insight/readiness'
import { zone } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import { loadPlacePaths } from '#areas/school/place'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'

const CHANGE_DAYS = 30

const today = () => sql<string>`(now() at time zone ${zone.name})::date`

const schoolScores = (visible: AllTablesDb) =>
  visible
    .selectFrom('schoolReadiness')
    .innerJoin('school', 'school.id', 'schoolReadiness.schoolId')
    .innerJoin('dept as own', 'own.id', 'school.deptId')
    .leftJoin('dept as district', 'district.id', 'own.parentId')

/** Against the value of 30 days before, or the nearest older one. */
const selectSchools = (found: ReturnType<typeof schoolScores>) =>
  found.selectAll('schoolReadiness').select((eb) => [
    'school.name as schoolName',
    'district.name as districtName',
    eb(
      'schoolReadiness.score',
      '-',
      eb
        .selectFrom('schoolReadinessDay as past')
        .whereRef('past.schoolId', '=', 'schoolReadiness.schoolId')
        .where('past.day', '<=', sql<string>`${today()} - ${sql.lit(CHANGE_DAYS)}`)
        .orderBy('past.day', 'desc')
        .limit(1)
        .select('past.score')
        .$asScalar(),
    )
      .$castTo<number | null>()
      .as('change'),
  ])

const order: ListOrder<ReadinessQuery> = {
  columns: {
    schoolName: { by: sql`school.name` },
    score: { by: sql`school_readiness.score`, nullable: true },
    devices: { by: sql`school_readiness.devices` },
  },
  usual: sql`school_readiness.score, school_readiness.school_id`,
  id: sql`school_readiness.school_id`,
}

export const pageReadiness = async (db: Db, actor: Actor, query: ReadinessQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const { keyword, districtId, low } = query
  const found = schoolScores(scoped(db, actor))
    .$if(!!keyword, (q) => q.where('school.name', 'ilike', likePattern(keyword ?? '')))
    .$if(districtId !== undefined, (q) => q.where('own.parentId', '=', districtId ?? 0))
    .$if(low !== undefined, (q) =>
      q.where((eb) => {
        const isLow = eb.or([eb('schoolReadiness.score', '<', LOW_READINESS), eb('schoolReadiness.low', '>', 0)])
        return low ? isLow : eb.not(isLow)
      }),
    )
  const [list, total] = await Promise.all([
    selectSchools(found).orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute(),
    countCapped(db, found.select('schoolReadiness.schoolId')),
  ])
  return { list, ...total }
}

/** Rows of the devices of a school that the actor may see. */
const listDevices = async (visible: AllTablesDb, schoolId: number) => {
  const rows = await visible
    .selectFrom('deviceReadiness')
    .innerJoin('device', 'device.id', 'deviceReadiness.deviceId')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .innerJoin('schoolDevice', (join) =>
      join.onRef('schoolDevice.deviceId', '=', 'device.id').on('schoolDevice.validTo', 'is', null),
    )
    .select((eb) => [
      'deviceReadiness.deviceId',
      'deviceReadiness.score',
      'deviceReadiness.reasons',
      'device.sn',
      'deviceModel.name as modelName',
      'schoolDevice.placeId',
      eb
        .selectFrom('maintenanceOrder')
        .whereRef('maintenanceOrder.deviceId', '=', 'deviceReadiness.deviceId')
        .where('maintenanceOrder.state', 'not in', ['VERIFIED', 'CANCELLED'])
        .select(({ fn }) => fn.min('maintenanceOrder.id').as('id'))
        .$asScalar()
        .$castTo<number | null>()
        .as('orderId'),
    ])
    .where('deviceReadiness.schoolId', '=', schoolId)
    .orderBy('deviceReadiness.score')
    .orderBy('deviceReadiness.deviceId')
    .execute()
  const paths = await loadPlacePaths(
    visible,
    rows.map(({ placeId }) => placeId),
  )
  return rows.map(({ placeId, ...row }) => ({ ...row, placePath: paths.get(placeId) ?? '' }))
}

export const getReadiness = async (db: Db, actor: Actor, schoolId: number): Promise<SchoolReadinessDetail> => {
  const visible = scoped(db, actor)
  const school = await selectSchools(schoolScores(visible))
    .where('schoolReadiness.schoolId', '=', schoolId)
    .executeTakeFirst()
  if (!school) throw new BusinessError(codes.notFound, { what: '就绪度' })
  const [days, deviceList] = await Promise.all([
    visible
      .selectFrom('schoolReadinessDay')
      .select(['day', 'score', 'weightsVersion'])
      .where('schoolId', '=', schoolId)
      .where('day', '>', sql<string>`${today()} - ${sql.lit(TREND_DAYS)}`)
      .orderBy('day')
      .execute(),
    listDevices(visible, schoolId),
  ])
  return { ...school, days, deviceList }
}

const WORST = 3
type Subject = { schoolId?: number | undefined; deviceId?: number | undefined }

/** The reasons of a badge; the score is null while there is none. */
export const getWorst = async (db: Db, actor: Actor, { schoolId, deviceId }: Subject) => {
  const visible = scoped(db, actor)
  const found =
    deviceId === undefined
      ? await visible
          .selectFrom('schoolReadiness')
          .select(['score', 'reasons'])
          .where('schoolId', '=', schoolId ?? 0)
          .executeTakeFirst()
      : await visible
          .selectFrom('deviceReadiness')
          .select(['score', 'reasons'])
          .where('deviceId', '=', deviceId)
          .executeTakeFirst()
  const reasons = (found?.reasons ?? []).slice(0, WORST)
  return {
    score: found?.score ?? null,
    reasons: reasons.map(({ code, points, value }: ReadinessReason) => ({ code, points, value })),
  }
}
