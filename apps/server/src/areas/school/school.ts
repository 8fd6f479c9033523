import { codes } from '@tocsin/contract/codes'
import { type SchoolQuery, schools } from '@tocsin/contract/school/school'
import { schoolEdits } from '@tocsin/contract/school/school-edits'
import { exportRoutes } from '#areas/audit/export-routes'
import { importRoutes } from '#areas/files/import/routes'
import type { Db } from '#db/db'
import { countCapped } from '#db/page'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Actor, type Route, route, type Caller } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { auditContactReads, maskContacts } from './contact/contact.ts'
import { createSchool, deleteSchool, updateSchool } from './school-edit.ts'
import { schoolExport } from './school-export.ts'
import { schoolImporter } from './school-importer.ts'
import { listSchoolOptions } from './school-options.ts'
import { filterSchools, orderSchools, schoolRows, selectSchool, selectSchoolDetail } from './school-rows.ts'
import { changeSchoolStatus } from './school-status.ts'

const getSchool = async (db: Db, caller: Caller, id: number) => {
  const found = await selectSchoolDetail(schoolRows(scoped(db, caller.actor)), caller.actor)
    .where('school.id', '=', id)
    .executeTakeFirstOrThrow(() => new BusinessError(codes.notFound, { what: '学校' }))
  await auditContactReads(db, caller, { school: found, call: schools.get.path, filter: { id } })
  return { ...found, emergencyContacts: maskContacts(caller.actor, found.emergencyContacts) }
}

export const pageSchools = async (db: Db, actor: Actor, query: SchoolQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const found = filterSchools(schoolRows(scoped(db, actor)), actor, query)
  const [list, total] = await Promise.all([
    orderSchools(selectSchool(found, actor), query.orderBy).limit(limit).offset(offset).execute(),
    countCapped(db, found.select('school.id')),
  ])
  return { list: list.map(({ geofence: _fence, emergencyContacts: _contacts, ...row }) => row), ...total }
}

export const schoolRoutes = ({ db }: { db: Db }): Route[] => [
  route(schools.page, ({ query, actor }) => pageSchools(db, actor, query)),
  route(schools.get, ({ query, caller }) => getSchool(db, caller, query.id)),
  route(schools.simpleList, ({ actor }) =>
    scoped(db, actor).selectFrom('school').select(['id', 'name']).orderBy('name').limit(10_000).execute(),
  ),
  route(schoolEdits.options, ({ actor }) => listSchoolOptions(db, actor)),
  route(schoolEdits.create, ({ body, caller }) => createSchool(db, body, caller)),
  route(schoolEdits.update, ({ body, caller }) => updateSchool(db, body, caller)),
  route(schoolEdits.delete, ({ query, caller }) => deleteSchool(db, query.id, caller)),
  route(schoolEdits.activate, ({ body, caller }) => changeSchoolStatus(db, { verb: 'activate', ...body }, caller)),
  route(schoolEdits.suspend, ({ body, caller }) => changeSchoolStatus(db, { verb: 'suspend', ...body }, caller)),
  route(schoolEdits.resume, ({ body, caller }) => changeSchoolStatus(db, { verb: 'resume', ...body }, caller)),
  route(schoolEdits.close, ({ body, caller }) => changeSchoolStatus(db, { verb: 'close', ...body }, caller)),
  ...exportRoutes(db, schoolExport),
  ...importRoutes(db, schoolImporter),
]
