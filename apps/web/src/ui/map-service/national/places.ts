import { parseLngLat } from '../geometry.ts'
import { type CityCount, PAGE_SIZE, type Place, type PlacePage, type PlaceSearch } from '../places.ts'
import { awaitAnswer } from './await-answer.ts'
import type { LibraryMap, LocalSearch, MapLibrary, SearchResult } from './interface.ts'

const ORDINARY = 1
const SUGGESTIONS = 4

const resultTypes = { cities: 2, area: 3 } as const

const listPlaces = (result: SearchResult): Place[] => {
  if (Number(result.getResultType()) === resultTypes.area) {
    const area = result.getArea()
    return area ? [{ name: area.name, address: '', phone: '', lonlat: parseLngLat(area.lonlat) }] : []
  }
  return (result.getPois() || []).map(({ name, address = '', phone = '', lonlat }) => ({
    name,
    address,
    phone,
    lonlat: parseLngLat(lonlat),
  }))
}

const listCities = (result: SearchResult): CityCount[] => {
  if (Number(result.getResultType()) !== resultTypes.cities) return []
  const statistics = result.getStatistics()
  return ((statistics && statistics.priorityCitys) || []).map(({ name, count, adminCode }) => ({
    name,
    count: Number(count),
    adminCode: String(adminCode),
  }))
}

/** Search by the library. Each search is an object of its own, so that late answers reach no other one. */
export const createNationalPlaces = (library: MapLibrary, map: LibraryMap): PlaceSearch => {
  let paged: { keyword: string; gbCode: string; search: LocalSearch } | undefined
  const createSearch = () => new library.LocalSearch(map, { pageCapacity: PAGE_SIZE })
  const ask = (search: LocalSearch, begin: () => void) =>
    awaitAnswer<SearchResult>((answer) => {
      search.setSearchCompleteCallback(answer)
      begin()
    })

  const begin = (keyword: string, gbCode: string): LocalSearch => {
    const search = createSearch()
    if (gbCode !== '') search.setSpecifyAdminCode(Number(gbCode))
    paged = { keyword, gbCode, search }
    return search
  }
  return {
    suggest: async (keyword) => {
      const search = createSearch()
      const result = await ask(search, () => search.search(keyword, SUGGESTIONS))
      return (result.getSuggests() || []).map(({ name, address = '', gbCode = '', lonlat = '' }) => ({
        name,
        address,
        gbCode,
        lonlat: lonlat === '' ? null : parseLngLat(lonlat),
      }))
    },
    find: async (keyword, page, gbCode = ''): Promise<PlacePage> => {
      const isSame = paged?.keyword === keyword && paged.gbCode === gbCode
      const search = isSame && paged ? paged.search : begin(keyword, gbCode)
      if (page > 1 && !isSame) await ask(search, () => search.search(keyword, ORDINARY))
      const result = await ask(search, () => (page > 1 ? search.gotoPage(page) : search.search(keyword, ORDINARY)))
      const places = listPlaces(result)
      return {
        places,
        cities: listCities(result),
        count: Math.max(Number(result.getCount()) || 0, places.length),
        page,
      }
    },
  }
}
