import { dutyLabel } from '@tocsin/contract/security/duty-labels'
import { type ComplianceQuery, ComplianceRow, headcounts } from '@tocsin/contract/security/headcount'
import { sql } from 'kysely'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { sheetColumn } from '#spreadsheet/column'
import { complianceDay, describeDay, listSchoolIds, type SchoolFacts, selectSchools } from './headcount.ts'

type ExportedSchool = SchoolFacts & { at: Date }

/** Required, planned and present guards of the filtered schools on the day of the list. */
export const complianceExport: Exporter<ComplianceQuery & ExportOptions, ComplianceRow, ExportedSchool> = {
  endpoints: headcounts,
  subject: 'school',
  name: '保安配备',
  nameEn: 'Guards by school',
  columns: async (_db, lang) => [
    sheetColumn(ComplianceRow, 'schoolName', { width: 28 }),
    sheetColumn(ComplianceRow, 'day', { width: 14 }),
    sheetColumn(ComplianceRow, 'studentCount'),
    sheetColumn(ComplianceRow, 'boarderCount'),
    sheetColumn(ComplianceRow, 'required'),
    sheetColumn(ComplianceRow, 'posts'),
    sheetColumn(ComplianceRow, 'planned'),
    sheetColumn(ComplianceRow, 'present'),
    sheetColumn(ComplianceRow, 'rule', {
      width: 24,
      cell: (rule) => (lang === 'en' ? rule?.nameEn : rule?.name) ?? '',
    }),
    sheetColumn(ComplianceRow, 'lines', {
      width: 40,
      cell: (lines) =>
        lines.map(({ reason, count }) => `${dutyLabel('headcountReason', reason, lang)} ${count}`).join(' + '),
    }),
    sheetColumn(ComplianceRow, 'at', { width: 20 }),
  ],
  rows: async (db, actor, query) => {
    const day = complianceDay(query)
    const ids = query.short === undefined ? undefined : await listSchoolIds(db, actor, query)
    return selectSchools(db, actor, query)
      .$if(ids !== undefined, (q) => q.where(sql<boolean>`school.id = any(${ids ?? []}::bigint[])`))
      .select(sql<Date>`${day}::timestamptz`.as('at')) as unknown as RowsQuery<ExportedSchool>
  },
  shown: async ({ db }, found) => {
    const [first] = found
    return first ? describeDay(db, found, first.at) : []
  },
}
