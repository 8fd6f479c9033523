import { type EventType, isRowEvent, type LiveFrame } from '@tocsin/contract/live'
import type pg from 'pg'
import type { Log } from '#config'
import type { Visibility } from '#db/scope'
import { createSubscriberIndex } from './subscriber-index.ts'
import { type SequencedEvent, startEventFeed } from './event-feed.ts'

/** The hub's interface to a socket. `deliver` may be called more than once for one event. */
export type Subscriber = {
  deliver: (event: SequencedEvent, frame: Buffer) => void
  /** Rights or session may have changed: nothing may be sent before they were read again. */
  revalidate: () => void
  /** Events may be missing: the page must be told to read everything again. */
  resync: () => void
}

export type HubOptions = {
  connection: pg.ClientConfig
  log: Log
  /** Invalidates cached actors. */
  invalidateSessionCache: (which: { userId: number } | 'all') => void
}

export type Hub = {
  lastSeq: () => number
  isCurrent: () => boolean
  /** Counts changes of rights and sessions: an answer that was requested before the last change is not valid. */
  accessVersion: () => number
  join: (listener: Subscriber, sight: Visibility) => void
  leave: (listener: Subscriber) => void
  /** Subscribes a part of this node to a type of event. @returns a function that unsubscribes. */
  onEvent: (type: EventType, call: (event: SequencedEvent) => void) => () => void
  /** Called after a database outage; a component that caches data reads it again. */
  onReconnect: (call: () => void) => () => void
  stop: () => Promise<void>
}

const accessEventTypes: readonly EventType[] = ['permission.changed', 'session.ended']

export const encodeFrame = (frame: LiveFrame): Buffer => Buffer.from(JSON.stringify(frame))

export const encodeEventFrame = ({ type, seq, at, ref, schoolId }: SequencedEvent): Buffer => {
  const event = { id: seq, at: at.getTime(), data: { ref, schoolId } }
  return encodeFrame(isRowEvent(type) ? { type: 'row', of: type, ...event } : { type, ...event })
}

const subscriptions = (log: Log) => {
  const calls = new Map<string, Set<(event: SequencedEvent) => void>>()
  const guarded = (call: () => void) => {
    try {
      call()
    } catch (error) {
      log.error(`a subscriber of events failed: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  return {
    guarded,
    tell: (event: SequencedEvent) => {
      for (const call of calls.get(event.type) ?? []) guarded(() => call(event))
    },
    add: (type: EventType, call: (event: SequencedEvent) => void) => {
      const known = calls.get(type) ?? new Set()
      calls.set(type, known.add(call))
      return () => void known.delete(call)
    },
  }
}

/**
 * Receives every event of this node once and in order, and delivers it to the subscribers who can see it. Resolves when
 * the feed is running.
 */
export const startHub = async ({ connection, log, invalidateSessionCache: dropCached }: HubOptions): Promise<Hub> => {
  const audience = createSubscriberIndex<Subscriber>()
  const subscribed = subscriptions(log)
  const onBack = new Set<() => void>()
  let sightChanges = 0

  const changeSight = (event: SequencedEvent) => {
    sightChanges += 1
    const personal = event.schoolId === null && event.deptId === null
    dropCached(personal && event.userId !== null ? { userId: event.userId } : 'all')
    audience.each(event, (listener) => listener.revalidate())
  }
  const hear = (event: SequencedEvent) => {
    const frame = encodeEventFrame(event)
    audience.each(event, (listener) => subscribed.guarded(() => listener.deliver(event, frame)))
    if (accessEventTypes.includes(event.type)) subscribed.guarded(() => changeSight(event))
    subscribed.tell(event)
  }
  const back = () => {
    sightChanges += 1
    subscribed.guarded(() => dropCached('all'))
    for (const listener of audience.everybody()) subscribed.guarded(listener.resync)
    for (const call of onBack) subscribed.guarded(call)
  }

  const feed = startEventFeed({ connection, log, onEvent: hear, onReconnect: back })
  await feed.ready
  return {
    lastSeq: feed.lastSeq,
    isCurrent: feed.isCurrent,
    accessVersion: () => sightChanges,
    join: audience.place,
    leave: audience.remove,
    onEvent: subscribed.add,
    onReconnect: (call) => {
      onBack.add(call)
      return () => void onBack.delete(call)
    },
    stop: feed.stop,
  }
}
