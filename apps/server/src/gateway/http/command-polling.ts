import type { DownMessage } from '@tocsin/protocol/decode'
import type { DownChannel } from '@tocsin/protocol/topics'
import { sql } from 'kysely'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#db/db'
import { lockRowsInOrder } from '../outbox/outbox-rows.ts'
import { type VerifyRequest, sendDeviceError, sendUnauthorized } from './signed-request.ts'

const WAIT_MOST_SEC = 50
const WAIT_SEC = 30
const WINDOW_MS = 300_000
/** An unanswered command is sent again after this time, because the device may have lost it. */
const AGAIN_AFTER = sql`interval '30 seconds'`
const MOST = 50

type Told = { channel: DownChannel; message: DownMessage[DownChannel] }

/**
 * A request consumes messages, so a copy of it must fail on every node. The stored nonces are the protection: the nonce is
 * signed, while no device clock decides about admission (DESIGN 6). The window of five minutes around X-Ts only keeps
 * devices with a wrong clock from receiving expired commands.
 */
const isFresh = async (db: Db, deviceId: number, nonce: string): Promise<boolean> => {
  const kept = await db
    .insertInto('deviceNonce')
    .values({ deviceId, nonce })
    .onConflict((conflict) => conflict.doNothing())
    .returning('deviceId')
    .executeTakeFirst()
  return kept !== undefined
}

type Handed = { id: number; channel: DownChannel; payload: Told['message'] }

/**
 * Commands come before receipts, because a press gets its receipt in its own response. The server cannot see whether a
 * response arrived, so it sends a command until the device has answered, and each stage twice.
 */
const take = async (db: Db, deviceId: number): Promise<Told[]> => {
  const due = db
    .selectFrom('deviceOutbox')
    .select('id')
    .where('deviceId', '=', deviceId)
    .where((or) => or.or([or('expiresAt', 'is', null), or('expiresAt', '>', sql<Date>`now()`)]))
    .where((or) => or.or([or('sentAt', 'is', null), or('sentAt', '<', sql<Date>`now() - ${AGAIN_AFTER}`)]))
    .orderBy(sql`channel = 'ack'`)
    .orderBy('id')
    .limit(MOST)
  const { rows } = await sql<Handed>`
    with held as materialized (
      ${lockRowsInOrder(db.selectFrom('deviceOutbox').select(['id', 'channel', 'sentAt']).where('id', 'in', due))}
    ), over as (
      delete from device_outbox where id in (select id from held where channel = 'ack' and sent_at is not null)
      returning id, channel, payload
    ), told as (
      update device_outbox set sent_at = now()
      where id in (select id from held where channel <> 'ack' or sent_at is null)
      returning id, channel, payload
    )
    select * from (select * from over union all select * from told) as handed
    order by channel = 'ack', id`.execute(db)
  return rows.map(({ channel, payload }) => ({
    channel,
    // Each row contains a message of its channel.
    message: channel === 'time' ? { ts: Date.now() } : payload,
  }))
}

export type CommandPolling = {
  wake: (deviceId: number) => void
  stop: () => void
  mount: (scope: FastifyInstance) => void
}

/** `GET commands?wait=30`: answers as soon as a message for the device waits, at the latest after `wait` seconds. */
export const createCommandPolling = ({ db, prove }: { db: Db; prove: VerifyRequest }): CommandPolling => {
  const waiting = new Map<number, () => void>()
  const rung = (deviceId: number, seconds: number, gone: AbortSignal) =>
    new Promise<void>((done) => {
      const end = () => {
        clearTimeout(timer)
        gone.removeEventListener('abort', end)
        if (waiting.get(deviceId) === end) waiting.delete(deviceId)
        done()
      }
      const timer = setTimeout(end, seconds * 1000)
      gone.addEventListener('abort', end)
      // A device polls with one call at a time, so an earlier call belongs to a broken connection.
      waiting.get(deviceId)?.()
      waiting.set(deviceId, end)
    })
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const proven = await prove(request)
    if (!('device' in proven)) return sendUnauthorized(reply, proven)
    const { device, nonce, ts } = proven
    const { wait = String(WAIT_SEC) } = request.query as Record<string, unknown>
    if (typeof wait !== 'string' || !/^\d{1,2}$/.test(wait))
      return sendDeviceError(reply, 400, 'a number of seconds', 'wait')
    if (Math.abs(Date.now() - ts) > WINDOW_MS) return sendDeviceError(reply, 401, 'more than five minutes off', 'X-Ts')
    if (!(await isFresh(db, device.id, nonce))) return sendDeviceError(reply, 401, 'used before', 'X-Nonce')
    const closed = new AbortController()
    reply.raw.once('close', () => closed.abort())
    const wakeUp = rung(device.id, Math.min(Number(wait), WAIT_MOST_SEC), closed.signal)
    const first = await take(db, device.id)
    if (first.length > 0) {
      waiting.get(device.id)?.()
      return reply.send(first)
    }
    await wakeUp
    return reply.send(closed.signal.aborted ? [] : await take(db, device.id))
  }
  return {
    wake: (deviceId) => waiting.get(deviceId)?.(),
    stop: () => {
      for (const end of waiting.values()) end()
    },
    mount: (scope) => void scope.get('/commands', answer),
  }
}
