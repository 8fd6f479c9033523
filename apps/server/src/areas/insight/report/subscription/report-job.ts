import { Day, Id, parseInstant } from '@tocsin/contract/codecs'
import { lookupLabel } from '@tocsin/contract/field'
import { FIGURES_VERSION, type ReportFigures } from '@tocsin/contract/insight/report-figures'
import { changeOf, changeText, largestChanges } from '@tocsin/contract/insight/report-items'
import { reportLabels, reportSubjectTypes } from '@tocsin/contract/insight/report-labels'
import { periodAt, reportKinds } from '@tocsin/contract/insight/report-period'
import { z } from 'zod'
import { writeAudit } from '#areas/audit/audit'
import { planDeliveries } from '#areas/notify/plan'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import { hasPermission } from '#http/route'
import { loadActor } from '#http/session-auth'
import type { JobHandler } from '#jobs/run'
import { insertReport, issuedEvent } from '../issue.ts'
import { findSubject, type ReportSubject, type ReportSubjectRef, seesAll } from '../subject.ts'

export const REPORT_JOB = 'issue report'
const NO_SESSION = 0

export const ReportJobData = z.strictObject({
  subjectType: z.enum(reportSubjectTypes),
  subjectId: Id,
  kind: z.enum(reportKinds),
  fromDay: Day,
})
export type ReportJobData = z.output<typeof ReportJobData>

type IssuedReport = { id: number; schoolIds: number[]; figures: ReportFigures; toDay: string }

const all = (trx: Db) => unscoped(trx, 'the server issues reports for their subscribers')

/** Each subscription once for a period, also when two workers have the job. @returns the subscribers */
const claimSubscriptions = async (trx: Db, { fromDay, ...report }: ReportJobData): Promise<number[]> => {
  const rows = await all(trx)
    .updateTable('reportSubscription')
    .set({ lastDay: fromDay })
    .where('subjectType', '=', report.subjectType)
    .where('subjectId', '=', report.subjectId)
    .where('kind', '=', report.kind)
    .where('lastDay', '<', fromDay)
    .returning('userId')
    .execute()
  return rows.map(({ userId }) => userId)
}

const findReport = (trx: Db, { subjectType, subjectId, kind, fromDay }: ReportJobData) =>
  trx
    .selectFrom('report')
    .select(['id', 'schoolIds', 'figures', 'toDay'])
    .where('subjectType', '=', subjectType)
    .where('subjectId', '=', subjectId)
    .where('kind', '=', kind)
    .where('fromDay', '=', fromDay)
    .executeTakeFirst()

/** The report that a person has issued, or a new one. */
const findOrIssue = async (
  trx: Db,
  subject: ReportSubject,
  report: ReportJobData,
): Promise<IssuedReport | undefined> => {
  const found = await findReport(trx, report)
  const at = parseInstant(report.fromDay)
  if (found || !at) return found
  const id = await insertReport(trx, subject, {
    kind: report.kind,
    period: periodAt(report.kind, at),
    issuedBy: null,
  })
  if (id !== undefined) {
    await writeAudit(trx, {
      actor: null,
      origin: null,
      action: 'insight:report:create',
      subject: 'report',
      subjectId: id,
      after: { ...report, figuresVersion: FIGURES_VERSION },
    })
    await emitEvents(trx, issuedEvent(subject, id))
  }
  return findReport(trx, report)
}

/** Subscribers who may still read reports and see every school that this one counts. */
const selectReaders = async (trx: Db, userIds: readonly number[], schoolIds: readonly number[]): Promise<number[]> => {
  const readers: number[] = []
  for (const userId of userIds) {
    const actor = await loadActor(trx, userId, NO_SESSION)
    if (actor && hasPermission(actor)('insight:report:query') && seesAll(actor, schoolIds)) readers.push(userId)
  }
  return readers
}

const changeLines = (figures: ReportFigures): string[] =>
  largestChanges(figures).map((item) => {
    const label = (lang: 'zh-cn' | 'en') => lookupLabel(reportLabels.reportItem, item.key, lang)
    return `${label('zh-cn')} · ${label('en')}: ${item.now} (${changeText(changeOf(item) ?? 0)})`
  })

type Mail = { subject: ReportSubject; data: ReportJobData; report: IssuedReport; origin: string | undefined }

const mailText = ({ subject, data: { kind, fromDay }, report, origin }: Mail) => {
  const kindName = `${lookupLabel(reportLabels.reportCycle, kind, 'zh-cn')} · ${lookupLabel(reportLabels.reportCycle, kind, 'en')}`
  const period = fromDay === report.toDay ? fromDay : `${fromDay} – ${report.toDay}`
  const link = `/insight/report/${report.id}`
  const lines = [
    `${subject.subjectName} ${period}`,
    ...changeLines(report.figures),
    ...(origin ? [`${origin}${link}`] : []),
  ]
  return { title: `${subject.subjectName} ${kindName}`, body: lines.join('\n'), link }
}

const mailReaders = (trx: Db, mail: Mail, userIds: readonly number[]) => {
  const { subjectType, subjectId } = mail.subject
  return planDeliveries(trx, {
    subject: { type: 'REPORT', id: mail.report.id },
    schoolId: subjectType === 'SCHOOL' ? subjectId : null,
    deptId: subjectType === 'SCHOOL' ? null : subjectId,
    level: 4,
    ...mailText(mail),
    userIds,
    channels: ['EMAIL'],
  })
}

/** Issues the report of a period, unless it is, and mails it to its subscribers once. */
export const issueForSubscribers = async (trx: Db, data: ReportJobData, origin: string | undefined): Promise<void> => {
  const named: ReportSubjectRef = data
  const userIds = await claimSubscriptions(trx, data)
  const subject = userIds.length > 0 ? await findSubject(trx, named) : undefined
  if (!subject) return
  const report = await findOrIssue(trx, subject, data)
  if (!report) return
  const readers = await selectReaders(trx, userIds, report.schoolIds)
  if (readers.length > 0) await mailReaders(trx, { subject, data, report, origin }, readers)
}

/** @param origin the address of the console; without one the mail has no link */
export const reportJobs = (origin: string | undefined): Record<typeof REPORT_JOB, JobHandler> => ({
  [REPORT_JOB]: async ({ db, hold, job }) => {
    const data = ReportJobData.parse(job.data)
    await db.transaction().execute(async (trx) => {
      await hold(trx, {})
      await issueForSubscribers(trx, data, origin)
    })
    return { state: 'DONE' }
  },
})
