import type { LayerSpecification, SourceSpecification } from 'maplibre-gl'
import type { MapBaseLayers } from './map-shapes.ts'
import type { Palette } from './map-style.ts'

/** Layers of common schemas by words in their names, in the order of drawing; others are drawn as thin lines below. */
const looks = [
  { words: /land|park|wood|forest|grass|green|natural/i, fill: 'green', line: 'green', width: 1 },
  { words: /water|ocean|sea|river|lake/i, fill: 'water', line: 'water', width: 1.5 },
  { words: /build/i, fill: 'building', line: 'building', width: 0.5 },
  { words: /road|street|transport|highway|rail/i, fill: 'road', line: 'road', width: 2 },
  { words: /bound|border|admin|district|division/i, fill: undefined, line: 'border', width: 1 },
] as const

const findRank = (layer: string): number => looks.findIndex(({ words }) => words.test(layer))

const vectorLayers = (colors: Palette, names: readonly string[]): LayerSpecification[] => {
  const ordered = names.toSorted((first, second) => findRank(first) - findRank(second))
  const common = (name: string, part: string) => ({
    id: `base-${name}-${part}`,
    source: 'base-0',
    'source-layer': name,
  })
  const areas = ordered.flatMap((name): LayerSpecification[] => {
    const fill = looks[findRank(name)]?.fill
    if (!fill) return []
    const filter = ['==', ['geometry-type'], 'Polygon'] as never
    return [{ ...common(name, 'fill'), type: 'fill', filter, paint: { 'fill-color': colors[fill] } }]
  })
  const lines = ordered.map((name): LayerSpecification => {
    const { line, width } = looks[findRank(name)] ?? { line: 'border', width: 0.5 }
    const isArea = looks[findRank(name)]?.fill !== undefined
    return {
      ...common(name, 'line'),
      type: 'line',
      // The edges of a tile cut areas; their outlines would show it.
      ...(isArea && { filter: ['==', ['geometry-type'], 'LineString'] as never }),
      paint: { 'line-color': colors[line], 'line-width': width },
    }
  })
  const texts = ordered.map(
    (name): LayerSpecification => ({
      ...common(name, 'text'),
      type: 'symbol',
      filter: ['==', ['geometry-type'], 'Point'],
      layout: {
        'text-field': ['coalesce', ['get', 'name:zh'], ['get', 'name:zh-Hans'], ['get', 'name'], ''],
        'text-size': 12,
        'text-font': ['sans-serif'],
      },
      paint: { 'text-color': colors.text, 'text-halo-color': colors.halo, 'text-halo-width': 1.5 },
    }),
  )
  return [...areas, ...lines, ...texts]
}

type BaseStyle = { sources: Record<string, SourceSpecification>; layers: LayerSpecification[] }

/** The base map below everything else, from pictures or vector tiles. */
export const buildBase = (colors: Palette, base: MapBaseLayers | undefined): BaseStyle => {
  if (!base) return { sources: {}, layers: [] }
  const { urls, attribution, minZoom: minzoom, maxZoom: maxzoom, vectorLayers: names } = base
  const ids = urls.map((_, index) => `base-${index}`)
  const common = (index: number) => ({ tiles: [urls[index] ?? ''], minzoom, maxzoom, attribution })
  if (names.length > 0)
    return { sources: { 'base-0': { type: 'vector', ...common(0) } }, layers: vectorLayers(colors, names) }
  return {
    sources: Object.fromEntries(ids.map((id, index) => [id, { type: 'raster', tileSize: 256, ...common(index) }])),
    layers: ids.map((id) => ({ id, type: 'raster', source: id })),
  }
}
