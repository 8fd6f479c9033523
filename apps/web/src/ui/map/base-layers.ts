import { type BaseKind, type MapBase, type MapLayer, maps } from '@tocsin/contract/insight/map'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { BASE } from '#api/wire/request.ts'
import type { MapBaseLayers } from './map-shapes.ts'

const labelsOf: Record<BaseKind, MapLayer> = { vec: 'cva', img: 'cia', ter: 'cta' }

const tileUrl = (path: string, layer: MapLayer): string =>
  `${location.origin}${BASE}${path}?layer=${layer}&z={z}&x={x}&y={y}`

const MAX_ZOOM = 18

/** The tiles of one kind, as far as this server has them. */
export const chooseBaseLayers = (
  base: MapBase | undefined,
  { kind, annotations, path = maps.tile.path }: { kind: BaseKind; annotations: boolean; path?: string },
  attribution: string,
): MapBaseLayers | undefined => {
  if (!base) return undefined
  const { source, layers, archive } = base
  const wanted = [kind, ...(annotations ? [labelsOf[kind]] : [])].filter((layer) => layers.includes(layer))
  if (wanted.length === 0) return undefined
  const { minZoom = 0, maxZoom = MAX_ZOOM, vectorLayers = [] } = archive ?? {}
  const credit = source === 'TIANDITU' ? attribution : (archive?.attribution ?? '')
  return { urls: wanted.map((layer) => tileUrl(path, layer)), attribution: credit, minZoom, maxZoom, vectorLayers }
}

/** The base map of this server, where its layers are read from, and whether that is known yet. */
export const useMapBase = (kind: BaseKind = 'vec') => {
  const { t } = useTranslation()
  const { data, isPending } = useQuery(queryFor(maps.base))
  const layers = useMemo(
    () => chooseBaseLayers(data, { kind, annotations: true }, t('map.attribution')),
    [data, kind, t],
  )
  return { base: data, layers, isPending }
}
