import { sql } from 'kysely'
import { fetchBounded } from '#areas/access/outbound/bounded-fetch'
import { webhookSignature } from '#areas/notify/channel/webhook'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { decryptSetting } from '#settings/secret-setting'

type Log = Record<'warn', (text: string) => void>
/** `settingKey` decrypts secret settings. */
export type ExchangeSenderDeps = { db: Db; settingKey: Uint8Array; log: Log }

const POLL_MS = 500
/** Longer than a call may take, see `fetchBounded`. */
const LEASE_SEC = 30
const AT_ONCE = 8
/** Seconds after the first failure, the second, and so on; the last one repeats until the message is a day old. */
const RETRY_SEC = [2, 5, 15, 60, 300] as const
const LIFE_MS = 86_400_000

type Queued = Row<'exchangeMessage'>

/** Claims due messages with a lease: in the order of each incident, so that an arrival never precedes its alarm. */
const claimDue = (db: Db): Promise<Queued[]> =>
  db
    .updateTable('exchangeMessage')
    .set({
      state: 'SENDING',
      attempts: sql`attempts + 1`,
      leaseUntil: sql`now() + make_interval(secs => ${LEASE_SEC})`,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('exchangeMessage as m')
        .select('m.id')
        .where('m.dueAt', '<=', sql<Date>`now()`)
        .where(sql<boolean>`(m.state = 'QUEUED' or m.state = 'SENDING' and m.lease_until <= now())`)
        .where(
          sql<boolean>`not exists (select from exchange_message e where e.situation_id = m.situation_id and e.id < m.id
            and e.state in ('QUEUED', 'SENDING'))`,
        )
        .orderBy('m.id')
        .limit(AT_ONCE)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()

type Ending = { state: 'SENT' | 'FAILED' | 'QUEUED'; answer: string; retrySec?: number }

/** Writes the result, unless another node claimed the row after this one's lease had ended. */
const finish = (db: Db, { id, attempts }: Queued, { state, answer, retrySec = 0 }: Ending) =>
  db
    .updateTable('exchangeMessage')
    .set({
      state,
      answer: answer.slice(0, 300),
      leaseUntil: null,
      dueAt: sql<Date>`now() + make_interval(secs => ${retrySec})`,
    })
    .where('id', '=', id)
    .where('state', '=', 'SENDING')
    .where('attempts', '=', attempts)
    .execute()

const isTemporary = (status: number): boolean => status >= 500 || status === 408 || status === 429 || status === 404

/** POST of the stored bytes: a repeated call has the same body and the same idempotency key. */
const post = async ({ db, settingKey }: ExchangeSenderDeps, { body, identifier }: Queued): Promise<Response> => {
  const [url, secret] = await Promise.all([
    decryptSetting(db, settingKey, 'exchange.out-url'),
    decryptSetting(db, settingKey, 'exchange.out-secret'),
  ])
  if (url === '' || secret === '') throw new Error('the exchange is not configured')
  const timestamp = String(Math.floor(Date.now() / 1000))
  return fetchBounded(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'idempotency-key': identifier,
      'x-tocsin-timestamp': timestamp,
      'x-tocsin-signature': `sha256=${webhookSignature(secret, timestamp, body ?? '')}`,
    },
    body: body ?? '',
  })
}

const sendMessage = async (deps: ExchangeSenderDeps, row: Queued): Promise<void> => {
  const { db, log } = deps
  const retrySec = RETRY_SEC[row.attempts - 1] ?? RETRY_SEC[4]
  const isOld = Date.now() - row.createdAt.getTime() > LIFE_MS
  const fail = async (answer: string, isFinal: boolean) => {
    log.warn(`exchange message ${row.identifier} failed at attempt ${row.attempts}: ${answer}`)
    await finish(db, row, isFinal || isOld ? { state: 'FAILED', answer } : { state: 'QUEUED', answer, retrySec })
  }
  try {
    const response = await post(deps, row)
    const answer = `HTTP ${response.status}`
    if (response.ok) await finish(db, row, { state: 'SENT', answer })
    else await fail(answer, !isTemporary(response.status))
  } catch (error) {
    await fail(error instanceof Error ? error.message : String(error), false)
  }
}

/** Sends every due message. @returns how many were tried. */
export const sendDueMessages = async (deps: ExchangeSenderDeps): Promise<number> => {
  const rows = await claimDue(deps.db)
  await Promise.all(rows.map((row) => sendMessage(deps, row)))
  return rows.length
}

/** Sends until stopped. Any number of nodes share the messages. */
export const startExchangeSender = (deps: ExchangeSenderDeps): { stop: () => Promise<void> } => {
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
    while (!stopped) {
      const count = await sendDueMessages(deps).catch((error: unknown) => {
        deps.log.warn(`exchange messages wait, the database does not answer: ${String(error)}`)
        return 0
      })
      if (count === 0 && !stopped) await rest()
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
