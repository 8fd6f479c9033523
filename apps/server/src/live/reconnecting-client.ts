import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '#config'
import { readTypes } from '#db/db'

export type ReconnectingClientOptions = {
  /** Its name in the log. */
  name: string
  connection: pg.ClientConfig
  log: Log
  /** Works on a new connection until it throws. `lost` aborts when the connection ended or the client is stopped. */
  use: (client: pg.Client, lost: AbortSignal) => Promise<never>
}
export type ReconnectingClient = { stop: () => Promise<void> }

const backoffMs = [50, 200, 500, 1000, 2000]

/**
 * Both ends notice a half-open connection (trust X07): this one by the query timeout, PostgreSQL after five seconds
 * without a query, which also releases the locks of a node that hangs.
 */
const session = `
  set idle_session_timeout = '5s';
  set statement_timeout = '5s';
  set enable_seqscan = off;
  set tcp_keepalives_idle = 5;
  set tcp_keepalives_interval = 2;
  set tcp_keepalives_count = 3`

const close = async (client: pg.Client, socket: Socket) => {
  await Promise.race([client.end().catch(() => undefined), pause(1000, undefined, { ref: false })])
  socket.destroy()
}

type Ended = { worked: boolean; reason: unknown }

const workOnce = async ({ connection, use }: ReconnectingClientOptions, stopping: AbortSignal): Promise<Ended> => {
  const socket = new Socket()
  const client = new pg.Client({
    types: readTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
    ...connection,
    stream: () => socket,
  })
  const lost = new AbortController()
  client.on('error', (error) => lost.abort(error))
  client.on('end', () => lost.abort(new Error('the connection has ended')))
  let worked = false
  const giveUp = () => socket.destroy()
  try {
    // Stopping does not wait for a database that does not answer.
    stopping.addEventListener('abort', giveUp)
    await client.connect()
    await client.query(session)
    stopping.removeEventListener('abort', giveUp)
    worked = true
    return await use(client, AbortSignal.any([stopping, lost.signal]))
  } catch (reason) {
    return { worked, reason }
  } finally {
    stopping.removeEventListener('abort', giveUp)
    await close(client, socket)
  }
}

const reconnectUntilStopped = async (options: ReconnectingClientOptions, stopping: AbortSignal) => {
  let failures = 0
  while (!stopping.aborted) {
    const { worked, reason } = await workOnce(options, stopping)
    if (stopping.aborted) return
    failures = worked ? 1 : failures + 1
    if (failures === 1) options.log.warn(`${options.name} lost its database and connects again: ${String(reason)}`)
    await pause(backoffMs[failures - 1] ?? 2000, undefined, { signal: stopping }).catch(() => undefined)
  }
}

/** Keeps one dedicated connection open until it is stopped; it never rejects. */
export const startReconnectingClient = (options: ReconnectingClientOptions): ReconnectingClient => {
  const stopping = new AbortController()
  const kept = reconnectUntilStopped(options, stopping.signal)
  return {
    stop: async () => {
      stopping.abort(new Error('stopped'))
      await kept
    },
  }
}
