import type { Row } from '#db/tables'

/** The two roots of the department tree (DESIGN 5), and the company that operates the system. */
export const deptSeeds = [
  { code: 'EDU', kind: 'EDU_BUREAU', name: '教育局', nameEn: 'Education bureau', sort: 1 },
  { code: 'POLICE', kind: 'POLICE_BUREAU', name: '公安局', nameEn: 'Public security bureau', sort: 2 },
  { code: 'OPERATOR', kind: 'OPERATOR_CO', name: '运营中心', nameEn: 'Operations centre', sort: 3 },
] as const satisfies Pick<Row<'dept'>, 'code' | 'kind' | 'name' | 'nameEn' | 'sort'>[]
