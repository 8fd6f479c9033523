import { codes } from '@tocsin/contract/codes'
import { deliveries, type DeliveryQuery, DeliveryRow, myDeliveries } from '@tocsin/contract/notify/delivery'
import { canApply } from '@tocsin/contract/notify/delivery-machine'
import { notifyLabel } from '@tocsin/contract/notify/notify-labels'
import { sql } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import { runEdit } from '#areas/audit/edit-transaction'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { exportRoutes } from '#areas/audit/export-routes'
import type { AllTablesDb, Db } from '#db/db'
import { emitEvents } from '#db/event'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { type Caller, type Route, route } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'
import { deliveryEvents } from './plan.ts'
import { listUnread, recordReceipt } from './receipt.ts'
import { wakeNotifySender } from './sender-wake.ts'

const WHAT = '送达记录'

const filterDeliveries = (all: AllTablesDb, query: DeliveryQuery) => {
  const { keyword, channel, state, reason, subjectType, subjectId, createdAt } = query
  return all
    .selectFrom('delivery')
    .$if(!!keyword, (q) => q.where('recipientName', 'ilike', likePattern(keyword ?? '')))
    .$if(!!channel?.length, (q) => q.where('channel', 'in', channel ?? []))
    .$if(!!state?.length, (q) => q.where('state', 'in', state ?? []))
    .$if(!!reason?.length, (q) => q.where('reason', 'in', reason ?? []))
    .$if(!!subjectType?.length, (q) => q.where('subjectType', 'in', subjectType ?? []))
    .$if(subjectId !== undefined, (q) => q.where('subjectId', '=', subjectId ?? 0))
    .$if(!!createdAt, (q) => q.where(sql<boolean>`delivery.created_at between ${createdAt?.[0]} and ${createdAt?.[1]}`))
}

const selectDelivery = (found: ReturnType<typeof filterDeliveries>) =>
  found
    .select([
      'id',
      'subjectType',
      'subjectId',
      'schoolId',
      'deptId',
      'userId',
      'recipientName',
      'address',
      'channel',
      'level',
      'step',
      'attempts',
      'state',
      'title',
      'body',
      'link',
      'reason',
      'providerMsgId',
      'providerAnswer',
      'resendOfId',
      'createdAt',
      'dueAt',
      'expiresAt',
      'sentAt',
      'deliveredAt',
      'readAt',
      'repliedAt',
      'endedAt',
    ])
    .select(
      sql<number | null>`(extract(epoch from
        coalesce(delivered_at, read_at, replied_at, sent_at) - created_at) * 1000)::int`.as('tookMs'),
    )

const order: ListOrder<DeliveryQuery> = {
  columns: {
    createdAt: { by: sql`delivery.created_at` },
  },
  usual: sql`delivery.created_at desc, delivery.id desc`,
  id: sql`delivery.id`,
}

export const deliveryExport: Exporter<DeliveryQuery & ExportOptions, DeliveryRow> = {
  endpoints: deliveries,
  subject: 'delivery',
  name: WHAT,
  nameEn: 'Deliveries',
  columns: async (_db, lang) => [
    sheetColumn(DeliveryRow, 'createdAt'),
    sheetColumn(DeliveryRow, 'subjectType', { cell: (type) => notifyLabel('deliverySubject', type, lang) }),
    sheetColumn(DeliveryRow, 'title', { width: 30 }),
    sheetColumn(DeliveryRow, 'recipientName', { width: 20 }),
    sheetColumn(DeliveryRow, 'address', { width: 20 }),
    sheetColumn(DeliveryRow, 'channel', { cell: (channel) => notifyLabel('deliveryChannel', channel, lang) }),
    sheetColumn(DeliveryRow, 'state', { cell: (state) => notifyLabel('deliveryState', state, lang) }),
    sheetColumn(DeliveryRow, 'reason', {
      cell: (reason) => (reason ? notifyLabel('deliveryReason', reason, lang) : ''),
    }),
    sheetColumn(DeliveryRow, 'attempts'),
    sheetColumn(DeliveryRow, 'sentAt'),
    sheetColumn(DeliveryRow, 'deliveredAt'),
    sheetColumn(DeliveryRow, 'providerAnswer', { width: 30 }),
  ],
  rows: (db, actor, query) =>
    selectDelivery(filterDeliveries(scoped(db, actor), query)).orderBy(
      toOrderBy(query.orderBy, order),
    ) as unknown as RowsQuery<DeliveryRow>,
}

/** A copy that is due now; the row itself keeps its final state. */
const resendDelivery = (db: Db, id: number, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const all = scoped(trx, caller.actor)
    const before = await all.selectFrom('delivery').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!before) throw new BusinessError(codes.notFound, { what: WHAT })
    const hasNobody = before.reason === 'NO_RECIPIENT' || before.reason === 'NO_ADDRESS'
    if (hasNobody) throw new BusinessError(codes.deliveryNobody)
    if (!canApply('resend', before.state)) throw new BusinessError(codes.deliveryState, { state: before.state })
    const { subjectType, subjectId, schoolId, deptId, userId, recipientName, address, channel } = before
    const isInApp = channel === 'INAPP'
    const lifeMs = before.expiresAt.getTime() - before.createdAt.getTime()
    const row = await all
      .insertInto('delivery')
      .values({
        subjectType,
        subjectId,
        schoolId,
        deptId,
        userId,
        recipientName,
        address,
        channel,
        level: before.level,
        step: before.step,
        title: before.title,
        body: before.body,
        link: before.link,
        planKey: before.planKey,
        resendOfId: id,
        expiresAt: sql<Date>`now() + make_interval(secs => ${lifeMs / 1000})`,
        ...(isInApp ? { state: 'SENT' as const, attempts: 1, sentAt: sql<Date>`now()` } : { state: 'QUEUED' as const }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(trx, {
      ...caller,
      action: deliveries.resend.permission,
      subject: 'delivery',
      subjectId: row.id,
      after: { resendOfId: id, channel, recipientName },
    })
    await emitEvents(trx, ...deliveryEvents([{ id: row.id, schoolId, deptId, userId, arrived: isInApp }]))
    wakeNotifySender()
    return row.id
  })

export const deliveryRoutes = ({ db }: { db: Db }): Route[] => [
  route(deliveries.page, async ({ query, caller }) => {
    const { limit, offset } = toOffsetLimit(query)
    const found = filterDeliveries(scoped(db, caller.actor), query)
    const [list, total] = await Promise.all([
      selectDelivery(found).orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute(),
      countCapped(db, found.select('id')),
    ])
    return { list, ...total }
  }),
  route(deliveries.resend, ({ body, caller }) => resendDelivery(db, body.id, caller)),
  ...exportRoutes(db, deliveryExport),
  route(myDeliveries.list, ({ caller }) => listUnread(db, caller.actor)),
  route(myDeliveries.delivered, ({ body, caller }) => recordReceipt(db, caller.actor, body.ids, 'deliver')),
  route(myDeliveries.read, ({ body, caller }) => recordReceipt(db, caller.actor, body.ids, 'read')),
]
