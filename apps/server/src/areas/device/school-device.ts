import { schoolDevices } from '@tocsin/contract/device/school-device'
import { placePaths } from '#areas/school/place'
import type { Db } from '#db/db'
import { like } from '#db/like'
import { countUpTo } from '#db/page'
import { scoped } from '#db/scope'
import { type Route, route } from '#http/route'
import { pageOf } from '#http/window'

export const schoolDeviceRoutes = ({ db }: { db: Db }): Route[] => [
  route(schoolDevices.page, async ({ query, actor }) => {
    const { limit, offset } = pageOf(query)
    const seen = scoped(db, actor)
    const found = seen
      .selectFrom('schoolDevice')
      .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
      .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
      .innerJoin('school', 'school.id', 'schoolDevice.schoolId')
      .leftJoin('deviceState', 'deviceState.deviceId', 'schoolDevice.deviceId')
      .$if(!!query.keyword, (q) => q.where('device.sn', 'ilike', like(query.keyword ?? '')))
      .$if(query.schoolId !== undefined, (q) => q.where('schoolDevice.schoolId', '=', query.schoolId ?? 0))
    const [list, total] = await Promise.all([
      found
        .selectAll('schoolDevice')
        .select((eb) => [
          'device.sn',
          'deviceModel.name as modelName',
          'deviceModel.kind',
          'school.name as schoolName',
          eb.fn.coalesce('deviceState.connectivity', eb.val('NEVER_SEEN' as const)).as('connectivity'),
          'deviceState.lastSeenAt',
        ])
        .orderBy('schoolDevice.id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
      countUpTo(db, found.select('schoolDevice.id')),
    ])
    const paths = await placePaths(
      seen,
      list.map((row) => row.placeId),
    )
    return { list: list.map((row) => ({ ...row, placePath: paths.get(row.placeId) ?? '' })), ...total }
  }),
]
