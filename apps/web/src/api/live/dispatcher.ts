import type { NamedEventType } from '@tocsin/contract/live'
import type { LiveEvent } from './client.ts'
import { pausesMs, staleResources } from './stale-resources.ts'

type Deps = {
  reread: (resource: string) => void
  /** Receives what a listener threw. */
  report: (error: unknown) => void
}

/** Passes each event to its listeners, then refetches what it makes stale, even when a listener throws. */
export const createEventDispatcher = ({ reread, report }: Deps) => {
  const waiting = new Set<string>()
  /** The pause comes before the read, so that it begins after the last of the events. */
  const touch = (name: string) => {
    const pause = pausesMs[name]
    if (pause === undefined) return reread(name)
    if (waiting.has(name)) return
    waiting.add(name)
    setTimeout(() => {
      waiting.delete(name)
      reread(name)
    }, pause)
  }
  const ears = new Set<readonly [NamedEventType, (event: LiveEvent) => void]>()
  return {
    /** @returns the function that unsubscribes. */
    listen: (type: NamedEventType, listener: (event: LiveEvent) => void): (() => void) => {
      const ear = [type, listener] as const
      ears.add(ear)
      return () => void ears.delete(ear)
    },
    dispatch: (event: LiveEvent): void => {
      for (const [type, ear] of ears) {
        if (type !== event.type) continue
        try {
          ear(event)
        } catch (error) {
          report(error)
        }
      }
      for (const name of event.type === 'row' ? [event.of] : staleResources[event.type]) touch(name)
    },
  }
}
