import type { RoadAnswer, RoadQuery } from '@tocsin/contract/insight/map-route'
import { open } from 'node:fs/promises'
import { buildRoadGraph, type RoadGraph, RoadFileError } from './road-graph.ts'
import { findRoute } from './road-search.ts'
import { isConfigured } from './tiles.ts'

export const MAX_ROAD_FILE_BYTES = 32 * 1_048_576
const CHECK_MS = 60_000

type Warn = (text: string) => void
type Read = { version: string; graph: RoadGraph | undefined }

const describeFailure = (error: unknown): string => {
  if (error instanceof RoadFileError) return error.message
  const { code = 'unknown error' } = error as NodeJS.ErrnoException
  return code
}

/** Reads the file at the first question, and again after it was replaced. A file that is wrong is told to the log. */
export const createRoadFile = (path: string | undefined, warn: Warn = () => undefined) => {
  let known: Read | undefined
  let reading: Promise<Read> | undefined
  let checkedAt = -Infinity

  const read = async (): Promise<Read> => {
    let version = 'unread'
    try {
      const file = await open(path ?? '')
      try {
        const { mtimeMs, size } = await file.stat()
        version = `${mtimeMs}-${size}`
        if (known?.version === version) return known
        if (size > MAX_ROAD_FILE_BYTES)
          throw new RoadFileError(`the file has ${size} bytes, at most ${MAX_ROAD_FILE_BYTES} are read`)
        return { version, graph: await buildRoadGraph(await file.readFile('utf8')) }
      } finally {
        await file.close()
      }
    } catch (error) {
      if (known?.version !== version)
        warn(`the road file ${path} cannot be used, routes are straight lines: ${describeFailure(error)}`)
      return { version, graph: undefined }
    }
  }

  const load = async (): Promise<RoadGraph | undefined> => {
    if (performance.now() - checkedAt < CHECK_MS) return known?.graph
    // Questions that come meanwhile wait for the same reading.
    reading ??= read().finally(() => {
      reading = undefined
    })
    known = await reading
    checkedAt = performance.now()
    return known.graph
  }

  return async ({ means, policy, startLng, startLat, endLng, endLat }: RoadQuery): Promise<RoadAnswer> => {
    if (!isConfigured(path)) return { state: 'NO_FILE', plan: null }
    const graph = await load()
    if (!graph) return { state: 'UNREADABLE', plan: null }
    return { plan: null, ...findRoute(graph, { means, policy }, [startLng, startLat], [endLng, endLat]) }
  }
}
