import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** The key that the stand-in accepts. */
export const STAND_IN_KEY = 'browser-key'

const parts = ['library', 'overlays', 'info-window', 'drawing-tools', 'services']
const exported =
  'LngLat LngLatBounds Point Icon TileLayer Marker Label InfoWindow MarkerClusterer Polyline Polygon Rectangle Circle PolylineTool ' +
  'PolygonTool RectangleTool CircleTool LocalSearch DrivingRoute TransitRoute Control'

/** All parts as one script that defines `T`. */
const buildScript = (origin: string): string => {
  const code = parts.map((part) => {
    const source = readFileSync(join(import.meta.dirname, `${part}.ts`), 'utf8')
    return stripTypeScriptTypes(source)
      .replaceAll(/^import [^\n]*\n/gm, '')
      .replaceAll(/^export /gm, '')
  })
  const settings = JSON.stringify({ origin, key: STAND_IN_KEY })
  return `(() => {${code.join('\n')}
Object.assign(serviceSettings, ${settings})
globalThis.T = { Map: StandInMap, ${exported.replaceAll(' ', ', ')} }
})()`
}

const PLACES = 23
const place = (index: number) => ({
  name: `东湖小学 ${index + 1}`,
  address: `湖滨路 ${index + 1} 号`,
  // Both spellings of a position.
  lonlat: index % 2 === 0 ? `116.4${index} 39.9` : `116.4${index},39.9`,
  phone: '',
})

const suggestions = [
  { name: '东湖小学', address: '北京市海淀区', gbCode: '156110108', lonlat: '116.3 39.95' },
  { name: '东湖公园', address: '武汉市', gbCode: '156420106' },
]

type Query = Record<string, string>

const search = ({ keyWord, queryType, start, count, specify }: Query) => {
  if (queryType === '4') return { resultType: 4, count: 2, suggests: suggestions, pois: false }
  if (keyWord === '学校' && specify === undefined) {
    const cities = [{ name: '北京市', count: '812', adminCode: 156110000, lonlat: '116.4 39.9' }]
    return { resultType: 2, count: 812, pois: false, statistics: { priorityCitys: cities } }
  }
  if (keyWord === '海淀区')
    return { resultType: 3, count: 1, pois: false, area: { name: '海淀区', lonlat: '116.3,39.96' } }
  if (keyWord === '无') return { resultType: 1, count: 0, pois: false }
  const first = Number(start)
  const rows = Array.from({ length: PLACES }, (_, index) => place(index)).slice(first, first + Number(count))
  return { resultType: 1, count: String(PLACES), pois: rows, suggests: false, statistics: false }
}

const drive = ({ orig = '', dest = '', style }: Query): string =>
  `<result><routes><item><strguide>策略 ${style}，出发</strguide></item><item><strguide>到达</strguide></item></routes>` +
  `<distance>2.5</distance><duration>420</duration><routelatlon>${orig};116.41,39.92;${dest};</routelatlon></result>`

const transit = ({ startposition, endposition, linetype }: Query) => {
  if (startposition === endposition) return { resultCode: 4, results: false }
  const walk = {
    segmentType: 1,
    stationStart: { name: '' },
    stationEnd: { name: '东湖站' },
    segmentLine: [{ linePoint: `${startposition};116.41,39.91`, segmentDistance: 300, segmentTime: 4 }],
  }
  const bus = {
    segmentType: 2,
    stationStart: { name: '东湖站' },
    stationEnd: { name: '西山站' },
    segmentLine: [
      { direction: '8 路', linePoint: `116.41,39.91;${endposition}`, segmentDistance: 2100, segmentTime: 11 },
    ],
  }
  return { resultCode: 0, results: { lineType: linetype, lines: [{ lineName: '8 路 |', segments: [walk, bus] }] } }
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const answerWith = (response: ServerResponse, type: string, body: string | Buffer) =>
  response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body)

/** The map service on loopback: the library, search, routes and tiles. */
export const startMapService = async () => {
  const requests: string[] = []
  let origin = ''
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
    requests.push(request.url ?? '')
    if (searchParams.get('tk') !== STAND_IN_KEY) return response.writeHead(403).end('refused')
    const query = JSON.parse(searchParams.get('postStr') ?? '{}') as Query
    if (pathname === '/api') return answerWith(response, 'text/javascript', buildScript(origin))
    if (pathname === '/v2/search') return answerWith(response, 'application/json', JSON.stringify(search(query)))
    if (pathname === '/drive') return answerWith(response, 'text/xml', drive(query))
    if (pathname === '/transit') return answerWith(response, 'application/json', JSON.stringify(transit(query)))
    return pathname.endsWith('/wmts') ? answerWith(response, 'image/png', png) : response.writeHead(404).end()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((done) => {
      server.closeAllConnections()
      server.close(() => done())
    })
  return { origin, requests, close }
}
export type MapService = Awaited<ReturnType<typeof startMapService>>
