import type { ReportSubjectOption } from '@tocsin/contract/insight/report'
import type { ReportSubjectType } from '@tocsin/contract/insight/report-labels'
import type { Db } from '#db/db'
import { unscoped, type Visibility } from '#db/scope'

type Dept = ReportSubjectOption & { kind: string; parentId: number | null }
type School = ReportSubjectOption & { deptId: number; policeDeptId: number | null }
type Counted = { total: number; seen: number }

/** A department and all above it. */
const lineOf = (depts: ReadonlyMap<number, Dept>, deptId: number): number[] => {
  const line: number[] = []
  for (
    let at = depts.get(deptId);
    at && !line.includes(at.id);
    at = at.parentId === null ? undefined : depts.get(at.parentId)
  )
    line.push(at.id)
  return line
}

/** Schools below each department, all and those that the reader sees. */
const countSchools = (
  depts: ReadonlyMap<number, Dept>,
  schools: readonly School[],
  isSeen: (id: number) => boolean,
) => {
  const counts = new Map<number, Counted>()
  for (const { id, deptId, policeDeptId } of schools) {
    const reached = new Set([deptId, policeDeptId ?? deptId].flatMap((start) => lineOf(depts, start)))
    for (const dept of reached) {
      const { total, seen } = counts.get(dept) ?? { total: 0, seen: 0 }
      counts.set(dept, { total: total + 1, seen: isSeen(id) ? seen + 1 : seen })
    }
  }
  return counts
}

const isOfType = (subjectType: ReportSubjectType, kind: string): boolean =>
  kind !== 'SCHOOL' && (kind === 'POLICE_STATION') === (subjectType === 'STATION')

/** Subjects all of whose schools the reader sees. */
export const listSubjects = async (
  db: Db,
  { schools: visible }: Visibility,
  subjectType: ReportSubjectType,
): Promise<ReportSubjectOption[]> => {
  const all = unscoped(db, 'a subject is offered to readers of all of its schools')
  const seen = visible === 'all' ? undefined : new Set(visible)
  const isSeen = (id: number) => !seen || seen.has(id)
  const [depts, schools] = await Promise.all([
    all.selectFrom('dept').select(['id', 'name', 'kind', 'parentId']).orderBy('name').orderBy('id').execute(),
    all.selectFrom('school').select(['id', 'name', 'deptId', 'policeDeptId']).orderBy('name').orderBy('id').execute(),
  ])
  if (subjectType === 'SCHOOL') return schools.filter(({ id }) => isSeen(id)).map(({ id, name }) => ({ id, name }))
  const counts = countSchools(new Map(depts.map((dept) => [dept.id, dept])), schools, isSeen)
  return depts
    .filter(({ id, kind }) => {
      const counted = counts.get(id)
      return isOfType(subjectType, kind) && counted !== undefined && counted.seen === counted.total
    })
    .map(({ id, name }) => ({ id, name }))
}
