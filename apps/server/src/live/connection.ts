import type { LiveFrame, LiveTopic } from '@tocsin/contract/live'
import type { WebSocket } from 'ws'
import type { Log } from '#config'
import type { Authenticate } from '#http/mount'
import type { Actor } from '#http/route'
import type { StorageStatus } from '#db/storage/storage-status'
import type { PendingSocketLimiter } from './pending-sockets.ts'
import { encodeFrame, type Hub } from './hub.ts'
import type { EventReplay } from './replay.ts'

/** Close codes of the console's socket; 1012, 1013 and 1009 are from RFC 6455's registry. */
export const closeCodes = {
  restart: 1012,
  tryLater: 1013,
  badFrame: 4400,
  unauthenticated: 4401,
  killed: 4403,
  tooMany: 4429,
} as const

export type ConnectionLimits = {
  /** The limit for the first frame. */
  authMs: number
  beatMs: number
  /** A socket outlives its token by this. */
  graceMs: number
  socketsPerUser: number
  /** Unauthenticated sockets, in all and per address. One address may be a whole site behind a proxy. */
  waiting: number
  waitingEach: number
  unsentBytes: number
}

/** The page's heartbeat: leases to renew, records displayed and sounded. */
export type HeartbeatReport = { actor: Actor; renew: number[]; shown: number[]; sounded: number[] }

export type LiveOptions = {
  hub: Hub
  authenticate: Authenticate
  onHeartbeat: (beat: HeartbeatReport) => Promise<void>
  /** Open alarms the user can see, unclaimed ones, and whether they ring: all that a locked session receives. */
  countOpen: (actor: Actor) => Promise<{ open: number; due: number; rings: boolean }>
  /** Whether alarms are stored: the heartbeats say since when they are not. */
  storage?: Pick<StorageStatus, 'failingSince' | 'onChange'>
  log: Log
}

export type ConnectionDeps = LiveOptions & {
  replay: EventReplay
  limits: ConnectionLimits
  /** Sockets of each user on this node. */
  socketsByUser: Map<number, number>
  pendingSockets: PendingSocketLimiter
  heartbeatNo: () => number
  connections: Set<LiveConnection>
}

/** One socket of one page. Its tasks run one after another; events are delivered between them only while `live`. */
export type LiveConnection = {
  readonly ws: WebSocket
  readonly deps: ConnectionDeps
  token: string | undefined
  actor: Actor | undefined
  locked: boolean
  readonly topics: Set<LiveTopic>
  /** Every visible event up to this number was sent. */
  cursor: number
  live: boolean
  ended: boolean
  recheckDue: boolean
  resyncDue: boolean
  counting: boolean
  countDue: boolean
  lastTask: Promise<void>
  taskCount: number
  timer: NodeJS.Timeout
  lastHeartbeat: number
  /** It was authenticated or closed before. */
  leavePending: () => void
  leave: () => void
}

/** Closes the socket with a code that tells the page why. Safe to call twice. */
export const closeConnection = (connection: LiveConnection, code: number, reason: string) => {
  connection.leave()
  connection.ws.close(code, reason)
}

/** Sends an encoded frame. A page that does not read is disconnected and resumes by `since` (trust X20). */
export const sendEncoded = (connection: LiveConnection, bytes: Buffer, written?: () => void) => {
  if (connection.ended) return written?.()
  if (connection.ws.bufferedAmount > connection.deps.limits.unsentBytes) {
    closeConnection(connection, closeCodes.tryLater, 'too slow')
    return written?.()
  }
  connection.ws.send(bytes, { binary: false }, written && (() => written()))
}

export const sendFrame = (connection: LiveConnection, frame: LiveFrame) => sendEncoded(connection, encodeFrame(frame))

const MAX_TASKS = 50

/** Queues a task behind the current ones. A failing task closes the socket, and the page reconnects. */
export const enqueueTask = (connection: LiveConnection, work: () => Promise<void>) => {
  if (connection.ended) return
  if (connection.taskCount >= MAX_TASKS) return closeConnection(connection, closeCodes.tooMany, 'too many frames')
  connection.taskCount += 1
  connection.lastTask = connection.lastTask.then(async () => {
    try {
      if (!connection.ended) await work()
    } catch (error) {
      connection.deps.log.warn(`a live socket is told to come back: ${String(error)}`)
      closeConnection(connection, closeCodes.tryLater, 'not available')
    } finally {
      connection.taskCount -= 1
    }
  })
}

const countOnce = async (connection: LiveConnection) => {
  const { actor, deps } = connection
  if (!actor) return
  const count = await deps.countOpen(actor)
  if (connection.locked && !connection.ended) sendFrame(connection, { type: 'count', ...count })
}

/** Sends a locked page the number of open alarms. Calls during a send are coalesced into one more. */
export const sendOpenAlarmCount = async (connection: LiveConnection): Promise<void> => {
  connection.countDue = true
  if (connection.counting) return
  connection.counting = true
  try {
    while (connection.countDue && connection.locked && !connection.ended) {
      connection.countDue = false
      await countOnce(connection)
    }
  } catch (error) {
    connection.deps.log.warn(`open alarms could not be counted: ${String(error)}`)
    closeConnection(connection, closeCodes.tryLater, 'not available')
  } finally {
    connection.counting = false
  }
}
