import { codes } from '@tocsin/contract/codes'
import type { AuthResult } from '#http/mount'
import {
  closeConnection,
  closeCodes,
  type LiveConnection,
  enqueueTask,
  sendFrame,
  sendEncoded,
  sendOpenAlarmCount,
} from './connection.ts'
import { encodeEventFrame, type Subscriber } from './hub.ts'
import { REPLAY_PAGE_SIZE } from './replay.ts'
import { eventPermissions, type EventType, type LiveTopic, liveTopics } from '@tocsin/contract/live'

const names = Object.keys(liveTopics) as LiveTopic[] // its keys are its type
const topicOf = new Map<EventType, LiveTopic>(
  names.flatMap((name) => liveTopics[name].events.map((type): [EventType, LiveTopic] => [type, name])),
)

/**
 * Decides whether a socket receives a visible event. An event with a topic is only for sockets that follow it, and a
 * socket never sends what the user's calls would be denied.
 */
const shouldDeliver = ({ topics, actor }: LiveConnection, type: EventType): boolean => {
  const needs = eventPermissions[type]
  if (needs && !needs.some((permission) => actor?.permissions.has(permission))) return false
  const topic = topicOf.get(type)
  if (topic === undefined) return true
  return topics.has(topic) && actor?.permissions.has(liveTopics[topic].permission) === true
}

type Live = Extract<AuthResult, { kind: 'live' }>

const LONGEST_TIMER = 2 ** 31 - 1

const endAfter = (desk: LiveConnection, ms: number) => {
  clearTimeout(desk.timer)
  const wait = Math.min(Math.max(ms, 0), LONGEST_TIMER)
  desk.timer = setTimeout(() => closeConnection(desk, closeCodes.unauthenticated, 'token expired'), wait)
}

const takeSocketSlot = (desk: LiveConnection, userId: number): boolean => {
  const { socketsByUser: seats, limits } = desk.deps
  const taken = seats.get(userId) ?? 0
  if (taken >= limits.socketsPerUser) return false
  seats.set(userId, taken + 1)
  return true
}

const skipToHead = (desk: LiveConnection) => {
  desk.resyncDue = false
  desk.cursor = desk.deps.hub.lastSeq()
  desk.live = true
  sendFrame(desk, { type: 'resync', seq: desk.cursor })
}

const sendPage = async (desk: LiveConnection, frames: Buffer[]) => {
  for (const frame of frames.slice(0, -1)) sendEncoded(desk, frame)
  const last = frames.at(-1)
  // Waits until the frame was written: ten thousand frames at once would look like a page that does not read.
  if (last) await new Promise<void>((resolve) => sendEncoded(desk, last, resolve))
}

/** Sends the missed events, then goes live in the same step in which none is missing. A revalidation interrupts it. */
const catchUp = async (desk: LiveConnection) => {
  const { hub, replay } = desk.deps
  const { actor } = desk
  const interrupted = () => desk.ended || desk.recheckDue
  if (!actor || interrupted()) return
  const complete = !desk.resyncDue && (await replay.possible(actor, { since: desk.cursor, head: hub.lastSeq() }))
  if (interrupted()) return
  if (!complete) return skipToHead(desk)
  while (desk.cursor < hub.lastSeq()) {
    const head = hub.lastSeq()
    const page = await replay.page(actor, { since: desk.cursor, head })
    if (interrupted()) return
    desk.cursor = page.length < REPLAY_PAGE_SIZE ? head : (page.at(-1)?.seq ?? head)
    const events = page.filter(({ type }) => shouldDeliver(desk, type))
    await sendPage(desk, events.map(encodeEventFrame))
    if (interrupted()) return
  }
  desk.live = true
}

/** Applies what the token grants. The last check and the subscription are one step, so no change slips between them. */
const attachUser = (desk: LiveConnection, { actor, locked, expiresAt, mustChangePassword }: Live): boolean => {
  if (mustChangePassword) {
    sendFrame(desk, { type: 'refused', code: codes.mustChangePassword.code })
    closeConnection(desk, closeCodes.unauthenticated, 'password must be changed')
  } else if (desk.actor && desk.actor.userId !== actor.userId)
    closeConnection(desk, closeCodes.unauthenticated, 'another person')
  else if (!desk.actor && !takeSocketSlot(desk, actor.userId))
    closeConnection(desk, closeCodes.tooMany, 'too many sockets')
  else {
    desk.leavePending()
    desk.actor = actor
    desk.locked = locked
    endAfter(desk, expiresAt.getTime() + desk.deps.limits.graceMs - Date.now())
    desk.deps.hub.join(toSubscriber(desk), actor)
    return true
  }
  return false
}

const identify = async (desk: LiveConnection, token: string): Promise<boolean> => {
  const { hub, authenticate: find, replay } = desk.deps
  for (;;) {
    const before = hub.accessVersion()
    const bearer = await replay.limit(() => find(token))
    if (desk.ended) return false
    // Data read while rights or sessions changed may be outdated.
    if (hub.accessVersion() !== before) continue
    if (bearer.kind === 'live') return attachUser(desk, bearer)
    if (bearer.kind === 'killed') closeConnection(desk, closeCodes.killed, bearer.reason)
    else closeConnection(desk, closeCodes.unauthenticated, 'not signed in')
    return false
  }
}

type Admission = { token: string; since?: number | undefined }

const authenticate = async (desk: LiveConnection, { token, since }: Admission, announced: boolean) => {
  desk.recheckDue = false
  const known = desk.actor !== undefined
  const before = desk.locked
  if (!(await identify(desk, token))) return
  desk.token = token
  // Later frames only bring a fresh token: the socket knows better than the page what it has sent.
  if (!known) desk.cursor = since ?? desk.deps.hub.lastSeq()
  if (announced || before !== desk.locked) sendFrame(desk, { type: 'ready', seq: desk.cursor, locked: desk.locked })
  if (desk.locked) await sendOpenAlarmCount(desk)
  else await catchUp(desk)
}

const pause = (desk: LiveConnection) => {
  if (desk.live) desk.cursor = desk.deps.hub.lastSeq()
  desk.live = false
}

/** The page sent a token: in its first frame, or a fresh one before the old one expires. */
export const authenticateSocket = (desk: LiveConnection, admission: Admission) => {
  if (!desk.token) clearTimeout(desk.timer)
  enqueueTask(desk, () => {
    pause(desk)
    return authenticate(desk, admission, true)
  })
}

const recheck = (desk: LiveConnection) => {
  pause(desk)
  if (desk.recheckDue) return
  desk.recheckDue = true
  enqueueTask(desk, async () => {
    // A concurrent sign-in has already checked.
    if (desk.recheckDue && desk.token) await authenticate(desk, { token: desk.token }, false)
  })
}

const listeners = new WeakMap<LiveConnection, Subscriber>()

/** The hub's view of the socket. */
export const toSubscriber = (desk: LiveConnection): Subscriber => {
  const known = listeners.get(desk)
  if (known) return known
  const listener: Subscriber = {
    deliver: (event, frame) => {
      if (desk.locked && event.type.startsWith('alarm.') && shouldDeliver(desk, event.type))
        void sendOpenAlarmCount(desk)
      if (!desk.live || event.seq <= desk.cursor) return
      desk.cursor = event.seq
      if (shouldDeliver(desk, event.type)) sendEncoded(desk, frame)
    },
    revalidate: () => recheck(desk),
    resync: () => {
      desk.resyncDue = true
      recheck(desk)
    },
  }
  listeners.set(desk, listener)
  return listener
}
