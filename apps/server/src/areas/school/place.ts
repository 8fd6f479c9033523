import { places } from '@tocsin/contract/school/place'
import { sql } from 'kysely'
import type { AllDb, Db } from '#db/db'
import { scoped } from '#db/scope'
import { type Route, route } from '#http/route'

/**
 * Paths of places like `教学楼 / 3层 / 301室`, the campus left out, by place id.
 * @param db a handle whose sight covers the places.
 */
export const placePaths = async (db: AllDb, ids: readonly number[]): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map()
  const found = await db
    .withRecursive('up', (qb) =>
      qb
        .selectFrom('place')
        .where('id', 'in', ids)
        .select(['id as leaf', 'parentId', 'kind', 'name', sql<number>`0`.as('depth')])
        .unionAll((parent) =>
          parent
            .selectFrom('place')
            .innerJoin('up', 'up.parentId', 'place.id')
            .select(['up.leaf', 'place.parentId', 'place.kind', 'place.name', sql<number>`up.depth + 1`.as('depth')]),
        ),
    )
    .selectFrom('up')
    .select([
      'leaf',
      sql<string>`string_agg(name, ' / ' order by depth desc) filter (where kind <> 'CAMPUS')`.as('path'),
    ])
    .groupBy('leaf')
    .execute()
  return new Map(found.map(({ leaf, path }) => [leaf, path ?? '']))
}

export const placeRoutes = ({ db }: { db: Db }): Route[] => [
  route(places.list, ({ query, actor }) =>
    scoped(db, actor)
      .selectFrom('place')
      .selectAll()
      .where('schoolId', '=', query.schoolId)
      .orderBy('sort')
      .orderBy('id')
      .limit(5000)
      .execute(),
  ),
]
