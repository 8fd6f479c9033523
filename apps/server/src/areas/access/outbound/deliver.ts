import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { deliverMail } from './mail.ts'
import { type Message, decryptMessage } from './queue.ts'
import { deliverSms, type DeliveryDeps } from './sms.ts'
import { PermanentDeliveryError } from './provider-call.ts'

type Log = Record<'info' | 'warn', (text: string) => void>
export type OutboundDeps = {
  db: Db
  /** Opens messages (`keys.outbound`) and secret settings (`keys.setting`). */
  keys: { outbound: Uint8Array; setting: Uint8Array }
  log: Log
}

type Claimed = Pick<Row<'outbound'>, 'id' | 'payload' | 'attempts'> & { late: boolean }

const LEASE_SEC = 60
const AT_ONCE = 4
const POLL_MS = 1000
const ATTEMPTS = 6
/** Delay after the first failure, the second, and so on. */
const AGAIN_SEC = [2, 5, 15, 45, 120]

/** Claims due rows with a lease: the rows of a node that dies become due again. */
const claim = (db: Db): Promise<Claimed[]> =>
  db
    .updateTable('outbound')
    .set({ leaseUntil: sql`now() + make_interval(secs => ${LEASE_SEC})`, attempts: sql`attempts + 1` })
    .where(({ eb, selectFrom }) =>
      eb(
        'id',
        'in',
        selectFrom('outbound')
          .select('id')
          .where('state', '=', 'PENDING')
          .where('dueAt', '<=', sql<Date>`now()`)
          .where(sql<boolean>`coalesce(lease_until <= now(), true)`)
          .orderBy('dueAt')
          .limit(AT_ONCE)
          .forUpdate()
          .skipLocked(),
      ),
    )
    .returning(['id', 'payload', 'attempts', sql<boolean>`expires_at <= now()`.as('late')])
    .execute()

const end = (db: Db, { id, attempts }: Claimed, state: 'SENT' | 'FAILED' | 'DROPPED', lastError: string | null) =>
  db
    .updateTable('outbound')
    .set({ state, endedAt: sql`now()`, payload: null, leaseUntil: null, lastError })
    .where('id', '=', id)
    .where('state', '=', 'PENDING')
    // Another node that claimed it later decides.
    .where('attempts', '=', attempts)
    .execute()

const postpone = (db: Db, { id, attempts }: Claimed, lastError: string) => {
  const seconds = AGAIN_SEC[attempts - 1] ?? AGAIN_SEC.at(-1) ?? POLL_MS
  return db
    .updateTable('outbound')
    .set({ leaseUntil: null, dueAt: sql`now() + make_interval(secs => ${seconds})`, lastError })
    .where('id', '=', id)
    .where('state', '=', 'PENDING')
    .where('attempts', '=', attempts)
    .execute()
}

/** Whether this message has a recipient: decided here, where the requester neither waits nor sees it. */
const wanted = async (db: Db, { channel, to, onlyTo }: Message): Promise<boolean> => {
  if (!onlyTo) return true
  const user = await unscoped(db, 'a message goes to whoever has the contact')
    .selectFrom('users')
    .select(['id', 'enabled'])
    .where(channel === 'SMS' ? sql<boolean>`mobile = ${to}` : sql<boolean>`lower(email) = ${to.toLowerCase()}`)
    .executeTakeFirst()
  return onlyTo === 'USER' ? user?.enabled === true : user === undefined
}

/** The log contains neither the contact nor the content. */
const reason = (error: unknown, { to }: Pick<Message, 'to'>): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(to, '***').slice(0, 300)

const deliver = async ({ db, keys, log }: OutboundDeps, row: Claimed): Promise<void> => {
  const message = row.payload && decryptMessage(keys.outbound, row.payload)
  if (!message) return void (await end(db, row, 'FAILED', 'sealed by another key'))
  if (row.late) return void (await end(db, row, 'FAILED', 'too late'))
  if (!(await wanted(db, message))) return void (await end(db, row, 'DROPPED', null))
  const sending: DeliveryDeps = { db, settingKey: keys.setting, log: log.info.bind(log) }
  try {
    if (message.channel === 'SMS') await deliverSms(sending, message)
    else await deliverMail(sending, message)
    await end(db, row, 'SENT', null)
  } catch (error) {
    const why = reason(error, message)
    const over = error instanceof PermanentDeliveryError || row.attempts >= ATTEMPTS
    log.warn(`message ${row.id} was not sent at attempt ${row.attempts}${over ? ', given up' : ''}: ${why}`)
    if (over) await end(db, row, 'FAILED', why)
    else await postpone(db, row, why)
  }
}

/** Sends due messages outside of any transaction. @returns the number of attempts. */
export const deliverDue = async (parts: OutboundDeps): Promise<number> => {
  const rows = await claim(parts.db)
  await Promise.all(rows.map((row) => deliver(parts, row)))
  return rows.length
}

/** Sends due messages until stopped. Nodes share the queue by leases. */
export const startOutbound = (parts: OutboundDeps): { stop: () => Promise<void> } => {
  let stopped = false
  let wake = () => {}
  const rest = () =>
    new Promise<void>((resume) => {
      const timer = setTimeout(resume, POLL_MS)
      wake = () => {
        clearTimeout(timer)
        resume()
      }
    })
  const run = async () => {
    while (!stopped)
      try {
        if ((await deliverDue(parts)) === 0 && !stopped) await rest()
      } catch (error) {
        parts.log.warn(`messages wait, the database does not answer: ${String(error)}`)
        if (!stopped) await rest()
      }
  }
  const running = run()
  return {
    stop: async () => {
      stopped = true
      wake()
      await running
    },
  }
}
