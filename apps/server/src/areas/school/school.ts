import { codes } from '@tocsin/contract/codes'
import { type SchoolQuery, schools } from '@tocsin/contract/school/school'
import type { Who } from '#areas/system/edit'
import type { AllDb, Db } from '#db/db'
import { like } from '#db/like'
import { countUpTo } from '#db/page'
import { scoped } from '#db/scope'
import { Refusal } from '#http/refusal'
import { type Route, route } from '#http/route'
import { pageOf } from '#http/window'
import { recordContacts, shownContacts } from './contact.ts'

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

const getSchool = async (db: Db, who: Who, id: number) => {
  const found = await rows(scoped(db, who.actor))
    .where('school.id', '=', id)
    .executeTakeFirstOrThrow(() => new Refusal(codes.notFound, { what: '学校' }))
  await recordContacts(db, who, { school: found, call: schools.get.path, filter: { id } })
  return { ...found, emergencyContacts: shownContacts(who.actor, found.emergencyContacts) }
}

export const schoolRoutes = ({ db }: { db: Db }): Route[] => [
  route(schools.page, async ({ query, actor }) => {
    const { limit, offset } = pageOf(query)
    const found = filtered(rows(scoped(db, actor)), query)
    const [list, total] = await Promise.all([
      found.orderBy('school.id', 'desc').limit(limit).offset(offset).execute(),
      countUpTo(db, found.clearSelect().select('school.id')),
    ])
    return { list: list.map(({ geofence: _fence, emergencyContacts: _contacts, ...row }) => row), ...total }
  }),
  route(schools.get, ({ query, actor, origin }) => getSchool(db, { actor, origin }, query.id)),
  route(schools.simpleList, ({ actor }) =>
    scoped(db, actor).selectFrom('school').select(['id', 'name']).orderBy('name').limit(10_000).execute(),
  ),
]
