import { maskMobile } from '@tocsin/contract/access/user-contact'
import { codes } from '@tocsin/contract/codes'
import {
  CERT_WARNING_DAYS,
  type EmployeeOptionQuery,
  type EmployeeQuery,
  type EmployeeRow,
  REVEAL_EMPLOYEES_PERMISSION,
} from '@tocsin/contract/school/employee'
import { employees } from '@tocsin/contract/school/employee-calls'
import { sql } from 'kysely'
import { auditPersonalRead } from '#areas/audit/access-audit'
import { checkPersonalVersion } from '#areas/audit/edit-transaction'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { type Actor, type Caller, hasPermission } from '#http/route'
import { toOffsetLimit } from '#http/time-window'

const isCertDue = sql<boolean>`coalesce(
  employee.cert_expires_on <= current_date + ${sql.lit(CERT_WARNING_DAYS)}::int and employee.status <> 'LEFT', false)`

export const employeeRows = (seen: AllTablesDb) =>
  seen
    .selectFrom('employee')
    .innerJoin('dept', 'dept.id', 'employee.deptId')
    .leftJoin('school', 'school.id', 'employee.schoolId')
    .leftJoin('users', 'users.id', 'employee.userId')

export const selectEmployeeRow = (found: ReturnType<typeof employeeRows>) =>
  found.selectAll('employee').select([
    'school.name as schoolName',
    'dept.name as deptName',
    'users.username',
    'users.enabled as accountEnabled',
    isCertDue.as('certDue'),
    sql<Date | null>`(select told.noticed_at from employee_cert_notice told
        where told.employee_id = employee.id and told.expires_on = employee.cert_expires_on)`.as('certNoticedAt'),
    sql<number[]>`array(select es.school_id from employee_school es where es.employee_id = employee.id
        order by es.school_id)`.as('schoolIds'),
  ])

type Own = Pick<EmployeeRow, 'userId' | 'mobile'>

/** A person for this reader; the own number is never masked. */
export const maskEmployee = <R extends Own>(actor: Actor, row: R): R => {
  const isClear = row.userId === actor.userId || hasPermission(actor)(REVEAL_EMPLOYEES_PERMISSION)
  return isClear || row.mobile === null ? row : { ...row, mobile: maskMobile(row.mobile) }
}

/** Readers of masks search masks, or the whole number: searching parts would reveal it. */
const hasMobile = (actor: Actor, text: string) =>
  hasPermission(actor)(REVEAL_EMPLOYEES_PERMISSION)
    ? sql<boolean>`employee.mobile like ${likePattern(text)}`
    : sql<boolean>`(overlay(employee.mobile placing '****' from 4 for 4) like ${likePattern(text)}
        or employee.mobile = ${text})`

export const filterEmployees = (
  from: ReturnType<typeof employeeRows>,
  actor: Actor,
  { keyword, schoolId, kind, status, certDue, hasAccount }: EmployeeQuery,
) =>
  from
    .$if(!!keyword, (q) =>
      q.where((eb) =>
        eb.or([
          eb('employee.name', 'ilike', likePattern(keyword ?? '')),
          eb('employee.employeeNo', 'ilike', likePattern(keyword ?? '')),
          ...(/^[\d*]+$/.test(keyword ?? '') ? [hasMobile(actor, keyword ?? '')] : []),
        ]),
      ),
    )
    .$if(schoolId !== undefined, (q) =>
      q.where(
        sql<boolean>`(employee.school_id = ${schoolId} or exists (select from employee_school es
          where es.employee_id = employee.id and es.school_id = ${schoolId}))`,
      ),
    )
    .$if(!!kind?.length, (q) => q.where('employee.kind', 'in', kind ?? []))
    .$if(!!status?.length, (q) => q.where('employee.status', 'in', status ?? []))
    .$if(certDue !== undefined, (q) => q.where(isCertDue, '=', certDue ?? false))
    .$if(hasAccount !== undefined, (q) => q.where('employee.userId', hasAccount ? 'is not' : 'is', null))

const order: ListOrder<EmployeeQuery> = {
  columns: {
    name: { by: sql`employee.name` },
    employeeNo: { by: sql`employee.employee_no` },
    // As the column shows it: the school, or the organization of a person without one.
    deptName: { by: sql`coalesce(school.name, dept.name)` },
    certExpiresOn: { by: sql`employee.cert_expires_on`, nullable: true },
  },
  usual: sql`school.name, dept.name, employee.name, employee.id`,
  id: sql`employee.id`,
}

/** As chosen; else by school, then by name. */
export const orderEmployees = (found: ReturnType<typeof selectEmployeeRow>, orderBy: EmployeeQuery['orderBy']) =>
  found.orderBy(toOrderBy(orderBy, order))

type Read = { call: string; filter: Record<string, unknown>; rows: readonly EmployeeRow[] }

/** Audits the read of unmasked numbers before the response. */
const auditReads = async (db: Db, caller: Caller, { call, filter, rows }: Read) => {
  const ids = rows.filter(({ mobile, userId }) => mobile !== null && userId !== caller.actor.userId).map(({ id }) => id)
  if (ids.length === 0 || !hasPermission(caller.actor)(REVEAL_EMPLOYEES_PERMISSION)) return
  await auditPersonalRead(db, caller, { action: REVEAL_EMPLOYEES_PERMISSION, subject: 'employee', call, filter, ids })
}

export const employeePage = async (db: Db, query: EmployeeQuery, caller: Caller) => {
  const { limit, offset } = toOffsetLimit(query)
  const found = filterEmployees(employeeRows(scoped(db, caller.actor)), caller.actor, query)
  const [rows, total] = await Promise.all([
    orderEmployees(selectEmployeeRow(found), query.orderBy).limit(limit).offset(offset).execute(),
    countCapped(db, found.select('employee.id')),
  ])
  await auditReads(db, caller, { call: employees.page.path, filter: query, rows })
  return { list: rows.map((row) => maskEmployee(caller.actor, row)), ...total }
}

export const findEmployee = async (db: Db, id: number, actor: Actor): Promise<EmployeeRow> => {
  const row = await selectEmployeeRow(employeeRows(scoped(db, actor)))
    .where('employee.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new BusinessError(codes.notFound, { what: '人员' })
  return maskEmployee(actor, row)
}

export const getEmployee = async (db: Db, id: number, caller: Caller): Promise<EmployeeRow> => {
  const row = await findEmployee(db, id, caller.actor)
  await auditReads(db, caller, { call: employees.get.path, filter: { id }, rows: [row] })
  return row
}

/** Rejects a stale edit, and returns the current row. */
export const checkEmployeeVersion = checkPersonalVersion({
  subject: 'employee',
  get: employees.get,
  read: findEmployee,
})

export const employeeOptions = (db: Db, query: EmployeeOptionQuery, actor: Actor) => {
  const { keyword, schoolId, deptId, kind, ids, pageSize = 200 } = query
  return scoped(db, actor)
    .selectFrom('employee')
    .select(['id', 'name', 'employeeNo', 'kind', 'post', 'schoolId', 'deptId', 'userId'])
    .$if(!ids, (q) => q.where('status', '<>', 'LEFT'))
    .$if(!!ids, (q) => q.where('id', 'in', ids ?? []))
    .$if(!!keyword, (q) =>
      q.where((eb) =>
        eb.or([eb('name', 'ilike', likePattern(keyword ?? '')), eb('employeeNo', 'ilike', likePattern(keyword ?? ''))]),
      ),
    )
    .$if(schoolId !== undefined, (q) =>
      q.where(
        sql<boolean>`(school_id = ${schoolId} or exists (select from employee_school es
          where es.employee_id = employee.id and es.school_id = ${schoolId}))`,
      ),
    )
    .$if(deptId !== undefined, (q) => q.where('deptId', '=', deptId ?? 0))
    .$if(!!kind?.length, (q) => q.where('kind', 'in', kind ?? []))
    .orderBy('name')
    .orderBy('id')
    .limit(pageSize)
    .execute()
}
