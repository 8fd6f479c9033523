import type { LngLat } from './types.ts'

export const PAGE_SIZE = 10
export const SEARCH_DELAY_MS = 100

export type Place = { name: string; address: string; phone: string; lonlat: LngLat | null }
/** Nine digits: 156 and the national code of the area; empty where there is none. */
export type Suggestion = { name: string; address: string; lonlat: LngLat | null; gbCode: string }
/** Where there are too many places: how many each city has. */
export type CityCount = { name: string; count: number; adminCode: string }
export type PlacePage = { places: readonly Place[]; cities: readonly CityCount[]; count: number; page: number }

export type PlaceSearch = {
  suggest: (keyword: string) => Promise<readonly Suggestion[]>
  /** @param page from 1. */
  find: (keyword: string, page: number, gbCode?: string) => Promise<PlacePage>
}

export const noPlaces: PlacePage = { places: [], cities: [], count: 0, page: 1 }

/** Calls once, when nothing more was typed for a moment. */
export const createDelay = (milliseconds = SEARCH_DELAY_MS) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => clearTimeout(timer)
  return {
    run: (action: () => void) => {
      cancel()
      timer = setTimeout(action, milliseconds)
    },
    cancel,
  }
}
