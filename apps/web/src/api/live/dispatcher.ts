import type { EventType } from '@tocsin/contract/live'
import type { LiveEvent } from './client.ts'
import { staleResources } from './stale-resources.ts'

type Deps = {
  reread: (resource: string) => void
  /** Takes what a listener threw. */
  report: (error: unknown) => void
}

/** Tells each event to its listeners, then has read again what it makes stale, whatever became of them. */
export const createEventDispatcher = ({ reread, report }: Deps) => {
  const ears = new Set<readonly [EventType, (event: LiveEvent) => void]>()
  return {
    /** @returns what ends it. */
    listen: (type: EventType, heard: (event: LiveEvent) => void): (() => void) => {
      const ear = [type, heard] as const
      ears.add(ear)
      return () => void ears.delete(ear)
    },
    dispatch: (event: LiveEvent): void => {
      for (const [type, heard] of ears) {
        if (type !== event.type) continue
        try {
          heard(event)
        } catch (error) {
          report(error)
        }
      }
      for (const name of staleResources[event.type]) reread(name)
    },
  }
}
