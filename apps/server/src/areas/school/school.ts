import { codes } from '@tocsin/contract/codes'
import { type SchoolQuery, schools } from '@tocsin/contract/school/school'
import type { AllDb, Db } from '#db/db'
import { like } from '#db/like'
import { countUpTo } from '#db/page'
import { scoped } from '#db/scope'
import { Refusal } from '#http/refusal'
import { type Route, route } from '#http/route'
import { pageOf } from '#http/window'

const rows = (db: AllDb) =>
  db
    .selectFrom('school')
    .leftJoin('dept as police', 'police.id', 'school.policeDeptId')
    .selectAll('school')
    .select('police.name as policeDeptName')
    .select((eb) =>
      eb.fn
        .coalesce(
          eb
            .selectFrom('schoolDevice')
            .whereRef('schoolDevice.schoolId', '=', 'school.id')
            .where('schoolDevice.validTo', 'is', null)
            .select((count) => count.fn.countAll<number>().as('n')),
          eb.lit(0),
        )
        .as('deviceCount'),
    )

const filtered = (from: ReturnType<typeof rows>, { keyword, stage, status }: SchoolQuery) =>
  from
    .$if(!!keyword, (q) =>
      q.where((eb) =>
        eb.or([eb('school.name', 'ilike', like(keyword ?? '')), eb('school.code', 'ilike', like(keyword ?? ''))]),
      ),
    )
    .$if(!!stage?.length, (q) => q.where('school.stage', 'in', stage ?? []))
    .$if(!!status?.length, (q) => q.where('school.status', 'in', status ?? []))

export const schoolRoutes = ({ db }: { db: Db }): Route[] => [
  route(schools.page, async ({ query, actor }) => {
    const { limit, offset } = pageOf(query)
    const found = filtered(rows(scoped(db, actor)), query)
    const [list, total] = await Promise.all([
      found.orderBy('school.id', 'desc').limit(limit).offset(offset).execute(),
      countUpTo(db, found.clearSelect().select('school.id')),
    ])
    return { list, ...total }
  }),
  route(schools.get, ({ query, actor }) =>
    rows(scoped(db, actor))
      .where('school.id', '=', query.id)
      .executeTakeFirstOrThrow(() => new Refusal(codes.notFound, { what: '学校' })),
  ),
  route(schools.simpleList, ({ actor }) =>
    scoped(db, actor).selectFrom('school').select(['id', 'name']).orderBy('name').limit(10_000).execute(),
  ),
]
