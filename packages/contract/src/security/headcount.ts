import { z } from 'zod'
import { Day, Id, Millis, queryBool, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { PageQuery, page } from '../page.ts'

/** The national rules; a region has its own under the code of its department. */
export const NATIONAL = 'CN'

/**
 * One step of a rule set: schools from so many students need so many guards, and one more for each `perStudents`
 * students beyond `minStudents` and for each `perBoarders` boarders.
 */
export const HeadcountRule = z.strictObject({
  id: field(Id, '编号', 'Id'),
  region: field(z.string(), '地区', 'Region'),
  name: field(z.string(), '标准', 'Standard'),
  nameEn: field(z.string(), '标准（英文）', 'Standard in English'),
  effectiveFrom: field(Day, '生效日期', 'Effective from'),
  boarding: field(z.boolean().nullable(), '寄宿制', 'Boarding'),
  minStudents: field(z.int(), '学生数不少于', 'Students at least'),
  headcount: field(z.int(), '保安人数', 'Guards'),
  perStudents: field(z.int().nullable(), '每增加学生', 'For each more students'),
  perBoarders: field(z.int().nullable(), '每寄宿生', 'For each boarders'),
})
export type HeadcountRule = z.output<typeof HeadcountRule>

type SchoolSize = { studentCount: number; boarderCount: number; boarding: boolean }

/** Why a school needs a number of guards, line by line. */
export const HeadcountLine = z.strictObject({
  reason: field(z.enum(['BASE', 'STUDENTS', 'BOARDERS']), '依据', 'Reason'),
  count: field(z.int(), '人数', 'Guards'),
  actual: field(z.int(), '实际', 'Actual'),
  per: field(z.int().nullable(), '每', 'For each'),
})
export type HeadcountLine = z.output<typeof HeadcountLine>

type RequiredHeadcount = { required: number; rule: HeadcountRule | null; lines: HeadcountLine[] }

/** The rules in force on a day in the nearest region that has any; `regions` begins with the nearest. */
const rulesInForce = (rules: readonly HeadcountRule[], regions: readonly string[], day: string): HeadcountRule[] => {
  for (const region of [...regions, NATIONAL]) {
    const known = rules.filter((rule) => rule.region === region && rule.effectiveFrom <= day)
    const latest = known
      .map(({ effectiveFrom }) => effectiveFrom)
      .toSorted()
      .at(-1)
    if (latest) return known.filter(({ effectiveFrom }) => effectiveFrom === latest)
  }
  return []
}

/** How many guards a school needs on a day, by the rules of its region or the national ones. */
export const requiredHeadcount = (
  rules: readonly HeadcountRule[],
  school: SchoolSize,
  { day, regions }: { day: string; regions: readonly string[] },
): RequiredHeadcount => {
  const rule = rulesInForce(rules, regions, day)
    .filter(
      ({ boarding, minStudents }) =>
        minStudents <= school.studentCount && (boarding ?? school.boarding) === school.boarding,
    )
    .toSorted((a, b) => b.minStudents - a.minStudents || Number(b.boarding !== null) - Number(a.boarding !== null))[0]
  if (!rule) return { required: 0, rule: null, lines: [] }
  const lines: HeadcountLine[] = [{ reason: 'BASE', count: rule.headcount, actual: school.studentCount, per: null }]
  if (rule.perStudents) {
    const count = Math.floor((school.studentCount - rule.minStudents) / rule.perStudents)
    lines.push({ reason: 'STUDENTS', count, actual: school.studentCount - rule.minStudents, per: rule.perStudents })
  }
  if (rule.perBoarders) {
    const count = Math.floor(school.boarderCount / rule.perBoarders)
    lines.push({ reason: 'BOARDERS', count, actual: school.boarderCount, per: rule.perBoarders })
  }
  return { required: lines.reduce((sum, { count }) => sum + count, 0), rule, lines }
}

export const ComplianceRow = z.strictObject({
  schoolId: field(Id, '学校', 'School'),
  schoolName: field(z.string(), '学校', 'School'),
  day: field(Day, '日期', 'Day'),
  studentCount: field(z.int(), '学生数', 'Students'),
  boarderCount: field(z.int(), '寄宿生数', 'Boarders'),
  required: field(z.int(), '应到', 'Required'),
  posts: field(z.int(), '岗位人数', 'Places at posts'),
  planned: field(z.int(), '排班', 'Planned'),
  present: field(z.int(), '在岗', 'On duty'),
  rule: field(HeadcountRule.nullable(), '标准', 'Standard'),
  lines: field(z.array(HeadcountLine), '依据', 'Reasons'),
  at: field(Millis, '统计时间', 'As of'),
})
export type ComplianceRow = z.output<typeof ComplianceRow>

export const ComplianceQuery = PageQuery.extend({
  schoolId: field(queryId.optional(), '学校', 'School'),
  day: field(Day.optional(), '日期', 'Day'),
  short: field(queryBool.optional(), '人数不足', 'Short of people'),
})
export type ComplianceQuery = z.output<typeof ComplianceQuery>

export const headcounts = {
  compliance: endpoint({
    method: 'GET',
    path: '/security/headcount/page',
    kind: 'json',
    permission: 'security:post:query',
    scope: 'school',
    summary: '学校应到、排班、在岗人数',
    summaryEn: 'Guards required, planned and on duty, by school',
    query: ComplianceQuery,
    data: page(ComplianceRow),
  }),
  rules: endpoint({
    method: 'GET',
    path: '/security/headcount/rules',
    kind: 'json',
    permission: 'security:post:query',
    scope: 'none',
    summary: '保安配备标准',
    summaryEn: 'Rules for the number of guards',
    data: z.array(HeadcountRule),
  }),
  ...exportEndpoints({
    permission: 'security:post:export',
    scope: 'school',
    path: '/security/headcount',
    title: '学校保安配备',
    titleEn: 'Guards required, planned and on duty, by school',
    query: ComplianceQuery,
  }),
}
