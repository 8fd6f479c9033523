import { codes } from '@tocsin/contract/codes'
import type { Report, ReportQuery } from '@tocsin/contract/insight/report'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { countCapped } from '#db/page'
import { unscoped, type Visibility } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { toOffsetLimit } from '#http/time-window'
import { seesWholeReport } from './subject.ts'

const visibleReports = (db: Db, sight: Visibility) =>
  unscoped(db, 'issuers of reports whose schools are all visible')
    .selectFrom('report')
    .leftJoin('users', 'users.id', 'report.issuedBy')
    .where(seesWholeReport(sight))

const rowColumns = [
  'report.id',
  'report.kind',
  'report.subjectType',
  'report.subjectId',
  'report.subjectName',
  'report.fromDay',
  'report.toDay',
  'report.figuresVersion',
  'report.issuedAt',
  'report.issuedBy',
  'users.nickname as issuerName',
] as const

const order: ListOrder<ReportQuery> = {
  columns: {
    subjectName: { by: sql`report.subject_name` },
    fromDay: { by: sql`report.from_day` },
    issuedAt: { by: sql`report.issued_at` },
  },
  usual: sql`report.from_day desc, report.id desc`,
  id: sql`report.id`,
}

export const pageReports = async (db: Db, sight: Visibility, query: ReportQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const { keyword, kind, subjectType, day } = query
  const found = visibleReports(db, sight)
    .$if(!!keyword, (q) => q.where(sql<boolean>`position(${keyword ?? ''} in report.subject_name) > 0`))
    .$if(!!kind?.length, (q) => q.where('report.kind', 'in', kind ?? []))
    .$if(!!subjectType?.length, (q) => q.where('report.subjectType', 'in', subjectType ?? []))
    .$if(day !== undefined, (q) => q.where('report.fromDay', '<=', day ?? '').where('report.toDay', '>=', day ?? ''))
  const rows = found.select(rowColumns).orderBy(toOrderBy(query.orderBy, order))
  const [list, total] = await Promise.all([
    rows.limit(limit).offset(offset).execute(),
    countCapped(db, found.select('report.id')),
  ])
  return { list, ...total }
}

export const getReport = async (db: Db, sight: Visibility, id: number): Promise<Report> => {
  const report = await visibleReports(db, sight)
    .select([...rowColumns, 'report.figures'])
    .where('report.id', '=', id)
    .executeTakeFirst()
  if (!report) throw new BusinessError(codes.notFound, { what: '报表' })
  return report
}
