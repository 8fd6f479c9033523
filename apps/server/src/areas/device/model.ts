import { deviceModels } from '@tocsin/contract/device/model'
import type { Db } from '#db/db'
import { like } from '#db/like'
import { countUpTo } from '#db/page'
import { type Route, route } from '#http/route'
import { pageOf } from '#http/window'

export const modelRoutes = ({ db }: { db: Db }): Route[] => [
  route(deviceModels.page, async ({ query }) => {
    const { limit, offset } = pageOf(query)
    const text = like(query.keyword ?? '')
    const found = db
      .selectFrom('deviceModel')
      .where((eb) => eb.or([eb('vendor', 'ilike', text), eb('name', 'ilike', text)]))
    const [list, total] = await Promise.all([
      found.selectAll().orderBy('vendor').orderBy('name').limit(limit).offset(offset).execute(),
      countUpTo(db, found.select('id')),
    ])
    return { list, ...total }
  }),
]
