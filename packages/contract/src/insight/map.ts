import { z } from 'zod'
import { warnClasses } from '../alarm/rule.ts'
import { Id, Millis, queryInt } from '../codecs.ts'
import { connectivities } from '../device/device.ts'
import { endpoint } from '../endpoint.ts'
import { type EnumLabels, field } from '../field.ts'
import { unitStates, unitTypes } from '../police/unit.ts'
import { Geofence } from '../school/geofence.ts'
import { keywordText } from '../text-fields.ts'
import { RoadAnswer, RoadQuery } from './map-route.ts'

/** CGCS2000, as everything that is stored. */
const lng = field(z.number(), '经度', 'Longitude')
const lat = field(z.number(), '纬度', 'Latitude')

export const MapSchool = z.strictObject({
  id: Id,
  name: field(z.string(), '学校', 'School'),
  lng: lng.nullable(),
  lat: lat.nullable(),
  geofence: field(Geofence.nullable(), '围栏', 'Fence'),
  readiness: field(z.int().nullable(), '就绪度', 'Readiness'),
  devices: field(z.int(), '设备数', 'Devices'),
})
export type MapSchool = z.output<typeof MapSchool>

export const MapStation = z.strictObject({
  id: Id,
  name: field(z.string(), '派出所', 'Station'),
  jurisdiction: field(Geofence.nullable(), '辖区范围', 'Jurisdiction'),
})
export type MapStation = z.output<typeof MapStation>

export const MapUnit = z.strictObject({
  id: Id,
  name: field(z.string(), '警力', 'Unit'),
  type: z.enum(unitTypes),
  state: field(z.enum(unitStates), '状态', 'State'),
  stationName: field(z.string(), '派出所', 'Station'),
  lng,
  lat,
  positionAt: field(Millis.nullable(), '定位时间', 'Position at'),
})
export type MapUnit = z.output<typeof MapUnit>

/** An open record, at its own place or else at its school. */
export const MapRecord = z.strictObject({
  id: Id,
  no: field(z.string(), '警情编号', 'Record no.'),
  level: field(z.int(), '级别', 'Level'),
  class: field(z.enum(warnClasses), '类别', 'Class'),
  code: field(z.string(), '信号', 'Signal'),
  mode: field(z.enum(['LIVE', 'TEST', 'DRILL']), '模式', 'Mode'),
  isClaimed: field(z.boolean(), '已接警', 'Claimed'),
  schoolId: Id.nullable(),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  placePath: field(z.string().nullable(), '位置', 'Place'),
  firstAt: field(Millis, '首次报警', 'First reported'),
  lng: lng.nullable(),
  lat: lat.nullable(),
})
export type MapRecord = z.output<typeof MapRecord>

/** A layer that the caller may not read is empty. */
export const MapOverview = z.strictObject({
  schools: z.array(MapSchool),
  stations: z.array(MapStation),
  units: z.array(MapUnit),
})
export type MapOverview = z.output<typeof MapOverview>

/** What the search of the map finds, in this order. */
export const foundKinds = ['SCHOOL', 'STATION', 'PLACE', 'DEVICE'] as const
export type FoundKind = (typeof foundKinds)[number]

export const MapFound = z.strictObject({
  kind: field(z.enum(foundKinds), '类型', 'Kind'),
  id: Id,
  schoolId: Id.nullable(),
  title: field(z.string(), '名称', 'Name'),
  subtitle: field(z.string(), '说明', 'Description'),
  lng: lng.nullable(),
  lat: lat.nullable(),
})
export type MapFound = z.output<typeof MapFound>

/** Installed devices that have a position of their own, as columns of equal length, since there may be 100,000. */
export const MapDevices = z.strictObject({
  ids: z.array(Id),
  lngs: z.array(z.number()),
  lats: z.array(z.number()),
  connectivities: z.array(z.enum(connectivities)),
})
export type MapDevices = z.output<typeof MapDevices>

/** Layers of the national map service in Web Mercator; a folder or file of tiles has the first only. */
export const mapLayers = ['vec', 'cva', 'img', 'cia', 'ter', 'cta'] as const
export type MapLayer = (typeof mapLayers)[number]

export const baseSources = ['NONE', 'FOLDER', 'FILE', 'TIANDITU'] as const
export const baseStates = ['NO_KEY', 'READY', 'REFUSED', 'UNREACHABLE', 'UNREADABLE'] as const
export type BaseState = (typeof baseStates)[number]

/** What a PMTiles file says about itself. Its tiles are pictures when it has no vector layers. */
export const MapArchive = z.strictObject({
  minZoom: field(z.int(), '最小级别', 'Lowest zoom level'),
  maxZoom: field(z.int(), '最大级别', 'Highest zoom level'),
  vectorLayers: field(z.array(z.string()), '矢量图层', 'Vector layers'),
  /** HTML text without elements. */
  attribution: field(z.string(), '数据来源', 'Attribution'),
})
export type MapArchive = z.output<typeof MapArchive>

/**
 * Where the base map comes from. NO_KEY: neither a key, a folder nor a file is configured. UNREADABLE: there is no
 * PMTiles file where the configuration names one.
 */
export const MapBase = z.strictObject({
  source: z.enum(baseSources),
  state: z.enum(baseStates),
  layers: z.array(z.enum(mapLayers)),
  /** Of the source FILE only. */
  archive: field(MapArchive.nullable(), '底图文件', 'Base map file'),
})
export type MapBase = z.output<typeof MapBase>

/** The library of the national map service, for pages that use it; null without a key for browsers. */
export const MapLibrary = z.strictObject({
  url: field(z.string().nullable(), '地图库地址', 'Address of the library'),
  /** With {layer}, {z}, {x} and {y}. */
  tiles: field(z.string().nullable(), '瓦片地址', 'Address of the tiles'),
})
export type MapLibrary = z.output<typeof MapLibrary>

export const TileQuery = z.strictObject({
  layer: field(z.enum(mapLayers), '图层', 'Layer'),
  z: field(queryInt(0, 18), '缩放级别', 'Zoom level'),
  x: field(queryInt(0, 2 ** 18), '列', 'Column'),
  y: field(queryInt(0, 2 ** 18), '行', 'Row'),
})
export type TileQuery = z.output<typeof TileQuery>

const baseState: EnumLabels<BaseState> = {
  NO_KEY: ['未配置密钥，只显示学校围栏和辖区', 'No key configured: fences and jurisdictions only'],
  READY: ['底图就绪', 'Base map ready'],
  REFUSED: ['地图服务拒绝访问，请检查密钥', 'The map service refused access: check the key'],
  UNREACHABLE: ['连不上地图服务，已用本地底图', 'The map service cannot be reached: local base map'],
  UNREADABLE: [
    '底图文件无法读取，只显示学校围栏和辖区',
    'The base map file cannot be read: fences and jurisdictions only',
  ],
}

/** What the map can show or hide. */
export const mapParts = ['RECORDS', 'UNITS', 'SCHOOLS', 'DEVICES', 'AREAS'] as const
export type MapPart = (typeof mapParts)[number]

const mapPart: EnumLabels<MapPart> = {
  RECORDS: ['警情', 'Alarms'],
  UNITS: ['警力', 'Units'],
  SCHOOLS: ['学校', 'Schools'],
  DEVICES: ['设备', 'Devices'],
  AREAS: ['围栏与辖区', 'Fences and jurisdictions'],
}

const foundKind: EnumLabels<FoundKind> = {
  SCHOOL: ['学校', 'School'],
  STATION: ['派出所', 'Station'],
  PLACE: ['位置', 'Place'],
  DEVICE: ['设备', 'Device'],
}

/** Kinds of base map of the national service, by their tile layer. */
export const baseKinds = ['vec', 'img', 'ter'] as const
export type BaseKind = (typeof baseKinds)[number]

const baseKind: EnumLabels<BaseKind> = {
  vec: ['地图', 'Map'],
  img: ['影像', 'Imagery'],
  ter: ['地形', 'Terrain'],
}

export const mapLabels = { baseState, mapPart, baseKind, foundKind }

const read = { method: 'GET', permission: 'insight:map:query' } as const

export const maps = {
  overview: endpoint({
    ...read,
    path: '/insight/map/overview',
    kind: 'json',
    scope: 'school',
    summary: '一张图：学校、辖区与警力',
    summaryEn: 'Map: schools, jurisdictions and units',
    data: MapOverview,
  }),
  /** A resource of its own: an alarm makes nothing else on the map stale. */
  records: endpoint({
    ...read,
    path: '/insight/map-record/list',
    kind: 'json',
    scope: 'school',
    summary: '一张图：未结警情',
    summaryEn: 'Map: open records',
    data: z.array(MapRecord),
  }),
  devices: endpoint({
    ...read,
    path: '/insight/map-device/list',
    kind: 'json',
    scope: 'school',
    summary: '一张图：有坐标的设备',
    summaryEn: 'Map: devices with a position',
    data: MapDevices,
  }),
  search: endpoint({
    ...read,
    path: '/insight/map-search/list',
    kind: 'json',
    scope: 'school',
    summary: '一张图：按名称、编码、地址、拼音首字母查找',
    summaryEn: 'Map: search by name, code, address and first letters',
    query: z.strictObject({ keyword: field(keywordText(40).min(1), '关键字', 'Keyword') }),
    data: z.array(MapFound),
  }),
  route: endpoint({
    ...read,
    path: '/insight/map/route',
    kind: 'json',
    scope: 'none',
    summary: '按道路文件规划路线',
    summaryEn: 'A route on the roads of the road file',
    query: RoadQuery,
    data: RoadAnswer,
  }),
  base: endpoint({
    ...read,
    permission: 'token',
    path: '/insight/map/base',
    kind: 'json',
    scope: 'none',
    summary: '底图来源与状态',
    summaryEn: 'Source and state of the base map',
    data: MapBase,
  }),
  library: endpoint({
    ...read,
    path: '/insight/map/library',
    kind: 'json',
    scope: 'none',
    summary: '国家地图服务的地图库',
    summaryEn: 'The library of the national map service',
    data: MapLibrary,
  }),
  tile: endpoint({
    ...read,
    permission: 'token',
    path: '/insight/map/tile',
    kind: 'file',
    scope: 'none',
    summary: '底图瓦片',
    summaryEn: 'A tile of the base map',
    query: TileQuery,
    data: z.null(),
  }),
}
