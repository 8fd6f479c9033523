import type { EventType } from '@tocsin/contract/live'
import type pg from 'pg'
import type { Log } from '#config'
import { type WakeSignal, createWakeSignal } from './wake-signal.ts'
import { startReconnectingClient } from './reconnecting-client.ts'
import { EVENT_CHANNEL } from './sequencer.ts'

/** A numbered event. If all three addresses are null, everybody receives it. */
export type SequencedEvent = {
  seq: number
  type: EventType
  ref: number | null
  schoolId: number | null
  deptId: number | null
  userId: number | null
  at: Date
}

export type EventFeedOptions = {
  connection: pg.ClientConfig
  log: Log
  /** Must not throw. Called once per event, in order; `head()` already returns its number. */
  onEvent: (event: SequencedEvent) => void
  /** The database was unavailable and is back: anything may have changed. */
  onReconnect: () => void
}

export type EventFeed = {
  /** The number of the last event received. */
  lastSeq: () => number
  /** Whether the feed is current: the database answers, and no event waits for its number. */
  isCurrent: () => boolean
  ready: Promise<void>
  stop: () => Promise<void>
}

const BATCH = 1000
const POLL_MS = 1000
const STALE_MS = 3000

const unread = `
  select seq, type, ref, school_id as "schoolId", dept_id as "deptId", user_id as "userId", at
  from event where seq > $1 order by seq limit ${BATCH}`

// Ten seconds: longer than any writing transaction of a screen, so beyond it no sequencer is running.
const stuck = `select exists (select from event where seq is null and at < now() - interval '10 s') as stuck`

type Reading = { last: number; readAt: number; checkedAt: number; stuck: boolean; up: boolean }

const readWaiting = async (client: pg.ClientBase, reading: Reading, options: EventFeedOptions) => {
  for (;;) {
    const { rows } = await client.query<SequencedEvent>({ name: 'unread-events', text: unread, values: [reading.last] })
    for (const event of rows) {
      reading.last = event.seq
      options.onEvent(event)
    }
    reading.readAt = performance.now()
    if (rows.length < BATCH) return
  }
}

const checkSequencer = async (client: pg.ClientBase, reading: Reading) => {
  if (performance.now() - reading.checkedAt < POLL_MS) return
  reading.stuck = (await client.query<{ stuck: boolean }>(stuck)).rows[0]?.stuck === true
  reading.checkedAt = performance.now()
}

const headOf = async (client: pg.ClientBase): Promise<number> => {
  const { rows } = await client.query<{ head: number }>('select last_seq as head from event_head')
  return rows[0]?.head ?? 0
}

/** Reads new events through a dedicated connection. After an outage it continues where it stopped. */
export const startEventFeed = (options: EventFeedOptions): EventFeed => {
  const reading: Reading = { last: -1, readAt: 0, checkedAt: 0, stuck: false, up: false }
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const bell: WakeSignal = createWakeSignal()
  const use = async (client: pg.Client, lost: AbortSignal): Promise<never> => {
    client.on('notification', bell.notify)
    await client.query(`listen ${EVENT_CHANNEL}`)
    const head = await headOf(client)
    const first = reading.last < 0
    // A head below the last event received means that the database was restored from an earlier time.
    if (first || head < reading.last) reading.last = head
    await readWaiting(client, reading, options)
    reading.up = true
    if (first) resolve()
    else options.onReconnect()
    try {
      for (;;) {
        await checkSequencer(client, reading)
        await bell.wait(POLL_MS, lost)
        await readWaiting(client, reading, options)
      }
    } finally {
      reading.up = false
    }
  }
  const link = startReconnectingClient({ name: 'the event hub', connection: options.connection, log: options.log, use })
  return {
    lastSeq: () => reading.last,
    isCurrent: () => reading.up && !reading.stuck && performance.now() - reading.readAt < STALE_MS,
    ready,
    stop: link.stop,
  }
}
