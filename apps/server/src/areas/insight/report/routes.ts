import { reports } from '@tocsin/contract/insight/report'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { issueReport } from './issue.ts'
import { listSubjects } from './list-subjects.ts'
import { getReport, pageReports } from './reads.ts'
import { exportReport } from './report-sheet.ts'

export const reportRoutes = ({ db }: { db: Db }): Route[] => [
  route(reports.page, ({ query, actor }) => pageReports(db, actor, query)),
  route(reports.get, ({ query, actor }) => getReport(db, actor, query.id)),
  route(reports.subjects, ({ query, actor }) => listSubjects(db, actor, query.subjectType)),
  route(reports.create, ({ body, caller }) => issueReport(db, body, caller)),
  route(reports.export, ({ query, caller }) => exportReport(db, query, caller)),
]
