import type { EnumLabels } from '../field.ts'
import { reportItemLabels } from './report-items.ts'
import type { ReportKind } from './report-period.ts'

export const reportSubjectTypes = ['SCHOOL', 'DEPT', 'STATION'] as const
export type ReportSubjectType = (typeof reportSubjectTypes)[number]

const reportCycle: EnumLabels<ReportKind> = {
  DAY: ['日报', 'Daily'],
  WEEK: ['周报', 'Weekly'],
  MONTH: ['月报', 'Monthly'],
}
const reportSubjectType: EnumLabels<ReportSubjectType> = {
  SCHOOL: ['学校', 'School'],
  DEPT: ['区县或部门', 'District or department'],
  STATION: ['派出所', 'Police station'],
}

export const reportLabels = { reportCycle, reportSubjectType, reportItem: reportItemLabels }
