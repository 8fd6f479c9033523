import { periodAt, periodBefore, periodDays, reportKinds } from '@tocsin/contract/insight/report-period'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { queueJob } from '#jobs/queue'
import type { TimerHandler } from '#timer/scheduler'
import { scheduleTimer } from '#timer/timer'
import { REPORT_JOB, type ReportJobData } from './report-job.ts'

/** One timer for the installation; it schedules itself again. */
export const REPORT_TIMER = 'report'
const issue = { kind: REPORT_TIMER, subjectId: 1, step: 'ISSUE', epoch: 1 }
const EVERY_SEC = 1800
const FIRST_SEC = 180
/** Alarms of the last night have mostly ended by then. */
const WAIT_MS = 6 * 3_600_000
/** The next run queues the others. */
const MAX_NEW = 200

/**
 * Queues a job for each subscribed report whose period has ended. One that failed is not tried again: its subscribers
 * get the next period. @returns how many.
 */
export const queueDueReports = async (trx: Db, now: Date): Promise<number> => {
  let queued = 0
  for (const kind of reportKinds) {
    const { fromDay } = periodDays(periodBefore(kind, periodAt(kind, new Date(now.getTime() - WAIT_MS))))
    const due = await unscoped(trx, 'the server looks for due reports of all subscribers')
      .selectFrom('reportSubscription')
      .select(['subjectType', 'subjectId'])
      .distinct()
      .where('kind', '=', kind)
      .where('lastDay', '<', fromDay)
      .where(
        sql<boolean>`not exists (select from job j where j.name = ${REPORT_JOB} and j.state in ('QUEUED', 'RUNNING', 'FAILED')
          and j.data @> jsonb_build_object('kind', report_subscription.kind, 'fromDay', ${fromDay}::text,
            'subjectType', report_subscription.subject_type, 'subjectId', report_subscription.subject_id))`,
      )
      .limit(MAX_NEW)
      .execute()
    for (const { subjectType, subjectId } of due) {
      const data: ReportJobData = { subjectType, subjectId, kind, fromDay }
      await queueJob(trx, REPORT_JOB, data)
    }
    queued += due.length
  }
  return queued
}

export const reportTimerHandlers: Record<typeof REPORT_TIMER, TimerHandler> = {
  [REPORT_TIMER]: {
    most: 1,
    execute: async (trx) => {
      await queueDueReports(trx, new Date())
      await scheduleTimer(trx, issue, EVERY_SEC)
    },
  },
}

/** At every start; the nodes of an installation share the timer. */
export const seedReportTimer = (db: Db): Promise<void> => scheduleTimer(db, issue, FIRST_SEC)
