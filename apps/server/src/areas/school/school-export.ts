import { type SchoolQuery, SchoolRow } from '@tocsin/contract/school/school'
import { schoolEdits } from '@tocsin/contract/school/school-edits'
import { schoolLabel } from '@tocsin/contract/school/school-labels'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { scoped } from '#db/scope'
import { sheetColumn } from '#spreadsheet/column'
import { filterSchools, orderSchools, schoolRows, selectSchool } from './school-rows.ts'

/** The list as a spreadsheet; contacts and their numbers are only in the detail. */
export const schoolExport: Exporter<SchoolQuery & ExportOptions, SchoolRow> = {
  endpoints: schoolEdits,
  subject: 'school',
  name: '学校',
  nameEn: 'Schools',
  columns: async (_db, lang) => [
    sheetColumn(SchoolRow, 'code'),
    sheetColumn(SchoolRow, 'name', { width: 24 }),
    sheetColumn(SchoolRow, 'eduDeptName', { width: 18 }),
    sheetColumn(SchoolRow, 'policeDeptName', { width: 18 }),
    sheetColumn(SchoolRow, 'stage', { cell: (stage) => schoolLabel('stage', stage, lang) }),
    sheetColumn(SchoolRow, 'areaType', { cell: (type) => schoolLabel('areaType', type, lang) }),
    sheetColumn(SchoolRow, 'boarding'),
    sheetColumn(SchoolRow, 'studentCount'),
    sheetColumn(SchoolRow, 'boarderCount'),
    sheetColumn(SchoolRow, 'staffCount'),
    sheetColumn(SchoolRow, 'address', { width: 30 }),
    sheetColumn(SchoolRow, 'lng'),
    sheetColumn(SchoolRow, 'lat'),
    sheetColumn(SchoolRow, 'dutyPhone', { width: 16 }),
    sheetColumn(SchoolRow, 'inServiceCount'),
    sheetColumn(SchoolRow, 'deviceCount'),
    sheetColumn(SchoolRow, 'openAlarmCount'),
    sheetColumn(SchoolRow, 'status', { cell: (status) => schoolLabel('schoolStatus', status, lang) }),
  ],
  rows: (db, actor, query) =>
    orderSchools(
      selectSchool(filterSchools(schoolRows(scoped(db, actor)), actor, query), actor),
      query.orderBy,
    ) as unknown as RowsQuery<SchoolRow>,
}
