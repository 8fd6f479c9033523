import { employees, employeeVerbs } from '@tocsin/contract/school/employee-calls'
import { exportRoutes } from '#areas/audit/export-routes'
import { importRoutes } from '#areas/files/import/routes'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { createAccount, linkAccount, listLinkableAccounts } from './account.ts'
import { createEmployee, deleteEmployee, updateEmployee } from './edit.ts'
import { employeeImporter } from './employee-importer.ts'
import { employeeExport } from './export.ts'
import { getNominations } from './nominations.ts'
import { employeeOptions, employeePage, getEmployee } from './read.ts'
import { changeEmployeeStatus } from './status.ts'

export const employeeRoutes = ({ db }: { db: Db }): Route[] => [
  route(employees.page, ({ query, caller }) => employeePage(db, query, caller)),
  route(employees.get, ({ query, caller }) => getEmployee(db, query.id, caller)),
  route(employees.simpleList, ({ query, actor }) => employeeOptions(db, query, actor)),
  route(employees.namedAs, ({ query, actor }) => getNominations(db, query.id, actor)),
  route(employees.create, ({ body, caller }) => createEmployee(db, body, caller)),
  route(employees.update, ({ body, caller }) => updateEmployee(db, body, caller)),
  route(employees.delete, ({ query, caller }) => deleteEmployee(db, query.id, caller)),
  route(employees.createAccount, ({ body, caller }) => createAccount(db, body, caller)),
  route(employees.linkAccount, ({ body, caller }) => linkAccount(db, body, caller)),
  route(employees.accounts, ({ query, actor }) => listLinkableAccounts(db, query, actor)),
  route(employeeVerbs.absent, ({ body, caller }) => changeEmployeeStatus(db, 'absent', body, caller)),
  route(employeeVerbs.back, ({ body, caller }) => changeEmployeeStatus(db, 'back', body, caller)),
  route(employeeVerbs.leave, ({ body, caller }) => changeEmployeeStatus(db, 'leave', body, caller)),
  route(employeeVerbs.rejoin, ({ body, caller }) => changeEmployeeStatus(db, 'rejoin', body, caller)),
  ...exportRoutes(db, employeeExport),
  ...importRoutes(db, employeeImporter),
]
