import type { LiveFrame, LiveTopic } from '@tocsin/contract/live'
import type { WebSocket } from 'ws'
import type { Log } from '#config'
import type { FindBearer } from '#http/mount'
import type { Actor } from '#http/route'
import type { Doorway } from './doorway.ts'
import { encodeFrame, type Hub } from './hub.ts'
import type { Replay } from './replay.ts'

/** Close codes of the console's socket; 1012, 1013 and 1009 are RFC 6455's registry. */
export const closing = {
  restart: 1012,
  tryLater: 1013,
  badFrame: 4400,
  unauthenticated: 4401,
  killed: 4403,
  tooMany: 4429,
} as const

export type Limits = {
  /** Until the first frame. */
  authMs: number
  beatMs: number
  /** A socket outlives its token by this. */
  graceMs: number
  socketsPerUser: number
  /** Sockets that have not signed in yet, in all and from one address: one of a whole site, where a proxy hides others. */
  waiting: number
  waitingEach: number
  unsentBytes: number
}

/** What a page reports with its beat: leases to renew, records it painted and sounded. */
export type PageBeat = { actor: Actor; renew: number[]; shown: number[]; sounded: number[] }

export type LiveOptions = {
  hub: Hub
  find: FindBearer
  onBeat: (beat: PageBeat) => Promise<void>
  /** Open alarms in his sight, those that nobody has, and whether they ring for him: all a locked session is told. */
  countOpen: (actor: Actor) => Promise<{ open: number; due: number; rings: boolean }>
  log: Log
}

export type DeskDeps = LiveOptions & {
  replay: Replay
  limits: Limits
  /** Sockets of each person on this node. */
  seats: Map<number, number>
  doorway: Doorway
  beats: () => number
  desks: Set<Desk>
}

/** One socket of one page. Works run one after another; events pass between them only while `live`. */
export type Desk = {
  readonly ws: WebSocket
  readonly deps: DeskDeps
  token: string | undefined
  actor: Actor | undefined
  locked: boolean
  readonly topics: Set<LiveTopic>
  /** Everything in his sight up to this number was sent. */
  cursor: number
  live: boolean
  ended: boolean
  recheckDue: boolean
  resyncDue: boolean
  counting: boolean
  countDue: boolean
  work: Promise<void>
  works: number
  timer: NodeJS.Timeout
  heardBeat: number
  /** It signed in, or ended before. */
  arrived: () => void
  leave: () => void
}

/** Ends the socket; the page learns why by the code. Safe to call again. */
export const closeDesk = (desk: Desk, code: number, reason: string) => {
  desk.leave()
  desk.ws.close(code, reason)
}

/** Sends an encoded frame. A page that does not read is cut, so that it resumes by `since` (trust X20). */
export const sendBytes = (desk: Desk, bytes: Buffer, written?: () => void) => {
  if (desk.ended) return written?.()
  if (desk.ws.bufferedAmount > desk.deps.limits.unsentBytes) {
    closeDesk(desk, closing.tryLater, 'too slow')
    return written?.()
  }
  desk.ws.send(bytes, { binary: false }, written && (() => written()))
}

export const send = (desk: Desk, frame: LiveFrame) => sendBytes(desk, encodeFrame(frame))

const MOST_WORKS = 50

/** Queues work behind what the socket does already; work that fails ends the socket, which comes back. */
export const enqueue = (desk: Desk, work: () => Promise<void>) => {
  if (desk.ended) return
  if (desk.works >= MOST_WORKS) return closeDesk(desk, closing.tooMany, 'too many frames')
  desk.works += 1
  desk.work = desk.work.then(async () => {
    try {
      if (!desk.ended) await work()
    } catch (error) {
      desk.deps.log.warn(`a live socket is told to come back: ${String(error)}`)
      closeDesk(desk, closing.tryLater, 'not available')
    } finally {
      desk.works -= 1
    }
  })
}

const countOnce = async (desk: Desk) => {
  const { actor, deps } = desk
  if (!actor) return
  const count = await deps.countOpen(actor)
  if (desk.locked && !desk.ended) send(desk, { type: 'count', ...count })
}

/** Tells a locked page how many alarms are open; calls that come meanwhile become one more count. */
export const tellCount = async (desk: Desk): Promise<void> => {
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
    closeDesk(desk, closing.tryLater, 'not available')
  } finally {
    desk.counting = false
  }
}
