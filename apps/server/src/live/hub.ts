import type { EventType, LiveFrame } from '@tocsin/contract/live'
import type pg from 'pg'
import type { Log } from '#config'
import type { Sight } from '#db/scope'
import { makeAudience } from './audience.ts'
import { type NumberedEvent, startFeed } from './feed.ts'

/** What the hub does with a socket. `hear` may come more than once for one event. */
export type Listener = {
  hear: (event: NumberedEvent, frame: Buffer) => void
  /** His rights or his session may have changed: nothing may be sent before they were read again. */
  recheck: () => void
  /** Events may be missing: he must be told to read everything again. */
  resync: () => void
}

export type HubOptions = {
  connection: pg.ClientConfig
  log: Log
  /** Forgets cached actors. */
  dropCached: (which: { userId: number } | 'all') => void
}

export type Hub = {
  head: () => number
  current: () => boolean
  /** How often rights or sessions changed: an answer about them that was asked for before is worth nothing. */
  sightChanges: () => number
  join: (listener: Listener, sight: Sight) => void
  leave: (listener: Listener) => void
  /** Parts of this node that follow a type of event. @returns a function that ends it. */
  onEvent: (type: EventType, call: (event: NumberedEvent) => void) => () => void
  /** After an outage of the database; whoever keeps something in memory reads it again. */
  onBack: (call: () => void) => () => void
  stop: () => Promise<void>
}

const sightTypes: readonly EventType[] = ['permission.changed', 'session.ended']

export const encodeFrame = (frame: LiveFrame): Buffer => Buffer.from(JSON.stringify(frame))

export const eventFrame = ({ type, seq, at, ref, schoolId }: NumberedEvent): Buffer =>
  encodeFrame({ type, id: seq, at: at.getTime(), data: { ref, schoolId } })

const subscriptions = (log: Log) => {
  const calls = new Map<string, Set<(event: NumberedEvent) => void>>()
  const guarded = (call: () => void) => {
    try {
      call()
    } catch (error) {
      log.error(`a subscriber of events failed: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  return {
    guarded,
    tell: (event: NumberedEvent) => {
      for (const call of calls.get(event.type) ?? []) guarded(() => call(event))
    },
    add: (type: EventType, call: (event: NumberedEvent) => void) => {
      const known = calls.get(type) ?? new Set()
      calls.set(type, known.add(call))
      return () => void known.delete(call)
    },
  }
}

/** The node's ear: hears every event once, in order, and tells those in whose sight it is. Resolves when it hears. */
export const startHub = async ({ connection, log, dropCached }: HubOptions): Promise<Hub> => {
  const audience = makeAudience<Listener>()
  const subscribed = subscriptions(log)
  const onBack = new Set<() => void>()
  let sightChanges = 0

  const changeSight = (event: NumberedEvent) => {
    sightChanges += 1
    const personal = event.schoolId === null && event.deptId === null
    dropCached(personal && event.userId !== null ? { userId: event.userId } : 'all')
    audience.each(event, (listener) => listener.recheck())
  }
  const hear = (event: NumberedEvent) => {
    const frame = eventFrame(event)
    audience.each(event, (listener) => subscribed.guarded(() => listener.hear(event, frame)))
    if (sightTypes.includes(event.type)) subscribed.guarded(() => changeSight(event))
    subscribed.tell(event)
  }
  const back = () => {
    sightChanges += 1
    subscribed.guarded(() => dropCached('all'))
    for (const listener of audience.everybody()) subscribed.guarded(listener.resync)
    for (const call of onBack) subscribed.guarded(call)
  }

  const feed = startFeed({ connection, log, hear, back })
  await feed.ready
  return {
    head: feed.head,
    current: feed.current,
    sightChanges: () => sightChanges,
    join: audience.place,
    leave: audience.remove,
    onEvent: subscribed.add,
    onBack: (call) => {
      onBack.add(call)
      return () => void onBack.delete(call)
    },
    stop: feed.stop,
  }
}
