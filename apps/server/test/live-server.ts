import type { AddressInfo } from 'node:net'
import { eventPermissions } from '@tocsin/contract/live'
import type pg from 'pg'
import { type Db, openDb, openPool } from '../src/db/db.ts'
import { emitEvents, type NewEvent, wakeSequencer } from '../src/db/event.ts'
import { createHttpApp } from '../src/http/app.ts'
import type { AuthResult, Authenticate } from '../src/http/mount.ts'
import type { Actor } from '../src/http/route.ts'
import type { ConnectionLimits, HeartbeatReport } from '../src/live/connection.ts'
import { type Hub, startHub } from '../src/live/hub.ts'
import { startSequencer } from '../src/live/sequencer.ts'
import type { StorageStatus } from '#db/storage/storage-status'
import { mountLiveSocket } from '../src/live/socket.ts'
import type { TestDatabase } from './database.ts'
import { openLivePage, type LivePage } from './live-page.ts'
import { quietLog } from './quiet-log.ts'

export const makeActor = (sight: Partial<Actor> & { userId: number }): Actor => ({
  depts: [],
  schools: [],
  sessionId: sight.userId,
  deptId: 1,
  username: `user${sight.userId}`,
  nickname: `user ${sight.userId}`,
  permissions: new Set(Object.values(eventPermissions).flat()),
  ...sight,
})

type Live = Extract<AuthResult, { kind: 'live' }>

export const live = (actor: Actor, rest: Partial<Live> = {}): AuthResult => ({
  kind: 'live',
  actor,
  locked: false,
  mustChangePassword: false,
  expiresAt: new Date(Date.now() + 3_600_000),
  ...rest,
})

type Options = {
  hubConnection?: pg.ClientConfig
  limits?: Partial<ConnectionLimits>
  origin?: string
  storage?: StorageStatus
  /** Replaces the entries of `bearers`. */
  find?: Authenticate
}

/** A node as main creates it, whose tokens are entries of `bearers`. */
export type LiveServer = {
  port: number
  db: Db
  pool: pg.Pool
  hub: Hub
  bearers: Map<string, AuthResult>
  beats: HeartbeatReport[]
  dropped: unknown[]
  counts: { open: number }
  /** Sockets on the side of the server. */
  clients: () => { readyState: number }[]
  commit: (...events: NewEvent[]) => Promise<void>
  /** A signed-in page that has received `ready`. */
  page: (token: string, since?: number) => Promise<LivePage>
  stop: () => Promise<void>
}

export const startLiveServer = async (database: TestDatabase, options: Options = {}): Promise<LiveServer> => {
  const pool = openPool({ ...database.app, max: 10, connectionTimeoutMillis: 0 }, 20)
  const db = openDb(pool)
  const bearers = new Map<string, AuthResult>()
  const beats: HeartbeatReport[] = []
  const dropped: unknown[] = []
  const counts = { open: 0, due: 0, rings: false }
  const sequencer = startSequencer({ connection: database.app, log: quietLog })
  const connection = options.hubConnection ?? database.app
  const hub = await startHub({ connection, log: quietLog, invalidateSessionCache: (which) => dropped.push(which) })
  const app = await createHttpApp({})
  await mountLiveSocket(app, {
    hub,
    db,
    log: quietLog,
    ...(options.storage && { storage: options.storage }),
    authenticate: options.find ?? (async (token) => bearers.get(token) ?? { kind: 'none' }),
    onHeartbeat: async (beat) => void beats.push(beat),
    countOpen: async () => counts,
    origin: options.origin,
    ...(options.limits && { limits: options.limits }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo // a TCP server's address has a port
  return {
    port,
    db,
    pool,
    hub,
    bearers,
    beats,
    dropped,
    counts,
    clients: () => [...app.websocketServer.clients],
    commit: async (...events) => {
      await db.transaction().execute((trx) => emitEvents(trx, ...events))
      wakeSequencer()
    },
    page: async (token, since) => {
      const page = await openLivePage({ port })
      page.say({ type: 'auth', token, ...(since !== undefined && { since }) })
      await page.until(({ type }) => type === 'ready')
      return page
    },
    stop: async () => {
      await app.close()
      await hub.stop()
      await sequencer.stop()
      await pool.end()
    },
  }
}
