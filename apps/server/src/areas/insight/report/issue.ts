import { parseInstant } from '@tocsin/contract/codecs'
import { codes } from '@tocsin/contract/codes'
import { ReportDraft } from '@tocsin/contract/insight/report'
import { FIGURES_VERSION } from '@tocsin/contract/insight/report-figures'
import { periodAt, periodDays, type ReportKind } from '@tocsin/contract/insight/report-period'
import type { Span } from '@tocsin/contract/security/hours'
import { recordChange } from '#areas/audit/edit-row'
import { fieldError, runEdit } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import type { NewEvent } from '#db/event'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { collectFigures } from './figures.ts'
import { type ReportSubject, requireSubject, sightOfSchools } from './subject.ts'

type Issue = { kind: ReportKind; period: Span; issuedBy: number | null }

/** Counts and freezes. @returns undefined when the report of the period exists. */
export const insertReport = async (
  trx: Db,
  subject: ReportSubject,
  { kind, period, issuedBy }: Issue,
): Promise<number | undefined> => {
  const figures = await collectFigures(trx, sightOfSchools(subject.schoolIds), { kind, period })
  const inserted = await trx
    .insertInto('report')
    .values({ ...subject, ...periodDays(period), kind, figuresVersion: FIGURES_VERSION, figures, issuedBy })
    .onConflict((conflict) => conflict.constraint('report_period_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export const issuedEvent = ({ subjectType, subjectId }: ReportSubject, id: number): NewEvent => ({
  type: 'report.issued',
  ref: id,
  ...(subjectType === 'SCHOOL' ? { schoolId: subjectId } : { deptId: subjectId }),
})

/** Issues the report of the period that contains the day, once the period has ended. */
export const issueReport = (db: Db, { day, kind, ...named }: ReportDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const at = parseInstant(day)
    if (!at) throw fieldError(ReportDraft, 'day', 'choice')
    const subject = await requireSubject(trx, caller.actor, named)
    const period = periodAt(kind, at)
    const days = periodDays(period)
    if (period.to > new Date()) throw new BusinessError(codes.reportPeriodOpen, { day: days.toDay })
    const id = await insertReport(trx, subject, { kind, period, issuedBy: caller.actor.userId })
    if (id === undefined) throw new BusinessError(codes.reportIssued)
    await recordChange(trx, caller, {
      action: 'insight:report:create',
      subject: 'report',
      id,
      // The figures stay in the report: the audit names it.
      after: { ...named, ...days, kind, figuresVersion: FIGURES_VERSION },
      events: [issuedEvent(subject, id)],
    })
    return id
  })
