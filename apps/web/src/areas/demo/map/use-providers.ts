import { maps } from '@tocsin/contract/insight/map'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '#api/call.ts'
import { useHasPermission } from '#api/session.ts'
import { chooseBaseLayers, useMapBase } from '#ui/map/base-layers.ts'
import { createLocalPlaces } from '#ui/map-service/local/places.ts'
import { createLocalRoutes } from '#ui/map-service/local/routes.ts'
import type { LibraryMap } from '#ui/map-service/national/interface.ts'
import { createNationalPlaces } from '#ui/map-service/national/places.ts'
import { createNationalRoutes } from '#ui/map-service/national/routes.ts'
import type { PlaceSearch } from '#ui/map-service/places.ts'
import type { RouteSearch } from '#ui/map-service/routes.ts'
import type { MapProvider } from '#ui/map-service/ServiceMap.tsx'
import { useMapLibrary } from '#ui/map-service/use-map-library.ts'

const localPlaces = createLocalPlaces((keyword) => call(maps.search, { query: { keyword } }))

const localRoutes = createLocalRoutes((query) => call(maps.route, { query }))

export type ProviderName = MapProvider['name']
type Searches = { places: PlaceSearch | undefined; routes: RouteSearch | undefined }

/** Both ways to draw a map, with their searches. */
export const useProviders = () => {
  const { t } = useTranslation()
  const maySearch = useHasPermission('insight:map:query')
  const loaded = useMapLibrary(maySearch)
  const { base } = useMapBase()
  const [wanted, setWanted] = useState<ProviderName>('national')
  const [libraryMap, setLibraryMap] = useState<LibraryMap>()
  const library = loaded.state === 'READY' ? loaded.library : undefined
  const { tiles } = loaded
  const provider = useMemo<MapProvider>(
    () =>
      library && wanted === 'national'
        ? { name: 'national', library, tiles, onMap: setLibraryMap }
        : { name: 'local', chooseBase: (choice) => chooseBaseLayers(base, choice, t('map.attribution')) },
    [library, wanted, tiles, base, t],
  )
  const searches = useMemo<Searches>(() => {
    if (provider.name === 'local')
      return { places: maySearch ? localPlaces : undefined, routes: maySearch ? localRoutes : undefined }
    if (!library || !libraryMap) return { places: undefined, routes: undefined }
    return { places: createNationalPlaces(library, libraryMap), routes: createNationalRoutes(library, libraryMap) }
  }, [provider, library, libraryMap, maySearch])
  return { state: loaded.state, retry: loaded.retry, base, provider, choose: setWanted, maySearch, ...searches }
}
