import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '#config'
import { onSequencerWake } from '#db/event'
import { type WakeSignal, createWakeSignal } from './wake-signal.ts'
import { startReconnectingClient } from './reconnecting-client.ts'

export const EVENT_CHANNEL = 'tocsin_event'
const POKE_CHANNEL = 'tocsin_poke'
/** One holder in the database. The two halves of the key are this product's and this lock's. */
const LOCK = [0x746f6373, 1]
const BATCH = 1000
const POLL_MS = 250
const STANDBY_MS = 1000
const POKE_MS = 20
/** The pause after a numbering: a single event is numbered at once, those of a burst together. */
const PACE_MS = 20

// One statement, so that numbers and head commit together; only committed rows, in the order of their visibility.
const numbering = `
  with fresh as (
    select id, row_number() over (order by id) as n from event where seq is null order by id limit ${BATCH}
  ), numbered as (
    update event set seq = event_head.last_seq + fresh.n from fresh, event_head
    where event.id = fresh.id
    returning seq
  )
  update event_head set last_seq = found.highest
  from (select max(seq) as highest, count(*) as count from numbered) found
  where found.count > 0
  returning last_seq as highest, found.count`

type Numbered = { highest: number; count: number }

/** Numbers the pending events. @returns the highest number given, or undefined if none was pending. */
const numberWaiting = async (client: pg.ClientBase, lost: AbortSignal): Promise<number | undefined> => {
  let highest: number | undefined
  for (;;) {
    lost.throwIfAborted()
    const [batch] = (await client.query<Numbered>({ name: 'number-events', text: numbering })).rows
    highest = batch?.highest ?? highest
    if (!batch || batch.count < BATCH) return highest
  }
}

const lockTaken = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', LOCK)
  return rows[0]?.taken === true
}

/** Until the lock is free, this node notifies the leader of its commits, at most once in 20 ms. */
const standBy = async (client: pg.ClientBase, bell: WakeSignal, lost: AbortSignal) => {
  while (!(await lockTaken(client))) {
    if (!(await bell.wait(STANDBY_MS, lost))) continue
    await client.query(`notify ${POKE_CHANNEL}`)
    await pause(POKE_MS, undefined, { signal: lost })
  }
}

const lead = async (client: pg.ClientBase, bell: WakeSignal, lost: AbortSignal): Promise<never> => {
  client.on('notification', bell.notify)
  await client.query(`listen ${POKE_CHANNEL}`)
  for (;;) {
    const highest = await numberWaiting(client, lost)
    // A separate statement: NOTIFY inside a writing transaction would serialise all commits of the cluster.
    if (highest !== undefined) {
      await client.query('select pg_notify($1, $2)', [EVENT_CHANNEL, String(highest)])
      await pause(PACE_MS, undefined, { signal: lost })
    }
    await bell.wait(POLL_MS, lost)
  }
}

export type Sequencer = { isLeader: () => boolean; stop: () => Promise<void> }

/**
 * Takes part in numbering events: one node holds the lock and numbers, the others stand by. The lock lasts as long as
 * the holder's connection, so a number is never given twice. `connection` is the server's role, without a proxy.
 */
export const startSequencer = ({ connection, log }: { connection: pg.ClientConfig; log: Log }): Sequencer => {
  const bell = createWakeSignal()
  const forget = onSequencerWake(bell.notify)
  let leading = false
  const use = async (client: pg.Client, lost: AbortSignal): Promise<never> => {
    try {
      await standBy(client, bell, lost)
      leading = true
      return await lead(client, bell, lost)
    } finally {
      leading = false
    }
  }
  const link = startReconnectingClient({ name: 'the event sequencer', connection, log, use })
  return {
    isLeader: () => leading,
    stop: async () => {
      forget()
      await link.stop()
    },
  }
}
