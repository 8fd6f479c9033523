import { maskEmail, maskMobile } from '@tocsin/contract/access/user-contact'
import {
  type DeliveryChannel,
  type DeliveryReason,
  type DeliverySubject,
  groupChannels,
} from '@tocsin/contract/notify/delivery'
import { listSourceStates } from '@tocsin/contract/notify/delivery-machine'
import { notifyLabel } from '@tocsin/contract/notify/notify-labels'
import type { ReachChannel } from '@tocsin/contract/school/employee'
import { randomUUID } from 'node:crypto'
import { type InsertObject, sql } from 'kysely'
import type { Db } from '#db/db'
import { emitEvents, type NewEvent } from '#db/event'
import { unscoped } from '#db/scope'
import type { AllTables } from '#db/tables'
import { loadConfiguredChannels } from './channel/configured.ts'
import { planPersonChannels } from './person-channels.ts'
import { wakeNotifySender } from './sender-wake.ts'

/** The subject of a message. */
export type DeliverySubjectRef = { type: DeliverySubject; id: number }

export type DeliveryPlan = {
  subject: DeliverySubjectRef
  /** Visibility of the rows in the list of deliveries: the school, and the department that works on the matter. */
  schoolId: number | null
  deptId: number | null
  /** 1 to 4. Decides how long a channel may take before the next one starts, and when a message is too old to send. */
  level: number
  step?: number
  title: string
  body: string
  /** A page of the console, like `/warn/record?record=7`. */
  link?: string
  userIds: readonly number[]
  /** Of these, people on duty at the place. */
  onDuty?: readonly number[]
  /** Of these, people who are told only after the next channel would start, once somebody on duty can be told. */
  waiting?: readonly number[]
  /**
   * In the order in which they are tried for each person, unless the person registered another one; channels of groups
   * are used once, at the same time.
   */
  channels: readonly DeliveryChannel[]
  /** Distinguishes several plannings of one subject. */
  key?: string
}

/** Seconds after which the next channel starts when no receipt has come (domain 2.11: 10 s on levels 1 and 2). */
const NEXT_CHANNEL_SEC = [10, 10, 120, 600] as const
/** A message expires after this. */
const LIFE_SEC = [600, 600, 3600, 86_400] as const

const ofLevel = (seconds: readonly number[], level: number): number => seconds[level - 1] ?? seconds.at(-1) ?? 0

type Person = {
  id: number
  name: string
  mobile: string | null
  email: string | null
  /** The channels registered for the employee; null for an account without one. */
  registered: ReachChannel[] | null
}
type NewDelivery = InsertObject<AllTables, 'delivery'>
type Common = Omit<NewDelivery, 'channel' | 'state' | 'recipientName'>

const isGroup = (channel: DeliveryChannel): boolean => groupChannels.some((group) => group === channel)

/** The masked address of a person in a channel; null when the account has none. */
const addressOf = (channel: DeliveryChannel, { mobile, email }: Person): string | null => {
  if (channel === 'SMS' || channel === 'VOICE') return mobile && maskMobile(mobile)
  return channel === 'EMAIL' ? email && maskEmail(email) : null
}

const suppressed = (reason: DeliveryReason) => ({ state: 'SUPPRESSED', reason, endedAt: sql<Date>`now()` }) as const

const whyNot = (channel: DeliveryChannel, person: Person, configured: ReadonlySet<DeliveryChannel>) => {
  if (!configured.has(channel)) return 'NOT_CONFIGURED'
  return channel !== 'INAPP' && addressOf(channel, person) === null ? 'NO_ADDRESS' : undefined
}

const stateAt = (channel: DeliveryChannel, afterSec: number) => {
  if (afterSec > 0) return { state: 'PLANNED', dueAt: sql<Date>`now() + make_interval(secs => ${afterSec})` } as const
  // The event of this transaction delivers the message.
  return channel === 'INAPP'
    ? ({ state: 'SENT', attempts: 1, sentAt: sql<Date>`now()` } as const)
    : ({ state: 'QUEUED' } as const)
}

type Planning = { common: Common; plan: DeliveryPlan; configured: ReadonlySet<DeliveryChannel> }

/** Rows of one person: the usable channels one after another, the others with the reason. */
const personRows = ({ common, plan, configured }: Planning, person: Person, delaySec: number): NewDelivery[] => {
  const { id: userId, name: recipientName, registered } = person
  const channels = plan.channels.filter((channel) => !isGroup(channel))
  const whyUnusable = (channel: DeliveryChannel) => whyNot(channel, person, configured)
  const steps = planPersonChannels(
    { ...plan, channels },
    { registered, whyUnusable },
    ofLevel(NEXT_CHANNEL_SEC, plan.level),
  )
  return steps.map(({ channel, afterSec, reason }) => ({
    ...common,
    userId,
    recipientName,
    channel,
    address: addressOf(channel, person),
    ...(reason ? suppressed(reason) : stateAt(channel, delaySec + afterSec)),
  }))
}

const groupRows = (common: Common, { channels }: DeliveryPlan, configured: ReadonlySet<DeliveryChannel>) =>
  channels.filter(isGroup).map((channel): NewDelivery => {
    const row = { ...common, recipientName: notifyLabel('deliveryChannel', channel, 'zh-cn'), channel }
    return configured.has(channel) ? { ...row, state: 'QUEUED' } : { ...row, ...suppressed('NOT_CONFIGURED') }
  })

const loadPeople = (trx: Db, userIds: readonly number[]): Promise<Person[]> =>
  unscoped(trx, 'a message reaches whom its planner names')
    .selectFrom('users')
    .leftJoin('employee', (join) => join.onRef('employee.userId', '=', 'users.id').on('employee.status', '<>', 'LEFT'))
    .select(['users.id', 'users.nickname as name', 'users.mobile', 'users.email', 'employee.channels as registered'])
    .where('users.id', '=', sql<number>`any(${[...new Set(userIds)]})`)
    .where('users.enabled', '=', true)
    .orderBy('users.id')
    .execute()

const cut = (text: string, length: number) => [...text].slice(0, length).join('')

const commonColumns = (plan: DeliveryPlan): Common => ({
  subjectType: plan.subject.type,
  subjectId: plan.subject.id,
  planKey: plan.key ?? randomUUID(),
  schoolId: plan.schoolId,
  deptId: plan.deptId,
  level: plan.level,
  step: plan.step ?? 0,
  title: cut(plan.title, 100),
  body: cut(plan.body, 500),
  link: plan.link ?? null,
  expiresAt: sql<Date>`now() + make_interval(secs => ${ofLevel(LIFE_SEC, plan.level)})`,
})

/** Events for pages: the list of deliveries, and each recipient of a new in-app message. */
export const deliveryEvents = (
  rows: readonly {
    id: number
    userId: number | null
    schoolId: number | null
    deptId: number | null
    arrived: boolean
  }[],
): NewEvent[] => {
  const [first] = rows
  if (!first) return []
  const { id: ref, schoolId, deptId } = first
  const arrived = rows.filter((row) => row.arrived && row.userId !== null)
  return [
    // An event without an address would reach every page.
    ...(schoolId === null && deptId === null ? [] : [{ type: 'delivery.changed', ref, schoolId, deptId } as const]),
    ...arrived.map((row) => ({ type: 'delivery.arrived', ref: row.id, userId: row.userId }) as const),
  ]
}

type NewRows = { plan: DeliveryPlan; rows: NewDelivery[] }

const toRows = (
  plan: DeliveryPlan,
  peopleById: ReadonlyMap<number, Person>,
  configured: ReadonlySet<DeliveryChannel>,
): NewRows => {
  const common = commonColumns(plan)
  const waiting = new Set(plan.waiting)
  const userIds = [...new Set(plan.userIds)].toSorted((a, b) => a - b)
  const rowsOf = (ids: readonly number[], delaySec: number): NewDelivery[] =>
    ids.flatMap((id) => {
      const person = peopleById.get(id)
      return person ? personRows({ common, plan, configured }, person, delaySec) : []
    })
  const first = rowsOf(
    userIds.filter((id) => !waiting.has(id)),
    0,
  )
  const onDuty = new Set<unknown>(plan.onDuty)
  const isDutyTold = first.some(({ userId, state }) => onDuty.has(userId) && state !== 'SUPPRESSED')
  const later = rowsOf(
    userIds.filter((id) => waiting.has(id)),
    isDutyTold ? ofLevel(NEXT_CHANNEL_SEC, plan.level) : 0,
  )
  const found = [...first, ...later, ...groupRows(common, plan, configured)]
  const channel = plan.channels[0] ?? 'INAPP'
  const rows = found.length > 0 ? found : [{ ...common, recipientName: '–', channel, ...suppressed('NO_RECIPIENT') }]
  return { plan, rows }
}

/** As `planDeliveries`, for several subjects at once: what they share is read once and all rows are written together. */
export const planDeliveriesTogether = async (trx: Db, plans: readonly DeliveryPlan[]): Promise<number[]> => {
  if (plans.length === 0) return []
  const configured = await loadConfiguredChannels(trx)
  const userIds = plans.flatMap((plan) => plan.userIds)
  const people = userIds.length > 0 ? await loadPeople(trx, userIds) : []
  const peopleById = new Map(people.map((person) => [person.id, person]))
  const planned = plans.map((plan) => toRows(plan, peopleById, configured))
  const written = await unscoped(trx, 'a message is written for whom its planner names')
    .insertInto('delivery')
    .values(planned.flatMap(({ rows }) => rows))
    .returning(['id', 'userId', 'schoolId', 'deptId', 'channel', 'state', 'subjectType', 'subjectId', 'planKey'])
    .execute()
  const isOf = ({ plan: { subject }, rows: [first] }: NewRows, row: (typeof written)[number]) =>
    row.subjectType === subject.type && row.subjectId === subject.id && row.planKey === first?.planKey
  const groups = planned.map((item) => written.filter((row) => isOf(item, row)))
  const events = groups.flatMap((rows) =>
    deliveryEvents(rows.map((row) => ({ ...row, arrived: row.channel === 'INAPP' && row.state === 'SENT' }))),
  )
  await emitEvents(trx, ...events)
  wakeNotifySender()
  return groups.map((rows) => rows.filter(({ state }) => state !== 'SUPPRESSED').length)
}

/**
 * Plans messages about one subject inside the caller's transaction: they exist exactly when the change does. In-app
 * messages reach open pages with the commit; the sender of any node delivers the others. For each person the first
 * usable channel starts at once and each further one after 10 s (levels 1 and 2) without a receipt. Users without an
 * address, channels without a configuration, and channels that the person does not want then leave a SUPPRESSED row
 * with the reason.
 * @returns the number of planned messages; 0 means that nobody is notified, which level 1 must report prominently
 */
export const planDeliveries = async (trx: Db, plan: DeliveryPlan): Promise<number> => {
  const [count = 0] = await planDeliveriesTogether(trx, [plan])
  return count
}

/**
 * Cancels the messages about a subject that were not sent yet, because its notification starts again or pauses. Sent
 * ones stay as they are: their subject is still open.
 */
export const cancelUnsentDeliveries = async (
  trx: Db,
  { type, id }: DeliverySubjectRef,
  reason: DeliveryReason,
): Promise<void> => {
  const all = unscoped(trx, 'the caller holds the lock of the subject')
  const rows = await all
    .selectFrom('delivery')
    .select(['id', 'userId', 'schoolId', 'deptId'])
    .where('subjectType', '=', type)
    .where('subjectId', '=', id)
    .where('state', 'in', [...listSourceStates('cancel')])
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.length === 0) return
  await all
    .updateTable('delivery')
    .set({ state: 'CANCELLED', reason, endedAt: sql<Date>`now()`, leaseUntil: null })
    .where('id', '=', sql<number>`any(${rows.map((row) => row.id)})`)
    .execute()
  await emitEvents(trx, ...deliveryEvents(rows.map((row) => ({ ...row, arrived: false }))))
}

/**
 * Cancels the planned messages about a subject, in the transaction of the claim, receipt or end that makes them
 * needless: PLANNED and QUEUED become CANCELLED, in-app messages are removed from pages, and a message in sending is
 * not retried. `repliedBy`: the acting user, whose own messages become REPLIED.
 */
export const cancelDeliveries = async (
  trx: Db,
  { type, id }: DeliverySubjectRef,
  reason: DeliveryReason,
  { repliedBy }: { repliedBy?: number } = {},
): Promise<void> => {
  const all = unscoped(trx, 'whoever ends a matter ends the messages about it')
  // In the order of ids: receipts lock several rows of a subject as well.
  const rows = await all
    .selectFrom('delivery')
    .select(['id', 'userId', 'state', 'channel', 'schoolId', 'deptId'])
    .where('subjectType', '=', type)
    .where('subjectId', '=', id)
    .where('endedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.length === 0) return
  const change = (ids: readonly number[]) => all.updateTable('delivery').where('id', '=', sql<number>`any(${ids})`)
  const endedAt = sql<Date>`now()`
  const is = (verb: 'cancel' | 'reply') => rows.filter(({ state }) => listSourceStates(verb).includes(state))
  const replied = is('reply').filter(({ userId }) => repliedBy !== undefined && userId === repliedBy)
  const cancelled = is('cancel')
  const done = new Set([...replied, ...cancelled])
  const others = rows.filter((row) => !done.has(row))
  const idsOf = (some: typeof rows) => some.map((row) => row.id)
  if (cancelled.length > 0)
    await change(idsOf(cancelled)).set({ state: 'CANCELLED', reason, endedAt, leaseUntil: null }).execute()
  if (replied.length > 0) await change(idsOf(replied)).set({ state: 'REPLIED', repliedAt: endedAt, endedAt }).execute()
  if (others.length > 0) await change(idsOf(others)).set({ endedAt }).execute()
  const arrived = (row: (typeof rows)[number]) => row.channel === 'INAPP' && !cancelled.includes(row)
  await emitEvents(trx, ...deliveryEvents(rows.map((row) => ({ ...row, arrived: arrived(row) }))))
}
