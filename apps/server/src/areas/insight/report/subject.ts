import { codes } from '@tocsin/contract/codes'
import type { ReportDraft } from '@tocsin/contract/insight/report'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped, type Visibility } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { deptsBelow } from '#areas/access/roles/dept/depts-below'

export type ReportSubjectRef = Pick<ReportDraft, 'subjectType' | 'subjectId'>
export type ReportSubject = ReportSubjectRef & { subjectName: string; schoolIds: number[] }

/** No row belongs to it, so that the figures contain rows of the schools only. */
const NO_USER = 0

/** The rows that a report counts, whoever reads it: those of its schools. */
export const sightOfSchools = (schools: readonly number[]): Visibility => ({ userId: NO_USER, depts: [], schools })

const findName = async (db: Db, { subjectType, subjectId }: ReportSubjectRef): Promise<string | undefined> => {
  const all = unscoped(db, 'the reader must see every school of the subject')
  if (subjectType === 'SCHOOL') {
    const school = await all.selectFrom('school').select('name').where('id', '=', subjectId).executeTakeFirst()
    return school?.name
  }
  const dept = await all
    .selectFrom('dept')
    .select('name')
    .where('id', '=', subjectId)
    .where('kind', '<>', 'SCHOOL')
    .where('kind', subjectType === 'STATION' ? '=' : '<>', 'POLICE_STATION')
    .executeTakeFirst()
  return dept?.name
}

const listSchools = async (db: Db, { subjectType, subjectId }: ReportSubjectRef): Promise<number[]> => {
  if (subjectType === 'SCHOOL') return [subjectId]
  const below = deptsBelow(subjectId)
  const rows = await unscoped(db, 'the reader must see every school of the subject')
    .selectFrom('school')
    .select('id')
    .where((eb) => eb.or([eb('deptId', 'in', below), eb('policeDeptId', 'in', below)]))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export const seesAll = ({ schools }: Visibility, ids: readonly number[]): boolean => {
  if (schools === 'all') return true
  const seen = new Set(schools)
  return ids.every((id) => seen.has(id))
}

/** A subject with all its schools; undefined without any. */
export const findSubject = async (
  db: Db,
  { subjectType, subjectId }: ReportSubjectRef,
): Promise<ReportSubject | undefined> => {
  const named = { subjectType, subjectId }
  const [subjectName, schoolIds] = await Promise.all([findName(db, named), listSchools(db, named)])
  return subjectName === undefined || schoolIds.length === 0 ? undefined : { ...named, subjectName, schoolIds }
}

/** A subject of which the reader sees only a part does not exist for the reader. */
export const requireSubject = async (db: Db, sight: Visibility, named: ReportSubjectRef): Promise<ReportSubject> => {
  const subject = await findSubject(db, named)
  if (!subject || !seesAll(sight, subject.schoolIds)) throw new BusinessError(codes.notFound, { what: '报表对象' })
  return subject
}

/** In a query of `report`: the reader sees every school that the figures count. */
export const seesWholeReport = ({ schools }: Visibility) =>
  schools === 'all' ? sql<boolean>`true` : sql<boolean>`report.school_ids <@ ${schools}::bigint[]`
