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
export const closeConnection = (desk: LiveConnection, code: number, reason: string) => {
  desk.leave()
  desk.ws.close(code, reason)
}

/** Sends an encoded frame. A page that does not read is disconnected and resumes by `since` (trust X20). */
export const sendEncoded = (desk: LiveConnection, bytes: Buffer, written?: () => void) => {
  if (desk.ended) return written?.()
  if (desk.ws.bufferedAmount > desk.deps.limits.unsentBytes) {
    closeConnection(desk, closeCodes.tryLater, 'too slow')
    return written?.()
  }
  desk.ws.send(bytes, { binary: false }, written && (() => written()))
}

export const sendFrame = (desk: LiveConnection, frame: LiveFrame) => sendEncoded(desk, encodeFrame(frame))

const MAX_TASKS = 50

/** Queues a task behind the current ones. A failing task closes the socket, and the page reconnects. */
export const enqueueTask = (desk: LiveConnection, work: () => Promise<void>) => {
  if (desk.ended) return
  if (desk.taskCount >= MAX_TASKS) return closeConnection(desk, closeCodes.tooMany, 'too many frames')
  desk.taskCount += 1
  desk.lastTask = desk.lastTask.then(async () => {
    try {
      if (!desk.ended) await work()
    } catch (error) {
      desk.deps.log.warn(`a live socket is told to come back: ${String(error)}`)
      closeConnection(desk, closeCodes.tryLater, 'not available')
    } finally {
      desk.taskCount -= 1
    }
  })
}

const countOnce = async (desk: LiveConnection) => {
  const { actor, deps } = desk
  if (!actor) return
  const count = await deps.countOpen(actor)
  if (desk.locked && !desk.ended) sendFrame(desk, { type: 'count', ...count })
}

/** Sends a locked page the number of open alarms. Calls during a send are coalesced into one more. */
export const sendOpenAlarmCount = async (desk: LiveConnection): Promise<void> => {
  desk.countDue = true
  if (desk.counting) return
  desk.counting = true
  try {
    while (desk.countDue && desk.locked && !desk.ended) {
      desk.countDue = false
      await countOnce(desk)
    }
  } catch (error) {
    desk.deps.log.warn(`open alarms could not be counted: ${String(error)}`)
    closeConnection(desk, closeCodes.tryLater, 'not available')
  } finally {
    desk.counting = false
  }
}
