import { codes } from '@tocsin/contract/codes'
import {
  type ReportSubscriptionDraft,
  type ReportSubscriptionRow,
  reportSubscriptions,
} from '@tocsin/contract/insight/report'
import { periodAt, periodBefore, periodDays } from '@tocsin/contract/insight/report-period'
import { sql } from 'kysely'
import { recordChange } from '#areas/audit/edit-row'
import { runEdit } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Caller, type Route, route } from '#http/route'
import { requireSubject } from '../subject.ts'

const SUBJECT = 'report_subscription'

const listSubscriptions = (db: Db, userId: number): Promise<ReportSubscriptionRow[]> =>
  unscoped(db, 'the own subscriptions, with subjects that the user may have lost')
    .selectFrom('reportSubscription as subscription')
    .leftJoin('school', (on) =>
      on.onRef('school.id', '=', 'subscription.subjectId').on('subscription.subjectType', '=', 'SCHOOL'),
    )
    .leftJoin('dept', (on) =>
      on.onRef('dept.id', '=', 'subscription.subjectId').on('subscription.subjectType', '<>', 'SCHOOL'),
    )
    .select(['subscription.id', 'subscription.subjectType', 'subscription.subjectId', 'subscription.kind'])
    .select(sql<string>`coalesce(school.name, dept.name, '–')`.as('subjectName'))
    .where('subscription.userId', '=', userId)
    .orderBy('subscription.id')
    .execute()

/** The first report is that of the period that is not over yet. */
const subscribe = (db: Db, { kind, ...named }: ReportSubscriptionDraft, caller: Caller): Promise<number> => {
  const { userId } = caller.actor
  return runEdit(db, { userId }, async (trx) => {
    await requireSubject(trx, caller.actor, named)
    const { fromDay: lastDay } = periodDays(periodBefore(kind, periodAt(kind, new Date())))
    const inserted = await unscoped(trx, 'the own subscription')
      .insertInto('reportSubscription')
      .values({ ...named, kind, userId, lastDay })
      .onConflict((conflict) => conflict.constraint('report_subscription_key').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!inserted) throw new BusinessError(codes.reportSubscribed)
    const after = { ...named, kind }
    await recordChange(trx, caller, { action: 'insight:report:subscribe', subject: SUBJECT, id: inserted.id, after })
    return inserted.id
  })
}

const unsubscribe = (db: Db, id: number, caller: Caller): Promise<true> => {
  const { userId } = caller.actor
  return runEdit(db, { userId }, async (trx): Promise<true> => {
    const before = await unscoped(trx, 'the own subscription')
      .deleteFrom('reportSubscription')
      .where('id', '=', id)
      .where('userId', '=', userId)
      .returning(['subjectType', 'subjectId', 'kind'])
      .executeTakeFirst()
    if (!before) throw new BusinessError(codes.notFound, { what: '报表订阅' })
    await recordChange(trx, caller, { action: 'insight:report:unsubscribe', subject: SUBJECT, id, before })
    return true
  })
}

export const subscriptionRoutes = ({ db }: { db: Db }): Route[] => [
  route(reportSubscriptions.mine, ({ actor }) => listSubscriptions(db, actor.userId)),
  route(reportSubscriptions.create, ({ body, caller }) => subscribe(db, body, caller)),
  route(reportSubscriptions.delete, ({ query, caller }) => unsubscribe(db, query.id, caller)),
]
