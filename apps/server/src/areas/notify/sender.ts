import type { DeliveryChannel } from '@tocsin/contract/notify/delivery'
import { groupChannels } from '@tocsin/contract/notify/delivery'
import { sql } from 'kysely'
import { PermanentDeliveryError } from '#areas/access/outbound/provider-call'
import type { DeliveryDeps } from '#areas/access/outbound/sms'
import type { Db } from '#db/db'
import { emitEvents, wakeSequencer } from '#db/event'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { channelDrivers } from './channel/drivers.ts'
import type { OutgoingMessage, ProviderReceipt } from './channel/message.ts'
import { deliveryEvents } from './plan.ts'
import { advanceNextChannel, isNeedless } from './receipt.ts'
import { onNotifySenderWake } from './sender-wake.ts'

type Log = Record<'info' | 'warn', (text: string) => void>
/** `settingKey` decrypts secret settings. */
export type NotifySenderDeps = { db: Db; settingKey: Uint8Array; log: Log }

/** Longer than a provider may take, see `fetchBounded`. */
const LEASE_SEC = 30
const POLL_MS = 500
/** A provider that does not answer blocks only its own channel. */
const MAX_PER_CHANNEL = 8
const MAX_ATTEMPTS = 4
/** Seconds after the first failure, the second, and so on. */
const RETRY_SEC = [2, 5, 15] as const
/** The limit of group robots, for the whole installation. */
const ROBOT_PER_MINUTE = 20

type ClaimedDelivery = Row<'delivery'>

const forSender = (db: Db) => unscoped(db, 'the sender delivers what callers planned')

/** Promotes and claims due rows with a lease; a node that dies with them loses them when it ends. */
const claimDue = async (db: Db, full: readonly DeliveryChannel[]): Promise<ClaimedDelivery[]> => {
  await forSender(db)
    .updateTable('delivery')
    .set({ state: 'QUEUED' })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('delivery')
        .select('id')
        .where('state', '=', 'PLANNED')
        .where('dueAt', '<=', sql<Date>`now()`)
        .orderBy('id')
        .limit(100)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
  return forSender(db)
    .updateTable('delivery')
    .set({
      state: 'SENDING',
      leaseUntil: sql`now() + make_interval(secs => ${LEASE_SEC})`,
      attempts: sql`attempts + 1`,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('delivery as d')
        .select('d.id')
        .where('d.dueAt', '<=', sql<Date>`now()`)
        .where(sql<boolean>`(d.state = 'QUEUED' or d.state = 'SENDING' and d.lease_until <= now())`)
        .$if(full.length > 0, (q) => q.where('d.channel', 'not in', full))
        .where(
          sql<boolean>`(d.channel <> all(${[...groupChannels]}) or (
            select count(*) from delivery s where s.user_id is null and s.channel = d.channel
              and s.sent_at > now() - interval '1 minute'
          ) < ${ROBOT_PER_MINUTE})`,
        )
        .orderBy('d.level')
        .orderBy('d.dueAt')
        .limit(MAX_PER_CHANNEL)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
}

type Ending = Partial<{
  state: Row<'delivery'>['state']
  providerMsgId: string | null
  providerAnswer: string | null
  retrySec: number
}>

/** Writes the result, unless another node claimed the row after this one's lease had ended. */
const finish = async (db: Db, row: ClaimedDelivery, { state, retrySec, ...columns }: Ending): Promise<boolean> => {
  const ended = state === 'FAILED' || state === 'EXPIRED' ? { endedAt: sql<Date>`now()` } : {}
  const retry = retrySec === undefined ? {} : { dueAt: sql<Date>`now() + make_interval(secs => ${retrySec})` }
  const sent = state === 'SENT' ? { sentAt: sql<Date>`now()` } : {}
  const updated = await db.transaction().execute(async (trx) => {
    const written = await forSender(trx)
      .updateTable('delivery')
      .set({ ...columns, ...(state && { state }), ...ended, ...retry, ...sent, leaseUntil: null })
      .where('id', '=', row.id)
      .where('state', '=', 'SENDING')
      // The fence: a later claim incremented the attempts.
      .where('attempts', '=', row.attempts)
      .returningAll()
      .executeTakeFirst()
    if (!written) return false
    if (state === 'FAILED' || state === 'EXPIRED') await advanceNextChannel(trx, written)
    const arrived = state === 'SENT' && row.channel === 'INAPP'
    await emitEvents(trx, ...deliveryEvents([{ ...row, arrived }]))
    return true
  })
  wakeSequencer()
  return updated
}

type Contact = { mobile: string | null; email: string | null }

/** The current address; undefined when the account was disabled or deleted. */
const findContact = async (db: Db, { userId }: ClaimedDelivery): Promise<Contact | undefined> => {
  if (userId === null) return { mobile: null, email: null }
  return forSender(db)
    .selectFrom('users')
    .select(['mobile', 'email'])
    .where('id', '=', userId)
    .where('enabled', '=', true)
    .executeTakeFirst()
}

const toMessage = (row: ClaimedDelivery, contact: Contact): OutgoingMessage => ({
  id: row.id,
  plannedAt: row.createdAt,
  to: row.channel === 'EMAIL' ? contact.email : contact.mobile,
  level: row.level,
  title: row.title,
  body: row.body,
  subject: { type: row.subjectType, id: row.subjectId },
})

/** A log must contain neither address nor text of a message. */
const errorText = (error: unknown, { to }: OutgoingMessage): string => {
  const text = error instanceof Error ? error.message : String(error)
  return (to ? text.replaceAll(to, '***') : text).slice(0, 300)
}

const sendByDriver = (deps: NotifySenderDeps, row: ClaimedDelivery, message: OutgoingMessage) => {
  if (row.channel === 'INAPP') return Promise.resolve<ProviderReceipt>({})
  const { db, settingKey, log } = deps
  const driverDeps: DeliveryDeps = { db, settingKey, log: log.info.bind(log) }
  return channelDrivers[row.channel](driverDeps, message)
}

const onFailure = async (deps: NotifySenderDeps, row: ClaimedDelivery, error: { text: string; final: boolean }) => {
  const final = error.final || row.attempts >= MAX_ATTEMPTS || (await isNeedless(deps.db, row))
  deps.log.warn(`delivery ${row.id} failed at attempt ${row.attempts}${final ? ', given up' : ''}: ${error.text}`)
  if (final) return finish(deps.db, row, { state: 'FAILED', providerAnswer: error.text })
  const retrySec = RETRY_SEC[row.attempts - 1] ?? RETRY_SEC[2]
  return finish(deps.db, row, { state: 'QUEUED', retrySec, providerAnswer: error.text })
}

const deliver = async (deps: NotifySenderDeps, row: ClaimedDelivery): Promise<void> => {
  const contact = await findContact(deps.db, row)
  if (row.expiresAt.getTime() <= Date.now()) return void (await finish(deps.db, row, { state: 'EXPIRED' }))
  if (!contact) return void (await onFailure(deps, row, { text: 'the account is disabled', final: true }))
  // The node of an earlier attempt may have died before it could end the message.
  if (row.attempts > 1 && (await isNeedless(deps.db, row)))
    return void (await finish(deps.db, row, {
      state: 'FAILED',
      providerAnswer: row.providerAnswer ?? 'no longer needed',
    }))
  const message = toMessage(row, contact)
  try {
    const { msgId, answer } = await sendByDriver(deps, row, message)
    await finish(deps.db, row, {
      state: 'SENT',
      providerMsgId: msgId?.slice(0, 100) ?? null,
      providerAnswer: answer?.slice(0, 300) ?? null,
    })
  } catch (error) {
    const text = errorText(error, message)
    await onFailure(deps, row, { text, final: error instanceof PermanentDeliveryError })
  }
}

/** Sends every due message. @returns how many were tried. */
export const deliverDueNotifications = async (deps: NotifySenderDeps): Promise<number> => {
  const rows = await claimDue(deps.db, [])
  await Promise.all(rows.map((row) => deliver(deps, row)))
  return rows.length
}

/** Counts sends in progress by channel. */
const createInFlight = () => {
  const counts = new Map<DeliveryChannel, number>()
  const running = new Set<Promise<void>>()
  return {
    full: () => [...counts].flatMap(([channel, n]) => (n >= MAX_PER_CHANNEL ? [channel] : [])),
    track: (channel: DeliveryChannel, work: Promise<void>) => {
      counts.set(channel, (counts.get(channel) ?? 0) + 1)
      const tracked = work.finally(() => {
        counts.set(channel, (counts.get(channel) ?? 1) - 1)
        running.delete(tracked)
      })
      running.add(tracked)
    },
    settle: () => Promise.allSettled(running),
  }
}

/** Sends until stopped. Any number of nodes share the messages. */
export const startNotifySender = (deps: NotifySenderDeps): { stop: () => Promise<void> } => {
  const inFlight = createInFlight()
  let stopped = false
  let wake = () => {}
  const unsubscribe = onNotifySenderWake(() => wake())
  const rest = () =>
    new Promise<void>((resume) => {
      const timer = setTimeout(resume, POLL_MS)
      wake = () => {
        clearTimeout(timer)
        resume()
      }
    })
  const warn = (error: unknown) => deps.log.warn(`deliveries wait, the database does not answer: ${String(error)}`)
  const run = async () => {
    while (!stopped) {
      const rows = await claimDue(deps.db, inFlight.full()).catch((error: unknown) => {
        warn(error)
        return []
      })
      for (const row of rows) inFlight.track(row.channel, deliver(deps, row).catch(warn))
      if (rows.length === 0 && !stopped) await rest()
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopped = true
      unsubscribe()
      wake()
      await running
      await inFlight.settle()
    },
  }
}
