import type { Ack } from '@tocsin/protocol/ack'
import type { DownChannel } from '@tocsin/protocol/topics'
import type { Log } from '#config'
import { canonicalJson } from '#db/canonical-json'
import type { Db } from '#db/db'
import { faultPoint } from '../../fault-injection.ts'
import {
  findStalePending,
  markDelivered,
  markSent,
  listPending,
  deleteExpired,
  deleteDelivered,
  type DeliveredMessage,
  type PendingMessage,
} from './outbox-rows.ts'

/** The delivery route to one device, or through one gateway to its children. */
export type DeliveryRoute = {
  /** Resolves when the message has arrived, rejects when it cannot. Null when the device has not subscribed to the channel. */
  send: (deviceId: number, channel: DownChannel, message: object | null) => Promise<void> | null
  /** Messages sent on this route whose rows still exist, by `keyOf`. */
  sent: Map<string, string>
}

export type OutboxOptions = {
  db: Db
  log: Log
  routeTo: (deviceId: number) => DeliveryRoute | undefined
  /** The devices that this node reaches and sends rows for. */
  reachable: () => number[] | 'all'
  read?: (db: Db, deviceIds: readonly number[]) => Promise<PendingMessage[]>
  /** The next hop is the device itself: a command that stays is delivered, and sent again on the next connection only. */
  reachesDevice?: boolean
}

export type Outbox = {
  /** Sends the receipt of an alarm without reading the row that its commit has written. */
  receipt: (deviceId: number, ack: Ack) => void
  /** Sends the rows of the device, if there are any. */
  wake: (deviceId: number) => void
  wakeAll: () => void
  /** Sends all rows of these devices, also those that another node has sent already. */
  sendAll: (deviceIds: Promise<readonly number[]>) => Promise<void>
  /** Ends the row of a command that the device has answered. */
  answered: (deviceId: number, commandId: string) => void
  stop: () => Promise<void>
}

const GATHER_MS = 20
const SETTLE_MS = 200
const TIDY_MS = 15_000

const keyOf = ({ deviceId, channel, key }: Pick<PendingMessage, 'deviceId' | 'channel' | 'key'>) =>
  `${deviceId}:${channel}:${key}`

/** The time in a clock message is that of sending, not that of the row. */
const messageOf = ({ channel, payload }: Pick<PendingMessage, 'channel' | 'payload'>): object | null =>
  channel === 'time' ? { ts: Date.now() } : payload

/** @param childSn serial number of the child, when a gateway receives the message for it. */
export const encodeDownlink = (message: object | null, childSn?: string): Uint8Array =>
  Buffer.from(JSON.stringify(childSn === undefined ? message : { ...message, sn: childSn }))

type Ledger = {
  arrived: (road: DeliveryRoute, settled: DeliveredMessage) => void
  /** A command has reached its device and waits for the answer. */
  delivered: (commandId: string) => void
  left: (id: number) => void
  stop: () => Promise<void>
}

/** Stores what was sent and what has arrived, many rows at a time. */
const makeLedger = (db: Db, log: Log): Ledger => {
  let arrived: { road: DeliveryRoute | undefined; settled: DeliveredMessage }[] = []
  let left: number[] = []
  let delivered: string[] = []
  const write = async () => {
    const [done, gone, commands] = [arrived, left, delivered]
    arrived = []
    left = []
    delivered = []
    try {
      if (done.length > 0)
        await deleteDelivered(
          db,
          done.map(({ settled }) => settled),
        )
      if (gone.length > 0) await markSent(db, gone)
      if (commands.length > 0) await markDelivered(db, commands)
      for (const { road, settled } of done) road?.sent.delete(keyOf(settled))
    } catch (error) {
      arrived = [...done, ...arrived]
      left = [...gone, ...left]
      delivered = [...commands, ...delivered]
      log.warn(`delivered messages could not be stored: ${String(error)}`)
    }
  }
  let running = Promise.resolve()
  const flush = () => (running = running.then(write))
  const timer = setInterval(() => {
    if (arrived.length + left.length + delivered.length > 0) void flush()
  }, SETTLE_MS)
  return {
    arrived: (road, settled) => void arrived.push({ road, settled }),
    left: (id) => void left.push(id),
    delivered: (commandId) => void delivered.push(commandId),
    stop: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}

type Letter = Omit<PendingMessage, 'id'> & { id: number | null }

const makePost =
  ({ reachesDevice = false }: OutboxOptions, ledger: Ledger) =>
  (road: DeliveryRoute, letter: Letter) => {
    const key = keyOf(letter)
    const text = canonicalJson(letter.payload)
    const underWay = road.sent.get(key) === text
    // The device has just asked for this receipt, so it is sent again even if it was sent before.
    if (underWay && letter.id !== null) return
    faultPoint('beforeOutbox')
    const sending = road.send(letter.deviceId, letter.channel, messageOf(letter))
    if (!sending) return
    road.sent.set(key, text)
    if (letter.id !== null) ledger.left(letter.id)
    const { deviceId, channel, payload } = letter
    const arrive = () => {
      if (channel !== 'cmd') ledger.arrived(road, { deviceId, channel, key: letter.key, payload })
      else if (reachesDevice) ledger.delivered(letter.key)
      else road.sent.delete(key)
    }
    // The row waits for the next connection.
    sending.then(arrive, () => road.sent.delete(key))
  }

const everyTurn = (ms: number, work: () => Promise<void>) => {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= work().finally(() => (running = undefined))
  }, ms)
  return async () => {
    clearInterval(timer)
    await running
  }
}

/**
 * Sends rows of `device_outbox` to reachable devices. A row is deleted when its message has arrived, that of a command when
 * the device has answered it; it waits otherwise.
 */
export const startOutboxDispatcher = (options: OutboxOptions): Outbox => {
  const { db, log, routeTo: roadTo, reachable, read = listPending } = options
  const ledger = makeLedger(db, log)
  const post = makePost(options, ledger)
  const woken = new Set<number>()
  let sending: Promise<void> | undefined

  const send = async (rows: Promise<PendingMessage[]>) => {
    for (const row of await rows) {
      const road = roadTo(row.deviceId)
      if (road) post(road, row)
    }
  }
  const guarded = (work: Promise<void>) =>
    work.catch((error: unknown) => log.warn(`messages to devices wait for the database: ${String(error)}`))
  const gather = async () => {
    await new Promise((done) => setTimeout(done, GATHER_MS))
    const ids = [...woken].filter((id) => roadTo(id) !== undefined)
    woken.clear()
    if (ids.length > 0) await guarded(send(read(db, ids)))
  }
  const wake = (deviceId: number) => {
    if (!roadTo(deviceId)) return
    woken.add(deviceId)
    sending ??= gather().finally(() => {
      sending = undefined
      for (const id of woken) wake(id)
    })
  }
  const tidy = async () => {
    const ids = reachable()
    for (const id of ids.length > 0 ? await findStalePending(db, ids) : []) wake(id)
    await deleteExpired(db)
  }
  const stopTidying = everyTurn(TIDY_MS, () => guarded(tidy()))
  return {
    receipt: (deviceId, ack) => {
      const road = roadTo(deviceId)
      if (road) post(road, { id: null, deviceId, channel: 'ack', key: ack.eventId, payload: ack })
    },
    wake,
    wakeAll: () => void guarded(tidy()),
    sendAll: (deviceIds) => guarded(send(deviceIds.then((ids) => listPending(db, ids)))),
    answered: (deviceId, commandId) => {
      const road: DeliveryRoute = roadTo(deviceId) ?? { send: () => null, sent: new Map() }
      ledger.arrived(road, { deviceId, channel: 'cmd', key: commandId, payload: null })
    },
    stop: async () => {
      await stopTidying()
      await sending
      await ledger.stop()
    },
  }
}
