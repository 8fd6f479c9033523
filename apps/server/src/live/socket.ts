import websocket from '@fastify/websocket'
import { codes } from '@tocsin/contract/codes'
import { HEARTBEAT_MS, PageFrame } from '@tocsin/contract/live'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Db } from '#db/db'
import { ADMIN_API } from '#http/mount'
import { clientAddress } from '#http/transport'
import { metrics } from '#metrics'
import { toSubscriber, authenticateSocket } from './authenticate.ts'
import {
  closeConnection,
  closeCodes,
  type LiveConnection,
  type ConnectionDeps,
  enqueueTask,
  type ConnectionLimits,
  type LiveOptions,
  sendEncoded,
} from './connection.ts'
import { createPendingSocketLimiter } from './pending-sockets.ts'
import { encodeFrame } from './hub.ts'
import { createEventReplay } from './replay.ts'

export const LIVE_PATH = `${ADMIN_API}/infra/ws`

/** DESIGN 5. */
export const defaultSocketLimits: ConnectionLimits = {
  authMs: 5000,
  beatMs: HEARTBEAT_MS,
  graceMs: 60_000,
  socketsPerUser: 20,
  waiting: 1000,
  waitingEach: 200,
  unsentBytes: 1024 * 1024,
}
const FRAME_BYTES = 64 * 1024
/** Heartbeats without a frame or pong of the page before the socket is closed. */
const MOST_UNANSWERED = 3

const PONG = Buffer.from('pong')

export type SocketOptions = LiveOptions & {
  /** For the replay of missed events. */
  db: Db
  /** TOCSIN_ORIGIN: the address browsers use when the Host header does not tell. */
  origin?: string | undefined
  /** Values that only tests shorten. */
  limits?: Partial<ConnectionLimits>
}

/** A page of another site may open sockets to us, but it cannot hide its origin (ASVS 4.4.2). */
export const isOriginAllowed = (origin: string | undefined, host: string | undefined, own: string | undefined) => {
  if (origin === undefined || !URL.canParse(origin)) return false
  const from = new URL(origin)
  if (own !== undefined && from.origin === own) return true
  // Browsers omit the default port of a scheme.
  return host !== undefined && /^https?:$/.test(from.protocol) && from.host === host.toLowerCase()
}

const parseFrame = (text: string): PageFrame | undefined => {
  try {
    return PageFrame.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const enqueueHeartbeatReport = (
  connection: LiveConnection,
  { renew, shown, sounded }: Extract<PageFrame, { type: 'beat' }>,
) =>
  enqueueTask(connection, async () => {
    // A locked session holds no lease: its alarms ring again elsewhere (DESIGN 5).
    if (!connection.actor || connection.locked) return
    try {
      await connection.deps.onHeartbeat({ actor: connection.actor, renew, shown, sounded })
    } catch (error) {
      connection.deps.log.error(`the beat of a page failed: ${String(error)}`)
    }
  })

const receiveFrames = (connection: LiveConnection) => {
  let greeted = false
  return (data: Buffer, binary: boolean) => {
    if (connection.ended) return
    connection.lastHeartbeat = connection.deps.heartbeatNo()
    const text = binary ? '' : data.toString()
    if (text === 'ping') return sendEncoded(connection, PONG)
    const frame = parseFrame(text)
    if (!frame || (!greeted && frame.type !== 'auth'))
      return closeConnection(connection, closeCodes.badFrame, 'bad frame')
    greeted = true
    if (frame.type === 'auth') authenticateSocket(connection, frame)
    else if (frame.type === 'beat') enqueueHeartbeatReport(connection, frame)
    else if (frame.follow) connection.topics.add(frame.name)
    else connection.topics.delete(frame.name)
  }
}

const leave = (connection: LiveConnection) => {
  if (connection.ended) return
  connection.ended = true
  connection.live = false
  clearTimeout(connection.timer)
  connection.leavePending()
  const { hub, connections, socketsByUser } = connection.deps
  hub.leave(toSubscriber(connection))
  connections.delete(connection)
  metrics.consoleConnections.dec()
  if (!connection.actor) return
  const left = (socketsByUser.get(connection.actor.userId) ?? 1) - 1
  if (left > 0) socketsByUser.set(connection.actor.userId, left)
  else socketsByUser.delete(connection.actor.userId)
}

const openConnection = (ws: WebSocket, deps: ConnectionDeps, address: string) => {
  const connection: LiveConnection = {
    ws,
    deps,
    token: undefined,
    actor: undefined,
    locked: false,
    topics: new Set(),
    cursor: 0,
    live: false,
    ended: false,
    recheckDue: false,
    resyncDue: false,
    counting: false,
    countDue: false,
    lastTask: Promise.resolve(),
    taskCount: 0,
    timer: setTimeout(() => closeConnection(connection, closeCodes.unauthenticated, 'no sign-in'), deps.limits.authMs),
    lastHeartbeat: deps.heartbeatNo(),
    leavePending: deps.pendingSockets.enter(address),
    leave: () => leave(connection),
  }
  deps.connections.add(connection)
  metrics.consoleConnections.inc()
  ws.on('message', receiveFrames(connection))
  ws.on('pong', () => (connection.lastHeartbeat = deps.heartbeatNo()))
  ws.on('close', connection.leave)
}

const sendHeartbeats = (deps: ConnectionDeps, n: number) => {
  const seq = deps.hub.lastSeq()
  const notStoredSince = deps.storage?.failingSince()
  const common = { type: 'beat' as const, n, ...(notStoredSince !== undefined && { notStoredSince }) }
  const live = encodeFrame({ ...common, seq })
  const behind = encodeFrame(common)
  for (const connection of deps.connections) {
    if (!connection.actor) continue
    if (n - connection.lastHeartbeat > MOST_UNANSWERED) {
      connection.leave()
      connection.ws.terminate()
      continue
    }
    sendEncoded(connection, connection.live ? live : behind)
    if (!connection.ended) connection.ws.ping()
  }
}

const startHeartbeats = (deps: ConnectionDeps, count: { n: number }) => {
  const timer = setInterval(() => {
    // Without the database nothing is current; the missing heartbeat tells the pages.
    if (!deps.hub.isCurrent()) return
    count.n += 1
    sendHeartbeats(deps, count.n)
  }, deps.limits.beatMs)
  // Screens need not wait for the next heartbeat to show that alarms are not stored, or are again.
  deps.storage?.onChange(() => {
    if (deps.hub.isCurrent()) sendHeartbeats(deps, count.n)
  })
  return () => clearInterval(timer)
}

const register = (app: FastifyInstance, deps: ConnectionDeps, stopBeats: () => void) => {
  const wire = { maxPayload: FRAME_BYTES, perMessageDeflate: false, closeTimeout: 3000 }
  return app.register(websocket, {
    options: wire,
    // Errors of the protocol (a frame too large, a reset) end only their socket; ws has chosen the close code.
    errorHandler: (error) => deps.log.info(`a live socket broke: ${error.message}`),
    preClose(done) {
      stopBeats()
      for (const connection of deps.connections) closeConnection(connection, closeCodes.restart, 'server restarts')
      app.websocketServer.close()
      done()
    },
  })
}

/**
 * Mounts the console's socket. Call it before the other routes: the plugin handles upgrades only of routes mounted
 * after it.
 */
export const mountLiveSocket = async (app: FastifyInstance, options: SocketOptions): Promise<void> => {
  const { db, origin, limits, ...live } = options
  const count = { n: 0 }
  const held = { ...defaultSocketLimits, ...limits }
  const deps: ConnectionDeps = {
    ...live,
    replay: createEventReplay(db),
    limits: held,
    pendingSockets: createPendingSocketLimiter(held),
    socketsByUser: new Map(),
    heartbeatNo: () => count.n,
    connections: new Set(),
  }
  await register(app, deps, startHeartbeats(deps, count))
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = isOriginAllowed(request.headers.origin, request.headers.host, origin)
    if (allowed && !deps.pendingSockets.isFull(clientAddress(request))) return
    const { code, zh } = allowed ? codes.tooMany : codes.forbidden
    return reply.code(allowed ? 429 : 403).send({ code, msg: zh, data: null, traceId: request.id })
  }
  app.get(LIVE_PATH, { websocket: true, onRequest }, (ws, request) => openConnection(ws, deps, clientAddress(request)))
}
