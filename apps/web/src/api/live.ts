import { auth } from '@tocsin/contract/access/auth'
import type { Query } from '@tanstack/react-query'
import { create } from 'zustand'
import { endSession, refreshToken } from './call.ts'
import { type HeartbeatReport, LiveClient, type LiveStatus } from './live/client.ts'
import { createEventDispatcher } from './live/dispatcher.ts'
import { createRefetcher } from './live/refetcher.ts'
import { jittered } from './live/jitter.ts'
import { EVERYTHING } from './live/stale-resources.ts'
import type { Alarm } from './live/watch.worker.ts'
import { showLocked, showUnlocked, useLock } from './lock.ts'
import { client, cachedQueryHashes, isFromEarlierPage, queryFor, refetchOne, retryTransient } from './query.ts'
import { onToken, tokens } from './session.ts'

type Status = {
  /** False: the data on the screen may be old, and the screen must say so. */
  live: boolean
  /** Since when, in epoch milliseconds of this computer. */
  since: number
  /** Since when it was not live before: data read since then may miss changes of that time. */
  from: number
  /** The numbers of open alarms and of those without an owner; sent to a locked session only. */
  open: number | undefined
  due: number | undefined
  /** Whether they ring at this user's desk; sent to a locked session only, whose page may not know its permissions. */
  rings: boolean
  /** Since when the server cannot store alarms, in epoch milliseconds of the server. */
  notStoredSince: number | undefined
}

export const useLive = create<Status>()(() => ({
  live: false,
  since: Date.now(),
  from: Date.now(),
  open: undefined,
  due: undefined,
  rings: false,
  notStoredSince: undefined,
}))

/**
 * Uncovers the pages once the server answers; a session that is still locked is rejected and stays covered. All data is
 * read again.
 */
export const checkUnlocked = async (): Promise<void> => {
  await client.invalidateQueries({ refetchType: 'none' })
  await client.fetchQuery({ ...queryFor(auth.permissionInfo), staleTime: 0 })
  useLive.setState({ open: undefined, due: undefined, rings: false })
  showUnlocked()
}

const setStatus = (status: LiveStatus) => {
  if ('locked' in status) {
    if (status.locked) showLocked()
    // The socket may have received it late: another answer decides.
    else if (useLock.getState().locked) void checkUnlocked().catch(() => undefined)
  } else if ('open' in status || 'notStoredSince' in status) useLive.setState(status)
  else {
    const { live, since: from } = useLive.getState()
    if (live !== status.live) useLive.setState({ from, since: Date.now(), ...status })
  }
}

/**
 * Each is called at every beat (10 s) and returns everything that holds now, not only changes: an answer can be lost.
 */
export type Provider = Partial<Record<keyof HeartbeatReport, () => readonly number[]>>
const providers = new Set<Provider>()

const gather = (name: keyof HeartbeatReport) => [...providers].flatMap((provider) => provider[name]?.() ?? [])

// Each by itself: a slow one does not delay the others.
const reread = createRefetcher(refetchOne)
const rereadAll = (hashes: readonly string[]) => {
  for (const hash of hashes) void reread(hash)
}

/** The queue of alarms, which is never delayed. */
const ofNow = { predicate: ({ meta }: Query) => meta?.ofNow === true }
let rereadEverything = () => {}

const { listen, dispatch } = createEventDispatcher({
  reread: (name) => (name === EVERYTHING ? rereadEverything() : rereadAll(cachedQueryHashes({ queryKey: [name] }))),
  report: (error) => reportError(error),
})

const socketAddress = () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/admin-api/infra/ws`

let started: (() => void) | undefined
let report: (() => void) | undefined
let reporting = false

const REPORT_MS = 150

/** Everything shown; the first time without what an earlier page of this tab read less than a minute ago. */
const createRereadShown = () => {
  let isFirst = true
  return () => {
    const filter = isFirst ? { predicate: (query: Query) => !isFromEarlierPage(query) } : undefined
    isFirst = false
    rereadAll(cachedQueryHashes(filter))
  }
}

const start = () => {
  const worker = new Worker(new URL('./live/watch.worker.ts', import.meta.url), { type: 'module', name: 'live-watch' })
  const link = new LiveClient({
    open: () => new WebSocket(socketAddress()),
    token: tokens.access,
    renew: refreshToken,
    signedOut: endSession,
    timer: (name, ms) => worker.postMessage({ name, ms } satisfies Alarm),
    status: setStatus,
    beat: () => ({ renew: gather('renew'), shown: gather('shown'), sounded: gather('sounded') }),
    event: dispatch,
    reread: createRereadShown(),
    retry: () => void retryTransient(),
  })
  const everything = jittered({
    now: () => rereadAll(cachedQueryHashes(ofNow)),
    rest: () => rereadAll(cachedQueryHashes()),
    begin: (ms) => worker.postMessage({ name: EVERYTHING, ms } satisfies Alarm),
  })
  rereadEverything = everything.call
  worker.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (data === EVERYTHING) everything.elapsed()
    else link.elapsed(data)
  })
  const forget = onToken((token) => link.renewed(token))
  const hurry = () => link.hurry()
  const back = () => {
    if (document.visibilityState === 'visible') hurry()
  }
  window.addEventListener('online', hurry)
  document.addEventListener('visibilitychange', back)
  link.start()
  report = () => link.report()
  return () => {
    report = undefined
    link.stop()
    forget()
    window.removeEventListener('online', hurry)
    document.removeEventListener('visibilitychange', back)
    worker.terminate()
  }
}

/** The live connection of the whole application; hiding or unmounting a page does not end it. */
export const live = {
  start: (): void => {
    started ??= start()
  },
  stop: (): void => {
    started?.()
    started = undefined
  },
  /** Registers what the page answers to beats. @returns the function that unregisters it. */
  provide: (provider: Provider): (() => void) => {
    providers.add(provider)
    return () => void providers.delete(provider)
  },
  /** A provider's answer has grown: tells the server now, together with what grows in the next moments. */
  report: (): void => {
    if (reporting) return
    reporting = true
    setTimeout(() => {
      reporting = false
      report?.()
    }, REPORT_MS)
  },
  /**
   * Receives one kind of event before data is read again; for sounds, never for data. @returns the function that
   * unsubscribes.
   */
  listen,
}
