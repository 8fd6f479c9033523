import { codes } from '@tocsin/contract/codes'
import { type SchoolQuery, schools } from '@tocsin/contract/school/school'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Route, route, type Caller } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { auditContactReads, maskContacts } from './contact.ts'

const rows = (db: AllTablesDb) =>
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
        eb.or([
          eb('school.name', 'ilike', likePattern(keyword ?? '')),
          eb('school.code', 'ilike', likePattern(keyword ?? '')),
        ]),
      ),
    )
    .$if(!!stage?.length, (q) => q.where('school.stage', 'in', stage ?? []))
    .$if(!!status?.length, (q) => q.where('school.status', 'in', status ?? []))

const getSchool = async (db: Db, who: Caller, id: number) => {
  const found = await rows(scoped(db, who.actor))
    .where('school.id', '=', id)
    .executeTakeFirstOrThrow(() => new BusinessError(codes.notFound, { what: '学校' }))
  await auditContactReads(db, who, { school: found, call: schools.get.path, filter: { id } })
  return { ...found, emergencyContacts: maskContacts(who.actor, found.emergencyContacts) }
}

export const schoolRoutes = ({ db }: { db: Db }): Route[] => [
  route(schools.page, async ({ query, actor }) => {
    const { limit, offset } = toOffsetLimit(query)
    const found = filtered(rows(scoped(db, actor)), query)
    const [list, total] = await Promise.all([
      found.orderBy('school.id', 'desc').limit(limit).offset(offset).execute(),
      countCapped(db, found.clearSelect().select('school.id')),
    ])
    return { list: list.map(({ geofence: _fence, emergencyContacts: _contacts, ...row }) => row), ...total }
  }),
  route(schools.get, ({ query, caller }) => getSchool(db, caller, query.id)),
  route(schools.simpleList, ({ actor }) =>
    scoped(db, actor).selectFrom('school').select(['id', 'name']).orderBy('name').limit(10_000).execute(),
  ),
]
