import type { StoredFileInfo } from '@tocsin/contract/files/file'

/**
 * A file in progress: `percent` is the sent part. A `refused` file would be rejected again, a `failed` one may succeed
 * later.
 */
export type PendingUpload = {
  key: number
  file: File
  percent: number
  state: 'waiting' | 'sending' | 'failed' | 'refused'
  error?: unknown
}

/** Sends one file. `onProgress` counts from 0 to 1. */
export type Send = (file: File, signal: AbortSignal, onProgress: (part: number) => void) => Promise<StoredFileInfo>

/** Receives finished files. */
type Place = { value: readonly StoredFileInfo[]; onChange: (value: StoredFileInfo[]) => void }

type Given = {
  send: Send
  /** Whether a retry of the same file may succeed. */
  passes: (error: unknown) => boolean
}

/** Concurrent uploads: more would only slow each other. */
const AT_ONCE = 2

/** The files in progress, for subscribers. */
const wayList = () => {
  let items: readonly PendingUpload[] = []
  const watchers = new Set<() => void>()
  const set = (next: readonly PendingUpload[]) => {
    items = next
    for (const watcher of watchers) watcher()
  }
  return {
    items: () => items,
    watch: (changed: () => void) => {
      watchers.add(changed)
      return () => void watchers.delete(changed)
    },
    append: (fresh: readonly PendingUpload[]) => set([...items, ...fresh]),
    change: (key: number, to: Partial<PendingUpload>) =>
      set(items.map((item) => (item.key === key ? { ...item, ...to } : item))),
    drop: (key: number) => set(items.filter((item) => item.key !== key)),
  }
}

/** The target; two may finish before the next render, and both must be kept. */
const destination = () => {
  let place: Place = { value: [], onChange: () => {} }
  const keep = (value: StoredFileInfo[]) => {
    place = { ...place, value }
    place.onChange(value)
  }
  return {
    deliverTo: (next: Place) => {
      place = next
    },
    arrived: (made: StoredFileInfo) => keep([...place.value, made]),
    remove: (id: number) => keep(place.value.filter((made) => made.id !== id)),
  }
}

/** Uploads files in turn, independent of the page that shows them: a hidden page continues. */
export const uploadQueue = ({ send, passes }: Given) => {
  const { items, watch, append, change, drop } = wayList()
  const { deliverTo, arrived, remove } = destination()
  const aborts = new Map<number, AbortController>()
  let last = 0

  const run = async ({ key, file }: PendingUpload) => {
    const abort = new AbortController()
    aborts.set(key, abort)
    change(key, { state: 'sending', percent: 0 })
    try {
      const made = await send(file, abort.signal, (part) => change(key, { percent: Math.floor(part * 100) }))
      drop(key)
      arrived(made)
    } catch (error) {
      if (!abort.signal.aborted) change(key, { state: passes(error) ? 'failed' : 'refused', error })
    }
    aborts.delete(key)
    pump()
  }
  const pump = () => {
    const free = AT_ONCE - items().filter(({ state }) => state === 'sending').length
    const next = items().filter(({ state }) => state === 'waiting')
    for (const item of next.slice(0, Math.max(0, free))) void run(item)
  }
  const wayOf = ({ file, error }: { file: File; error?: unknown }): PendingUpload => {
    last += 1
    if (error === undefined) return { key: last, file, percent: 0, state: 'waiting' }
    return { key: last, file, percent: 0, state: 'refused', error }
  }

  return {
    items,
    watch,
    deliverTo,
    remove,
    /** Files with an error are listed but not submitted. */
    add: (files: readonly { file: File; error?: unknown }[]) => {
      append(files.map(wayOf))
      pump()
    },
    retry: (key: number) => {
      change(key, { state: 'waiting', percent: 0, error: undefined })
      pump()
    },
    /** Aborts it, or removes it from the list. */
    cancel: (key: number) => {
      aborts.get(key)?.abort()
      drop(key)
    },
  }
}
