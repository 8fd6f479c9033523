import { codes } from '@tocsin/contract/codes'
import type { Bearer } from '#http/mount'
import { closeDesk, closing, type Desk, enqueue, send, sendBytes, tellCount } from './desk.ts'
import { eventFrame, type Listener } from './hub.ts'
import { PAGE } from './replay.ts'
import { follows } from './topic.ts'

type Live = Extract<Bearer, { kind: 'live' }>

const LONGEST_TIMER = 2 ** 31 - 1

const endAfter = (desk: Desk, ms: number) => {
  clearTimeout(desk.timer)
  const wait = Math.min(Math.max(ms, 0), LONGEST_TIMER)
  desk.timer = setTimeout(() => closeDesk(desk, closing.unauthenticated, 'token expired'), wait)
}

const seatTaken = (desk: Desk, userId: number): boolean => {
  const { seats, limits } = desk.deps
  const taken = seats.get(userId) ?? 0
  if (taken >= limits.socketsPerUser) return false
  seats.set(userId, taken + 1)
  return true
}

const skipToHead = (desk: Desk) => {
  desk.resyncDue = false
  desk.cursor = desk.deps.hub.head()
  desk.live = true
  send(desk, { type: 'resync', seq: desk.cursor })
}

const sendPage = async (desk: Desk, frames: Buffer[]) => {
  for (const frame of frames.slice(0, -1)) sendBytes(desk, frame)
  const last = frames.at(-1)
  // Waits until it was written: ten thousand frames at once would look like a page that does not read.
  if (last) await new Promise<void>((resolve) => sendBytes(desk, last, resolve))
}

/** Sends what was missed, then goes live in the same step in which nothing is missing. A recheck interrupts it. */
const catchUp = async (desk: Desk) => {
  const { hub, replay } = desk.deps
  const { actor } = desk
  const interrupted = () => desk.ended || desk.recheckDue
  if (!actor || interrupted()) return
  const complete = !desk.resyncDue && (await replay.possible(actor, { since: desk.cursor, head: hub.head() }))
  if (interrupted()) return
  if (!complete) return skipToHead(desk)
  while (desk.cursor < hub.head()) {
    const head = hub.head()
    const page = await replay.page(actor, { since: desk.cursor, head })
    if (interrupted()) return
    desk.cursor = page.length < PAGE ? head : (page.at(-1)?.seq ?? head)
    const told = page.filter(({ type }) => follows(desk, type))
    await sendPage(desk, told.map(eventFrame))
    if (interrupted()) return
  }
  desk.live = true
}

/** Takes what the token says. The last look and the place in the audience are one step: no change slips between. */
const seat = (desk: Desk, { actor, locked, expiresAt, mustChangePassword }: Live): boolean => {
  if (mustChangePassword) {
    send(desk, { type: 'refused', code: codes.mustChangePassword.code })
    closeDesk(desk, closing.unauthenticated, 'password must be changed')
  } else if (desk.actor && desk.actor.userId !== actor.userId)
    closeDesk(desk, closing.unauthenticated, 'another person')
  else if (!desk.actor && !seatTaken(desk, actor.userId)) closeDesk(desk, closing.tooMany, 'too many sockets')
  else {
    desk.arrived()
    desk.actor = actor
    desk.locked = locked
    endAfter(desk, expiresAt.getTime() + desk.deps.limits.graceMs - Date.now())
    desk.deps.hub.join(listenerOf(desk), actor)
    return true
  }
  return false
}

const identify = async (desk: Desk, token: string): Promise<boolean> => {
  const { hub, find, replay } = desk.deps
  for (;;) {
    const before = hub.sightChanges()
    const bearer = await replay.gate(() => find(token))
    if (desk.ended) return false
    // What was read while rights or sessions changed may be the old state.
    if (hub.sightChanges() !== before) continue
    if (bearer.kind === 'live') return seat(desk, bearer)
    if (bearer.kind === 'killed') closeDesk(desk, closing.killed, bearer.reason)
    else closeDesk(desk, closing.unauthenticated, 'not signed in')
    return false
  }
}

type Admission = { token: string; since?: number | undefined }

const admit = async (desk: Desk, { token, since }: Admission, announced: boolean) => {
  desk.recheckDue = false
  const known = desk.actor !== undefined
  const before = desk.locked
  if (!(await identify(desk, token))) return
  desk.token = token
  // Later frames only bring a fresh token: what this socket has sent it knows better than the page.
  if (!known) desk.cursor = since ?? desk.deps.hub.head()
  if (announced || before !== desk.locked) send(desk, { type: 'ready', seq: desk.cursor, locked: desk.locked })
  if (desk.locked) await tellCount(desk)
  else await catchUp(desk)
}

const pause = (desk: Desk) => {
  if (desk.live) desk.cursor = desk.deps.hub.head()
  desk.live = false
}

/** The page showed a token: the first frame, or a fresh one before the old expires. */
export const signIn = (desk: Desk, admission: Admission) => {
  if (!desk.token) clearTimeout(desk.timer)
  enqueue(desk, () => {
    pause(desk)
    return admit(desk, admission, true)
  })
}

const recheck = (desk: Desk) => {
  pause(desk)
  if (desk.recheckDue) return
  desk.recheckDue = true
  enqueue(desk, async () => {
    // A sign-in that came between has looked already.
    if (desk.recheckDue && desk.token) await admit(desk, { token: desk.token }, false)
  })
}

const listeners = new WeakMap<Desk, Listener>()

/** How the hub reaches the socket. */
export const listenerOf = (desk: Desk): Listener => {
  const known = listeners.get(desk)
  if (known) return known
  const listener: Listener = {
    hear: (event, frame) => {
      if (desk.locked && event.type.startsWith('alarm.') && follows(desk, event.type)) void tellCount(desk)
      if (!desk.live || event.seq <= desk.cursor) return
      desk.cursor = event.seq
      if (follows(desk, event.type)) sendBytes(desk, frame)
    },
    recheck: () => recheck(desk),
    resync: () => {
      desk.resyncDue = true
      recheck(desk)
    },
  }
  listeners.set(desk, listener)
  return listener
}
