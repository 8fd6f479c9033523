import { openOrderStates } from '@tocsin/contract/supervise/order-machine'
import type { OrderLogVerb } from '@tocsin/contract/supervise/order'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import type { TimerHandler } from '#timer/scheduler'
import { cancelTimers, scheduleTimer, type TimerKey } from '#timer/timer'
import { emitOrderChanged, writeOrderLog } from './order-change.ts'
import { type NoticeSide, notifyOrder } from './order-notices.ts'
import { yellowAt, type StoredOrder } from './order-rows.ts'

/** Subject is the order; each step reminds once, and again after an extension moved it. */
export const ORDER_TIMER = 'supervise'

type Reminder = {
  verb: OrderLogVerb
  audiences: readonly NoticeSide[]
  zh: string
  en: string
  /** Days after the due date, of a reminder that names them. */
  days?: number
}

const reminders: Record<string, Reminder> = {
  SIGN: {
    verb: 'remindSign',
    audiences: ['responsible', 'issuer'],
    zh: '督办单尚未签收',
    en: 'Supervision order not received yet',
  },
  YELLOW: { verb: 'remindSoon', audiences: ['responsible'], zh: '督办单临期', en: 'Supervision order due soon' },
  DUE: {
    verb: 'remindDue',
    audiences: ['responsible', 'issuer'],
    zh: '督办单到期',
    en: 'Supervision order due',
  },
  D1: {
    verb: 'remindLate',
    audiences: ['responsible', 'issuer'],
    zh: '督办单逾期',
    en: 'Supervision order overdue',
    days: 1,
  },
  D3: {
    verb: 'remindUpward',
    audiences: ['responsible', 'issuer', 'upward'],
    zh: '督办单逾期',
    en: 'Supervision order overdue',
    days: 3,
  },
}

/**
 * The time past the due date that reviews took which ended by sending the work back. Nobody is reminded during a
 * review, so the days of delay go on after it; otherwise such an order would never be reported upward.
 */
const reviewed = sql`coalesce((
  select sum(back.at - greatest(given.at, supervise_order.due_at)) from supervise_order_log back
  cross join lateral (
    select max(l.at) as at from supervise_order_log l
    where l.order_id = back.order_id and l.verb = 'submit' and l.id < back.id) given
  where back.order_id = supervise_order.id and back.verb = 'return' and back.at > supervise_order.due_at), interval '0')`

/** Reminders of an order by its current dates; past ones are left out. */
export const scheduleReminders = async (trx: Db, orderId: number): Promise<void> => {
  await cancelTimers(trx, { kind: ORDER_TIMER, subjectId: orderId })
  const { rows } = await sql<{ step: string; left: number | null }>`
    select s.step, extract(epoch from s.at - now())::float8 as left
    from supervise_order, lateral (values
      ('SIGN', case when supervise_order.state = 'ISSUED' then supervise_order.sign_due_at end),
      ('YELLOW', ${yellowAt}),
      ('DUE', supervise_order.due_at),
      ('D1', supervise_order.due_at + interval '1 day' + ${reviewed}),
      ('D3', supervise_order.due_at + interval '3 days' + ${reviewed})) as s(step, at)
    where supervise_order.id = ${orderId}`.execute(trx)
  for (const { step, left } of rows)
    if (left !== null && left > 0)
      await scheduleTimer(trx, { kind: ORDER_TIMER, subjectId: orderId, step, epoch: 1 }, left)
}

export const cancelReminders = (trx: Db, orderId: number): Promise<void> =>
  cancelTimers(trx, { kind: ORDER_TIMER, subjectId: orderId })

/** No reminder for an order that is over or submitted, nor to receive a received one. */
const isMoot = ({ state }: StoredOrder, step: string): boolean => {
  if (step === 'SIGN') return state !== 'ISSUED'
  return state === 'SUBMITTED' || !openOrderStates.some((open) => open === state)
}

const DAY_MS = 86_400_000

/** The text of a reminder, with the days that the order is overdue by now. */
const toText = ({ zh, en, days }: Reminder, { dueAt }: StoredOrder) => {
  if (days === undefined) return { zh, en }
  const count = Math.max(days, Math.floor((Date.now() - dueAt.getTime()) / DAY_MS))
  return { zh: `${zh} ${count} 天`, en: `${en} by ${count} ${count === 1 ? 'day' : 'days'}` }
}

const remind = async (trx: Db, { subjectId, step }: TimerKey): Promise<void> => {
  const reminder = reminders[step]
  const order = await trx.selectFrom('superviseOrder').selectAll().where('id', '=', subjectId).executeTakeFirst()
  if (!order || !reminder || isMoot(order, step)) return
  await writeOrderLog(trx, null, order, { verb: reminder.verb })
  await notifyOrder(trx, order, reminder.audiences, toText(reminder, order))
  await emitOrderChanged(trx, order.id)
}

export const orderTimerHandlers: Record<typeof ORDER_TIMER, TimerHandler> = {
  [ORDER_TIMER]: {
    most: 1,
    // The same lock order as the verbs: the order before its timers.
    lock: async (trx, ids, patient) => {
      const orders = trx.selectFrom('superviseOrder').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate()
      const locked = await (patient ? orders : orders.skipLocked()).execute()
      return locked.map(({ id }) => id)
    },
    execute: async (trx, keys) => {
      for (const key of keys) await remind(trx, key)
    },
  },
}
