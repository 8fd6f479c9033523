import { type EmployeeQuery, EmployeeRow, REVEAL_EMPLOYEES_PERMISSION } from '@tocsin/contract/school/employee'
import { employees } from '@tocsin/contract/school/employee-calls'
import { employeeLabel } from '@tocsin/contract/school/employee-labels'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { scoped } from '#db/scope'
import { sheetColumn } from '#spreadsheet/column'
import { employeeRows, filterEmployees, maskEmployee, orderEmployees, selectEmployeeRow } from './read.ts'

/** The columns of the list, with the same masks. */
export const employeeExport: Exporter<EmployeeQuery & ExportOptions, EmployeeRow> = {
  endpoints: employees,
  subject: 'employee',
  name: '人员',
  nameEn: 'People',
  reveals: [REVEAL_EMPLOYEES_PERMISSION],
  columns: async (_db, lang) => [
    sheetColumn(EmployeeRow, 'employeeNo'),
    sheetColumn(EmployeeRow, 'name'),
    sheetColumn(EmployeeRow, 'kind', { cell: (kind) => employeeLabel('employeeKind', kind, lang) }),
    sheetColumn(EmployeeRow, 'schoolName', { width: 24 }),
    sheetColumn(EmployeeRow, 'deptName', { width: 24 }),
    sheetColumn(EmployeeRow, 'gender', { cell: (gender) => employeeLabel('gender', gender, lang) }),
    sheetColumn(EmployeeRow, 'mobile'),
    sheetColumn(EmployeeRow, 'post'),
    sheetColumn(EmployeeRow, 'certNo', { width: 20 }),
    sheetColumn(EmployeeRow, 'certExpiresOn'),
    sheetColumn(EmployeeRow, 'backgroundCheckedOn'),
    sheetColumn(EmployeeRow, 'username'),
    sheetColumn(EmployeeRow, 'status', { cell: (status) => employeeLabel('employeeStatus', status, lang) }),
    sheetColumn(EmployeeRow, 'remark', { width: 30 }),
  ],
  rows: (db, actor, query) =>
    orderEmployees(
      selectEmployeeRow(filterEmployees(employeeRows(scoped(db, actor)), actor, query)),
      query.orderBy,
    ) as unknown as RowsQuery<EmployeeRow>,
  shown: ({ actor }, found) => found.map((row) => maskEmployee(actor, row)),
}
