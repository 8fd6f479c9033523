import type { MapFound } from '@tocsin/contract/insight/map'
import { PAGE_SIZE, type PlaceSearch } from '../places.ts'
import type { LngLat } from '../types.ts'

const positionOf = ({ lng, lat }: MapFound): LngLat | null => (lng === null || lat === null ? null : [lng, lat])

/** Search over what this system knows. It has no codes of areas. */
export const createLocalPlaces = (search: (keyword: string) => Promise<readonly MapFound[]>): PlaceSearch => ({
  suggest: async (keyword) =>
    (await search(keyword)).slice(0, PAGE_SIZE).map((found) => ({
      name: found.title,
      address: found.subtitle,
      lonlat: positionOf(found),
      gbCode: '',
    })),
  find: async (keyword, page) => {
    const found = await search(keyword)
    const places = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((row) => ({
      name: row.title,
      address: row.subtitle,
      phone: '',
      lonlat: positionOf(row),
    }))
    return { places, cities: [], count: found.length, page }
  },
})
