import type { MapLibrary } from '@tocsin/contract/insight/map'
import { isConfigured, type MapSources, wmtsQuery } from './tiles.ts'

const PUBLIC_LIBRARY = 'https://api.tianditu.gov.cn'
const PUBLIC_TILES = 'https://t0.tianditu.gov.cn'
/** The library asks several servers of the service, by tile and by call. */
const PUBLIC_HOSTS = ['https://*.tianditu.gov.cn']
const LIBRARY_VERSION = '4.0'

/** The library of the national map service, with the key that was issued for browsers. */
export const describeLibrary = ({ browserKey, url }: MapSources): MapLibrary => {
  if (!isConfigured(browserKey)) return { url: null, tiles: null }
  const query = new URLSearchParams({ v: LIBRARY_VERSION, tk: browserKey })
  const tile = wmtsQuery(browserKey, { layer: '{layer}', z: '{z}', x: '{x}', y: '{y}' })
  return {
    url: `${url ?? PUBLIC_LIBRARY}/api?${query}`,
    tiles: `${url ?? PUBLIC_TILES}/{layer}_w/wmts?${decodeURIComponent(String(tile))}`,
  }
}

/** Hosts that pages may reach besides this server: none without a key for browsers. */
export const listMapHosts = ({ browserKey, url }: MapSources): string[] => {
  if (!isConfigured(browserKey)) return []
  return url === undefined ? PUBLIC_HOSTS : [new URL(url).origin]
}
