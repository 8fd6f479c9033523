import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import { buildBase } from './base-style.ts'
import {
  type MapBaseLayers,
  lineCollection,
  MAX_CLUSTER_ZOOM,
  NO_LEVEL,
  pointCollection,
  ringCollection,
} from './map-shapes.ts'

export type Palette = Record<
  | 'page'
  | 'text'
  | 'halo'
  | 'alarm'
  | 'wait'
  | 'busy'
  | 'done'
  | 'fault'
  | 'test'
  | 'drill'
  | 'line'
  | 'water'
  | 'green'
  | 'building'
  | 'road'
  | 'border',
  string
>

export const readPalette = (): Palette => {
  const style = getComputedStyle(document.documentElement)
  const dark = document.documentElement.classList.contains('dark')
  const color = (name: string) => style.getPropertyValue(name).trim()
  return {
    page: dark ? '#161b22' : '#e8ecf2',
    text: dark ? '#eef1f6' : '#141a24',
    halo: dark ? '#0e1116' : '#ffffff',
    line: dark ? '#6b7687' : '#7d889b',
    water: dark ? '#1b3554' : '#b9d4ee',
    green: dark ? '#1c3326' : '#d5e5d2',
    building: dark ? '#232b36' : '#d6dbe3',
    road: dark ? '#39434f' : '#ffffff',
    border: dark ? '#6b7687' : '#9aa4b4',
    alarm: color('--tone-alarm-solid'),
    wait: dark ? '#ffd48a' : '#b45309',
    busy: color('--tone-busy-text'),
    done: color('--tone-done-text'),
    fault: color('--tone-fault'),
    // As the bands of the alarm desk.
    test: dark ? '#3f7ae0' : '#1f5fd0',
    drill: dark ? '#8a5cc4' : '#6b3fa0',
  }
}

const font = ['sans-serif']

const ringLayers = (colors: Palette): LayerSpecification[] => [
  {
    id: 'ring-fill',
    type: 'fill',
    source: 'rings',
    paint: {
      'fill-color': ['match', ['get', 'kind'], 'fence', colors.done, colors.busy],
      'fill-opacity': ['match', ['get', 'kind'], 'fence', 0.16, 0.05],
    },
  },
  {
    id: 'ring-line',
    type: 'line',
    source: 'rings',
    paint: { 'line-color': ['match', ['get', 'kind'], 'fence', colors.done, colors.line], 'line-width': 1.5 },
  },
]

/** A light edge keeps the way visible on any base map. */
const lineLayers = (colors: Palette): LayerSpecification[] =>
  [
    { id: 'line-edge', color: colors.halo, width: 7 },
    { id: 'lines', color: colors.busy, width: 4 },
  ].map(({ id, color, width }) => ({
    id,
    type: 'line',
    source: 'lines',
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': color, 'line-width': width },
  }))

const clusterLayers = (colors: Palette, scale: number): LayerSpecification[] => [
  {
    id: 'clusters',
    type: 'circle',
    source: 'points',
    filter: ['has', 'point_count'],
    paint: {
      'circle-color': ['step', ['get', 'level'], colors.alarm, 2, colors.wait, 3, colors.wait, NO_LEVEL, colors.busy],
      'circle-radius': ['*', scale, ['step', ['get', 'point_count'], 14, 20, 18, 200, 24, 2000, 30]],
      'circle-stroke-color': colors.halo,
      'circle-stroke-width': 2 * scale,
    },
  },
  {
    id: 'cluster-counts',
    type: 'symbol',
    source: 'points',
    filter: ['has', 'point_count'],
    layout: {
      'text-field': ['get', 'point_count_abbreviated'],
      'text-size': 12 * scale,
      'text-font': font,
      'text-allow-overlap': true,
    },
    paint: { 'text-color': colors.halo },
  },
]

const pointRadius: ExpressionSpecification = [
  'match',
  ['get', 'kind'],
  'alarm',
  11,
  ['claimed', 'test', 'drill'],
  9,
  ['unit', 'person'],
  8,
  ['online', 'offline'],
  4,
  7,
]

const pointColor = (colors: Palette): ExpressionSpecification => [
  'match',
  ['get', 'kind'],
  'alarm',
  ['match', ['get', 'level'], 1, colors.alarm, colors.wait],
  'claimed',
  colors.wait,
  ['test', 'drill'],
  colors.halo,
  'unit',
  colors.text,
  'person',
  colors.text,
  'online',
  colors.done,
  'offline',
  colors.fault,
  'ready',
  colors.done,
  'partlyReady',
  colors.wait,
  'unready',
  colors.fault,
  colors.busy,
]

/** A unit is told from a school that is not ready; a test or drill is a ring, never a filled dot like an alarm. */
const pointEdge = (colors: Palette): ExpressionSpecification => [
  'match',
  ['get', 'kind'],
  'unit',
  colors.busy,
  'test',
  colors.test,
  'drill',
  colors.drill,
  colors.halo,
]

const pointLayers = (colors: Palette, scale: number): LayerSpecification[] => [
  {
    id: 'points',
    type: 'circle',
    source: 'points',
    filter: ['!', ['has', 'point_count']],
    layout: { 'circle-sort-key': ['-', 0, ['get', 'level']] },
    paint: {
      'circle-color': pointColor(colors),
      'circle-radius': ['*', scale, pointRadius],
      'circle-stroke-color': pointEdge(colors),
      'circle-stroke-width': ['*', scale, ['match', ['get', 'kind'], ['test', 'drill'], 4, 2]],
    },
  },
  {
    id: 'labels',
    type: 'symbol',
    source: 'points',
    minzoom: 11,
    filter: ['all', ['!', ['has', 'point_count']], ['!=', ['get', 'label'], '']],
    layout: {
      'text-field': ['get', 'label'],
      'text-size': 12 * scale,
      'text-font': font,
      'text-anchor': 'top',
      // Below the ring around a new alarm.
      'text-offset': ['match', ['get', 'kind'], 'alarm', ['literal', [0, 2]], ['literal', [0, 0.9]]],
      'text-max-width': 16,
      'text-optional': true,
    },
    paint: { 'text-color': colors.text, 'text-halo-color': colors.halo, 'text-halo-width': 1.5 },
  },
]

/**
 * Layers over an optional base. Text is drawn with the fonts of the machine, so no font is fetched.
 * @param scale of points and labels, for a display that is read from afar
 */
export const buildStyle = (colors: Palette, base: MapBaseLayers | undefined, scale = 1): StyleSpecification => {
  const below = buildBase(colors, base)
  return {
    version: 8,
    sources: {
      points: {
        type: 'geojson',
        data: pointCollection([]) as never,
        cluster: true,
        clusterRadius: 42,
        clusterMaxZoom: MAX_CLUSTER_ZOOM,
        clusterProperties: { level: ['min', ['get', 'level']] },
      },
      rings: { type: 'geojson', data: ringCollection([]) as never },
      lines: { type: 'geojson', data: lineCollection([]) as never },
      ...below.sources,
    },
    layers: [
      { id: 'page', type: 'background', paint: { 'background-color': colors.page } },
      ...below.layers,
      ...ringLayers(colors),
      ...lineLayers(colors),
      ...clusterLayers(colors, scale),
      ...pointLayers(colors, scale),
    ],
  }
}
