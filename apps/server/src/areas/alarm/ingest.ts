import type { Alarm } from '@tocsin/protocol/alarm'
import { decodeUp } from '@tocsin/protocol/decode'
import type { DeviceEvent } from '@tocsin/protocol/event'
import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '#db/db'
import { poke } from '#db/event'
import { faultPoint } from '../../fault.ts'
import { Contended } from './intake/raise.ts'
import { forgetRules, rulesOf } from './intake/rulebook.ts'
import {
  type Conclusion,
  concluded,
  type Heard,
  heardAlarm,
  heardEvent,
  type Unparsable,
  unreadable,
} from './intake/signal.ts'
import { type Ingested, take } from './intake/take.ts'

export type { Ingested } from './intake/take.ts'

export type Content =
  | { channel: 'alarm' | 'event'; bytes: Uint8Array }
  | { channel: 'alarm'; message: Alarm }
  | { channel: 'event'; message: DeviceEvent }

/** An alarm or event as it came in. `upNow`: the device's uptime at this moment, where the caller knows it. */
export type Uplink = { deviceId: number; via: 'MQTT' | 'HTTP'; upNow?: number } & Content

const ATTEMPTS = 5
/** Deadlock, serialization failure, a plan that a migration outdated. */
const transient = new Set(['40001', '40P01', '0A000'])
/** Somebody else was first with the open record or the signal; a rule was deleted meanwhile. */
const overtaken = new Set(['warn_record_open_key', 'signal_event_key', 'warn_record_rule_id_fkey'])

const worthAnotherTry = (error: unknown): boolean => {
  if (error instanceof Contended) return true
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  if (constraint === 'warn_record_rule_id_fkey') forgetRules()
  return transient.has(String(code)) || (typeof constraint === 'string' && overtaken.has(constraint))
}

const attempt = async (db: Db, deviceId: number, hear: (now: Date) => Heard): Promise<Ingested> => {
  const rules = await rulesOf(db)
  faultPoint('beforeTx')
  const done = await db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (trx) => {
      const taken = await take(trx, { deviceId, hear, rules })
      faultPoint('beforeCommit')
      return taken
    })
  faultPoint('afterCommit')
  return done
}

const persist = async (db: Db, deviceId: number, hear: (now: Date) => Heard): Promise<Ingested> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(db, deviceId, hear)
    } catch (error) {
      if (tries >= ATTEMPTS || !worthAnotherTry(error)) throw error
      await wait(Math.random() * 20 * 2 ** tries)
    }
  }
}

const turns = new WeakMap<Db, Map<number, Promise<unknown>>>()

/** One signal of a device at a time on this node: a device that sends a thousand at once holds one connection. */
const inTurn = <T>(db: Db, deviceId: number, work: () => Promise<T>): Promise<T> => {
  const queue = turns.get(db) ?? new Map<number, Promise<unknown>>()
  turns.set(db, queue)
  const mine = (queue.get(deviceId) ?? Promise.resolve()).then(work, work)
  queue.set(deviceId, mine)
  const leave = () => queue.get(deviceId) === mine && queue.delete(deviceId)
  mine.then(leave, leave)
  return mine
}

const commit = async (db: Db, deviceId: number, hear: (now: Date) => Heard): Promise<Ingested> => {
  const done = await inTurn(db, deviceId, () => persist(db, deviceId, hear))
  poke()
  return done
}

/**
 * Takes in one alarm or event of a device: everything that follows from it is committed when this resolves. The same
 * event again gets the same answer. What cannot be read is kept and shown as an unparsable alarm.
 * @throws what the database throws when it is away: hold the receipt and call again.
 */
export const ingest = (db: Db, uplink: Uplink): Promise<Ingested> => {
  const { deviceId, ...road } = uplink
  if ('message' in uplink)
    return commit(db, deviceId, () =>
      uplink.channel === 'alarm' ? heardAlarm(uplink.message, road) : heardEvent(uplink.message, road),
    )
  const { channel, bytes, via } = uplink
  if (channel === 'alarm') {
    const decoded = decodeUp('alarm', bytes)
    if (decoded.ok) return commit(db, deviceId, () => heardAlarm(decoded.message, road))
    return ingestUnparsable(db, { deviceId, via, channel, bytes, reason: decoded.reason, field: decoded.field })
  }
  const decoded = decodeUp('event', bytes)
  if (decoded.ok) return commit(db, deviceId, () => heardEvent(decoded.message, road))
  return ingestUnparsable(db, { deviceId, via, channel, bytes, reason: decoded.reason, field: decoded.field })
}

/** Keeps bytes that are no message and raises, or adds to, the device's one unparsable record (domain 3.4). */
export const ingestUnparsable = (db: Db, { deviceId, ...what }: Unparsable & { deviceId: number }): Promise<Ingested> =>
  commit(db, deviceId, (now) => unreadable(what, now))

/**
 * A conclusion of the server about a device. `eventId` (at most 40 characters) makes it idempotent. Inside a
 * transaction it becomes part of it, and the caller pokes after the commit.
 */
export const signalFromServer = async (
  db: Db,
  { deviceId, ...what }: Conclusion & { deviceId: number },
): Promise<Ingested> => {
  const hear = () => concluded(what)
  return db.isTransaction ? take(db, { deviceId, hear, rules: await rulesOf(db) }) : commit(db, deviceId, hear)
}
