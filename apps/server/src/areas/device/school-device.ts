import { codes } from '@tocsin/contract/codes'
import { schoolDevices } from '@tocsin/contract/device/school-device'
import { placePaths } from '#areas/school/place'
import type { AllDb, Db } from '#db/db'
import { like } from '#db/like'
import { countUpTo } from '#db/page'
import { scoped } from '#db/scope'
import { Refusal } from '#http/refusal'
import { type Route, route } from '#http/route'
import { pageOf } from '#http/window'
import { connectivity } from './connectivity.ts'

const rows = (seen: AllDb) =>
  seen
    .selectFrom('schoolDevice')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .innerJoin('school', 'school.id', 'schoolDevice.schoolId')
    .leftJoin('deviceState', 'deviceState.deviceId', 'schoolDevice.deviceId')

const shown = (found: ReturnType<typeof rows>) =>
  found
    .selectAll('schoolDevice')
    .select([
      'device.sn',
      'deviceModel.name as modelName',
      'deviceModel.kind',
      'school.name as schoolName',
      connectivity.as('connectivity'),
      'deviceState.lastSeenAt',
    ])

type Found = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>

const withPlaces = async (seen: AllDb, found: Found) => {
  const paths = await placePaths(
    seen,
    found.map(({ placeId }) => placeId),
  )
  return found.map((row) => ({ ...row, placePath: paths.get(row.placeId) ?? '' }))
}

export const schoolDeviceRoutes = ({ db }: { db: Db }): Route[] => [
  route(schoolDevices.page, async ({ query, actor }) => {
    const { limit, offset } = pageOf(query)
    const seen = scoped(db, actor)
    const found = rows(seen)
      .$if(!!query.keyword, (q) => q.where('device.sn', 'ilike', like(query.keyword ?? '')))
      .$if(query.schoolId !== undefined, (q) => q.where('schoolDevice.schoolId', '=', query.schoolId ?? 0))
    const [list, total] = await Promise.all([
      shown(found).orderBy('schoolDevice.id', 'desc').limit(limit).offset(offset).execute(),
      countUpTo(db, found.select('schoolDevice.id')),
    ])
    return { list: await withPlaces(seen, list), ...total }
  }),
  route(schoolDevices.get, async ({ query, actor }) => {
    const seen = scoped(db, actor)
    const found = await shown(rows(seen).where('schoolDevice.id', '=', query.id)).execute()
    const [row] = await withPlaces(seen, found)
    if (!row) throw new Refusal(codes.notFound, { what: '设备' })
    return row
  }),
]
