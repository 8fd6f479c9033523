import { codes } from '@tocsin/contract/codes'
import { type BaseState, type MapBase, type MapLayer, mapLayers, type TileQuery } from '@tocsin/contract/insight/map'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { fetchBounded } from '#areas/access/outbound/bounded-fetch'
import { BusinessError } from '#http/business-error'
import type { FileResponse } from '#http/route'
import { isPmtiles, openPmtiles } from './pmtiles-file.ts'

/** Where base maps come from: the national service by its key, else a folder or file, else nothing. */
export type MapSources = {
  key?: string | undefined
  /** A key that the service issued for browsers; without it the library of the service is not offered. */
  browserKey?: string | undefined
  /** Instead of the public servers, for networks that have a mirror; tests name a local one. */
  url?: string | undefined
  /** A folder `{z}/{x}/{y}.png`, or a PMTiles file. */
  local?: string | undefined
  /** A GeoJSON file of roads. */
  roads?: string | undefined
}

const SERVERS = 8
const STATE_MS = 60_000
/** A service that cannot be reached is asked again after this time, beside the requests, which do not wait for it. */
const RETRY_MS = 5_000
/** How long the first map waits to learn whether the service answers. */
const FIRST_WAIT_MS = 2_000
const CACHE_SECONDS = 86_400
const types = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const

/** The WMTS request of the national service, in Web Mercator. */
export const wmtsQuery = (key: string, { layer, z, x, y }: Record<'layer' | 'z' | 'x' | 'y', string>) =>
  new URLSearchParams({
    SERVICE: 'WMTS',
    REQUEST: 'GetTile',
    VERSION: '1.0.0',
    LAYER: layer,
    STYLE: 'default',
    TILEMATRIXSET: 'w',
    FORMAT: 'tiles',
    TILEMATRIX: z,
    TILEROW: y,
    TILECOL: x,
    tk: key,
  })

/** The column picks the server, so that caches are hit. */
export const tileAddress = ({ key = '', url }: MapSources, { layer, z, x, y }: TileQuery): string => {
  const host = url ?? `https://t${x % SERVERS}.tianditu.gov.cn`
  return `${host}/${layer}_w/wmts?${wmtsQuery(key, { layer, z: String(z), x: String(x), y: String(y) })}`
}

/** Without a state when the answer says nothing about the service: it has no tile there. */
type Fetched = { state?: BaseState; image?: { type: string; bytes: Buffer } }

const fetchTile = async (sources: MapSources, tile: TileQuery): Promise<Fetched> => {
  try {
    const answer = await fetchBounded(tileAddress(sources, tile))
    const type = answer.headers.get('content-type') ?? ''
    // The service answers a refused key with 403 or 418, and sometimes with a page of text.
    if (answer.status === 404) return {}
    if (!answer.ok || !type.startsWith('image/')) return { state: answer.status >= 500 ? 'UNREACHABLE' : 'REFUSED' }
    return { state: 'READY', image: { type, bytes: Buffer.from(await answer.arrayBuffer()) } }
  } catch {
    return { state: 'UNREACHABLE' }
  }
}

const readTile = async (folder: string, { z, x, y }: TileQuery): Promise<Fetched['image']> => {
  for (const [extension, type] of Object.entries(types)) {
    const bytes = await readFile(join(folder, String(z), String(x), `${y}.${extension}`)).catch(() => undefined)
    if (bytes) return { type, bytes }
  }
  return undefined
}

/** The base map of this machine, from a folder or a PMTiles file. */
const openLocal = (path: string) => {
  const base = { state: 'READY' as const, layers: ['vec' as const] }
  if (!isPmtiles(path))
    return {
      describe: (): Promise<MapBase> => Promise.resolve({ ...base, source: 'FOLDER', archive: null }),
      tile: (query: TileQuery) => readTile(path, query),
    }
  const file = openPmtiles(path)
  return {
    describe: async (): Promise<MapBase> => {
      const archive = await file.describe()
      return archive
        ? { ...base, source: 'FILE', archive }
        : { source: 'NONE', state: 'UNREADABLE', layers: [], archive: null }
    },
    tile: file.tile,
  }
}

export const isConfigured = (text: string | undefined): text is string => text !== undefined && text !== ''

/** The national service with the state that its last answer showed. Nothing waits for it while it cannot be reached. */
const createService = (sources: MapSources) => {
  let last: { state: BaseState; at: number } | undefined
  let probing: Promise<void> | undefined

  const remember = (state: BaseState | undefined): void => {
    if (state) last = { state, at: Date.now() }
  }

  /** Asks for a tile that every service has. */
  const probe = async (): Promise<void> => {
    const { state = 'UNREACHABLE' } = await fetchTile(sources, { layer: 'vec', z: 1, x: 0, y: 0 })
    remember(state)
  }

  const refresh = (): Promise<void> => {
    probing ??= probe().finally(() => (probing = undefined))
    return probing
  }

  const refreshOld = (): void => {
    const limit = last?.state === 'UNREACHABLE' ? RETRY_MS : STATE_MS
    if (last && Date.now() - last.at >= limit) void refresh()
  }

  const findState = async (): Promise<BaseState> => {
    if (!last) await Promise.race([refresh(), setTimeout(FIRST_WAIT_MS, undefined, { ref: false })])
    // Also for the tiles, which would wait one after the other.
    if (!last) remember('UNREACHABLE')
    refreshOld()
    return last?.state ?? 'UNREACHABLE'
  }

  const fetchService = async (query: TileQuery): Promise<Fetched['image']> => {
    refreshOld()
    if (last?.state === 'UNREACHABLE') return undefined
    const { state, image } = await fetchTile(sources, query)
    remember(state)
    return image
  }

  return { findState, fetch: fetchService }
}

/** The base map of one server. */
export const createTileSource = (sources: MapSources) => {
  const service = isConfigured(sources.key) ? createService(sources) : undefined
  const local = isConfigured(sources.local) ? openLocal(sources.local) : undefined

  const describe = async (): Promise<MapBase> => {
    if (service) {
      const state = await service.findState()
      const own = state === 'READY' ? undefined : await local?.describe()
      if (own && own.source !== 'NONE') return { ...own, state }
      return { source: 'TIANDITU', state, layers: [...mapLayers], archive: null }
    }
    return (await local?.describe()) ?? { source: 'NONE', state: 'NO_KEY', layers: [], archive: null }
  }

  const tile = async (query: TileQuery): Promise<FileResponse> => {
    const fetched = await service?.fetch(query)
    const isBase = (layer: MapLayer) => layer === 'vec'
    const image = fetched ?? (isBase(query.layer) ? await local?.tile(query) : undefined)
    if (!image) throw new BusinessError(codes.mapTileMissing)
    const name = `${query.layer}-${query.z}-${query.x}-${query.y}`
    return { name, type: image.type, stream: Readable.from([image.bytes]), inline: true, seconds: CACHE_SECONDS }
  }

  return { describe, tile }
}
