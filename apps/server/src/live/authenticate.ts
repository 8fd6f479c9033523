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
import { permissionsOfEvent, type EventType, type LiveTopic, liveTopics } from '@tocsin/contract/live'

const names = Object.keys(liveTopics) as LiveTopic[] // its keys are its type
const topicOf = new Map<EventType, LiveTopic>(
  names.flatMap((name) => liveTopics[name].events.map((type): [EventType, LiveTopic] => [type, name])),
)

/**
 * Decides whether a socket receives a visible event. An event with a topic is only for sockets that follow it, and a
 * socket never sends what the user's calls would be denied.
 */
const shouldDeliver = ({ topics, actor }: LiveConnection, type: EventType): boolean => {
  const needs = permissionsOfEvent(type)
  if (needs && !needs.some((permission) => actor?.permissions.has(permission))) return false
  const topic = topicOf.get(type)
  if (topic === undefined) return true
  return topics.has(topic) && actor?.permissions.has(liveTopics[topic].permission) === true
}

type Live = Extract<AuthResult, { kind: 'live' }>

const LONGEST_TIMER = 2 ** 31 - 1

const endAfter = (connection: LiveConnection, ms: number) => {
  clearTimeout(connection.timer)
  const wait = Math.min(Math.max(ms, 0), LONGEST_TIMER)
  connection.timer = setTimeout(() => closeConnection(connection, closeCodes.unauthenticated, 'token expired'), wait)
}

const takeSocketSlot = (connection: LiveConnection, userId: number): boolean => {
  const { socketsByUser, limits } = connection.deps
  const taken = socketsByUser.get(userId) ?? 0
  if (taken >= limits.socketsPerUser) return false
  socketsByUser.set(userId, taken + 1)
  return true
}

const skipToHead = (connection: LiveConnection) => {
  connection.resyncDue = false
  connection.cursor = connection.deps.hub.lastSeq()
  connection.live = true
  sendFrame(connection, { type: 'resync', seq: connection.cursor })
}

const sendPage = async (connection: LiveConnection, frames: Buffer[]) => {
  for (const frame of frames.slice(0, -1)) sendEncoded(connection, frame)
  const last = frames.at(-1)
  // Waits until the frame was written: ten thousand frames at once would look like a page that does not read.
  if (last) await new Promise<void>((resolve) => sendEncoded(connection, last, resolve))
}

/** Sends the missed events, then goes live in the same step in which none is missing. A revalidation interrupts it. */
const catchUp = async (connection: LiveConnection) => {
  const { hub, replay } = connection.deps
  const { actor } = connection
  const interrupted = () => connection.ended || connection.recheckDue
  if (!actor || interrupted()) return
  const complete =
    !connection.resyncDue && (await replay.possible(actor, { since: connection.cursor, head: hub.lastSeq() }))
  if (interrupted()) return
  if (!complete) return skipToHead(connection)
  while (connection.cursor < hub.lastSeq()) {
    const head = hub.lastSeq()
    const page = await replay.page(actor, { since: connection.cursor, head })
    if (interrupted()) return
    connection.cursor = page.length < REPLAY_PAGE_SIZE ? head : (page.at(-1)?.seq ?? head)
    const events = page.filter(({ type }) => shouldDeliver(connection, type))
    await sendPage(connection, events.map(encodeEventFrame))
    if (interrupted()) return
  }
  connection.live = true
}

/** Applies what the token grants. The last check and the subscription are one step, so no change slips between them. */
const attachUser = (connection: LiveConnection, { actor, locked, expiresAt, mustChangePassword }: Live): boolean => {
  if (mustChangePassword) {
    sendFrame(connection, { type: 'refused', code: codes.mustChangePassword.code })
    closeConnection(connection, closeCodes.unauthenticated, 'password must be changed')
  } else if (connection.actor && connection.actor.userId !== actor.userId)
    closeConnection(connection, closeCodes.unauthenticated, 'another person')
  else if (!connection.actor && !takeSocketSlot(connection, actor.userId))
    closeConnection(connection, closeCodes.tooMany, 'too many sockets')
  else {
    connection.leavePending()
    connection.actor = actor
    connection.locked = locked
    endAfter(connection, expiresAt.getTime() + connection.deps.limits.graceMs - Date.now())
    connection.deps.hub.join(toSubscriber(connection), actor)
    return true
  }
  return false
}

const identify = async (connection: LiveConnection, token: string): Promise<boolean> => {
  const { hub, authenticate: find, replay } = connection.deps
  for (;;) {
    const before = hub.accessVersion()
    const bearer = await replay.limit(() => find(token))
    if (connection.ended) return false
    // Data read while rights or sessions changed may be outdated.
    if (hub.accessVersion() !== before) continue
    if (bearer.kind === 'live') return attachUser(connection, bearer)
    if (bearer.kind === 'killed') closeConnection(connection, closeCodes.killed, bearer.reason)
    else closeConnection(connection, closeCodes.unauthenticated, 'not signed in')
    return false
  }
}

type Admission = { token: string; since?: number | undefined }

const authenticate = async (connection: LiveConnection, { token, since }: Admission, announced: boolean) => {
  connection.recheckDue = false
  const known = connection.actor !== undefined
  const before = connection.locked
  if (!(await identify(connection, token))) return
  connection.token = token
  // Later frames only bring a fresh token: the socket knows better than the page what it has sent.
  if (!known) connection.cursor = since ?? connection.deps.hub.lastSeq()
  if (announced || before !== connection.locked)
    sendFrame(connection, { type: 'ready', seq: connection.cursor, locked: connection.locked })
  if (connection.locked) await sendOpenAlarmCount(connection)
  else await catchUp(connection)
}

const pause = (connection: LiveConnection) => {
  if (connection.live) connection.cursor = connection.deps.hub.lastSeq()
  connection.live = false
}

/** The page sent a token: in its first frame, or a fresh one before the old one expires. */
export const authenticateSocket = (connection: LiveConnection, admission: Admission) => {
  if (!connection.token) clearTimeout(connection.timer)
  enqueueTask(connection, () => {
    pause(connection)
    return authenticate(connection, admission, true)
  })
}

const recheck = (connection: LiveConnection) => {
  pause(connection)
  if (connection.recheckDue) return
  connection.recheckDue = true
  enqueueTask(connection, async () => {
    // A concurrent sign-in has already checked.
    if (connection.recheckDue && connection.token) await authenticate(connection, { token: connection.token }, false)
  })
}

const listeners = new WeakMap<LiveConnection, Subscriber>()

/** The hub's view of the socket. */
export const toSubscriber = (connection: LiveConnection): Subscriber => {
  const known = listeners.get(connection)
  if (known) return known
  const listener: Subscriber = {
    deliver: (event, frame) => {
      if (connection.locked && event.type.startsWith('alarm.') && shouldDeliver(connection, event.type))
        void sendOpenAlarmCount(connection)
      if (!connection.live || event.seq <= connection.cursor) return
      connection.cursor = event.seq
      if (shouldDeliver(connection, event.type)) sendEncoded(connection, frame)
    },
    revalidate: () => recheck(connection),
    resync: () => {
      connection.resyncDue = true
      recheck(connection)
    },
  }
  listeners.set(connection, listener)
  return listener
}
