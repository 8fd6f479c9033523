// The part of the interface of the national map library, version 4.0, that is used.

type Class<Args extends unknown[], Instance> = new (...args: Args) => Instance

export type LibraryPoint = { getLng: () => number; getLat: () => number }
export type LibraryBounds = { getSouthWest: () => LibraryPoint; getNorthEast: () => LibraryPoint }

export type LibraryEvent = {
  type: string
  lnglat?: LibraryPoint
  layer?: unknown
  currentLnglats?: readonly LibraryPoint[]
  currentBounds?: LibraryBounds
  currentCenter?: LibraryPoint
  currentRadius?: number
}

export type EventSource = {
  addEventListener: (type: string, listener: (event: LibraryEvent) => void) => void
  removeEventListener: (type: string, listener: (event: LibraryEvent) => void) => void
}

export type Overlay = EventSource
type Editable = Overlay & { enableEdit: () => void; disableEdit: () => void }

export type LibraryMarker = Overlay & { getLngLat: () => LibraryPoint; setLngLat: (at: LibraryPoint) => void }
export type LibraryLabel = Overlay & {
  setTitle: (text: string) => void
  setFontSize: (size: number) => void
  setFontColor: (color: string) => void
  setBackgroundColor: (color: string) => void
  setBorderLine: (width: number) => void
  setBorderColor: (color: string) => void
  setOpacity: (opacity: number) => void
  setZindex: (index: number) => void
}
/** A polygon may have holes and then returns lists of lists. */
export type LibraryPath = Editable & {
  getLngLats: () => readonly LibraryPoint[] | readonly (readonly LibraryPoint[])[]
}
export type LibraryRectangle = Editable & { getBounds: () => LibraryBounds }
export type LibraryCircle = Editable & { getCenter: () => LibraryPoint; getRadius: () => number }
export type LibraryShape = LibraryPath | LibraryRectangle | LibraryCircle
export type LibraryClusterer = Overlay & { clearMarkers: () => void }
export type LibraryTool = EventSource & { open: () => void; close: () => void; clear: () => void }

export type LibraryMap = EventSource & {
  centerAndZoom: (center: LibraryPoint, zoom: number) => void
  setViewport: (points: readonly LibraryPoint[]) => void
  getCenter: () => LibraryPoint
  addOverLay: (overlay: Overlay) => void
  removeOverLay: (overlay: Overlay) => void
  clearOverLays: () => void
  openInfoWindow: (infoWindow: object, at: LibraryPoint) => void
  closeInfoWindow: () => void
  addLayer: (layer: object) => void
  removeLayer: (layer: object) => void
  addControl: (control: object) => void
}

type False<Value> = Value | false
export type LibraryPoi = { name: string; address?: string; lonlat: string; phone?: string }
export type LibraryCity = { name: string; count: number | string; adminCode: number | string }
/** Parts that do not apply are false. */
export type SearchResult = {
  getResultType: () => number | string
  getCount: () => number | string
  getPois: () => False<readonly LibraryPoi[]>
  getSuggests: () => False<readonly { name: string; address?: string; gbCode?: string; lonlat?: string }[]>
  getStatistics: () => False<{ priorityCitys?: readonly LibraryCity[] }>
  getArea: () => False<{ name: string; lonlat: string }>
}
export type LocalSearch = {
  search: (keyword: string, type: number) => void
  gotoPage: (page: number) => void
  setSpecifyAdminCode: (code: number) => void
  setSearchCompleteCallback: (callback: (result: SearchResult) => void) => void
}

type DrivingPlan = { getDistance: () => number; getDuration: () => number; getPath: () => readonly LibraryPoint[] }
export type DrivingResult = {
  results?: { routes?: { item?: readonly { strguide: string }[] } }
  getNumPlans: () => number
  getPlan: (index: number) => DrivingPlan
}
export type TransitSegment = {
  segmentType: number
  stationStart: { name: string }
  stationEnd: { name: string }
  segmentLine: readonly { direction?: string; linePoint: string; segmentDistance: number; segmentTime: number }[]
}
export type TransitResult = {
  resultCode: number
  results?: False<{ lines?: readonly { lineName: string; segments: readonly TransitSegment[] }[] }>
}
export type RouteTool = { search: (start: LibraryPoint, end: LibraryPoint) => void }

type Options = Readonly<Record<string, unknown>>
type Callback<Result> = { onSearchComplete: (result: Result) => void }

export type MapLibrary = {
  Map: Class<[container: HTMLElement, options?: Options], LibraryMap>
  LngLat: Class<[lng: number, lat: number], LibraryPoint>
  Point: Class<[x: number, y: number], object>
  LngLatBounds: Class<[southWest: LibraryPoint, northEast: LibraryPoint], LibraryBounds>
  Icon: Class<[options: Options], object>
  Marker: Class<[at: LibraryPoint, options?: Options], LibraryMarker>
  Label: Class<[options: Options], LibraryLabel>
  InfoWindow: Class<[content: HTMLElement, options?: Options], object>
  MarkerClusterer: Class<[map: LibraryMap, options: Options], LibraryClusterer>
  Polyline: Class<[path: readonly LibraryPoint[], options?: Options], LibraryPath>
  Polygon: Class<[path: readonly LibraryPoint[], options?: Options], LibraryPath>
  Rectangle: Class<[bounds: LibraryBounds, options?: Options], LibraryRectangle>
  Circle: Class<[center: LibraryPoint, radius: number, options?: Options], LibraryCircle>
  PolylineTool: Class<[map: LibraryMap, options?: Options], LibraryTool>
  PolygonTool: Class<[map: LibraryMap, options?: Options], LibraryTool>
  RectangleTool: Class<[map: LibraryMap, options?: Options], LibraryTool>
  CircleTool: Class<[map: LibraryMap, options?: Options], LibraryTool>
  TileLayer: Class<[url: string, options?: Options], object>
  Control: { Zoom: Class<[], object>; Scale: Class<[], object> }
  LocalSearch: Class<[map: LibraryMap, options: { pageCapacity: number }], LocalSearch>
  DrivingRoute: Class<[map: LibraryMap, options: { policy: number } & Callback<DrivingResult>], RouteTool>
  TransitRoute: Class<[map: LibraryMap, options: { policy: number } & Callback<TransitResult>], RouteTool>
}
