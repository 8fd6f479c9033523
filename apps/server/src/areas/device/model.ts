import { deviceModels } from '@tocsin/contract/device/model'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { type Route, route } from '#http/route'
import { toOffsetLimit } from '#http/time-window'

export const modelRoutes = ({ db }: { db: Db }): Route[] => [
  route(deviceModels.page, async ({ query }) => {
    const { limit, offset } = toOffsetLimit(query)
    const text = likePattern(query.keyword ?? '')
    const found = db
      .selectFrom('deviceModel')
      .where((eb) => eb.or([eb('vendor', 'ilike', text), eb('name', 'ilike', text)]))
    const [list, total] = await Promise.all([
      found.selectAll().orderBy('vendor').orderBy('name').limit(limit).offset(offset).execute(),
      countCapped(db, found.select('id')),
    ])
    return { list, ...total }
  }),
]
