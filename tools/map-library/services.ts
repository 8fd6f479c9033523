import { LngLat, type StandInMap } from './library.ts'

/** Where the services are and with which key; the script is served with them. */
export const serviceSettings = { origin: '', key: '' }

type Answer = Record<string, unknown>

const ask = async (path: string, query: Record<string, unknown>, rest: Record<string, string>): Promise<string> => {
  const search = new URLSearchParams({ postStr: JSON.stringify(query), ...rest, tk: serviceSettings.key })
  const answer = await fetch(`${serviceSettings.origin}${path}?${search}`)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return answer.text()
}

/** The library stays silent when a call fails. */
const quietly = (work: Promise<void>) => void work.catch(() => undefined)

const parsePoint = (text: string): LngLat => {
  const [lng = 0, lat = 0] = text.split(/[\s,]+/).map(Number)
  return new LngLat(lng, lat)
}

/** Parts of an answer that do not apply are false. */
const searchResult = (answer: Answer) => {
  const part = (name: string) => answer[name] ?? false
  return {
    getResultType: () => answer['resultType'],
    getCount: () => answer['count'] ?? 0,
    getPois: () => part('pois'),
    getSuggests: () => part('suggests'),
    getStatistics: () => part('statistics'),
    getArea: () => part('area'),
  }
}

export class LocalSearch {
  private callback: (result: ReturnType<typeof searchResult>) => void = () => undefined
  private readonly pageCapacity: number
  private keyword = ''
  private type = 1
  private adminCode: number | undefined
  constructor(_map: StandInMap, options: { pageCapacity?: number }) {
    this.pageCapacity = options.pageCapacity ?? 10
  }
  setSearchCompleteCallback(callback: LocalSearch['callback']) {
    this.callback = callback
  }
  setSpecifyAdminCode(code: number) {
    this.adminCode = code
  }
  search(keyword: string, type: number) {
    this.keyword = keyword
    this.type = type
    this.ask(1)
  }
  gotoPage(page: number) {
    this.ask(page)
  }
  private ask(page: number) {
    const query = {
      keyWord: this.keyword,
      queryType: String(this.type),
      start: String((page - 1) * this.pageCapacity),
      count: String(this.pageCapacity),
      ...(this.adminCode !== undefined && { specify: String(this.adminCode) }),
    }
    quietly(
      ask('/v2/search', query, { type: 'query' }).then((text) =>
        this.callback(searchResult(JSON.parse(text) as Answer)),
      ),
    )
  }
}

type Callback = { policy: number; onSearchComplete: (result: unknown) => void }

const tag = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''

const drivingResult = (xml: string) => {
  const path = tag(xml, 'routelatlon').split(';').filter(Boolean).map(parsePoint)
  const item = [...xml.matchAll(/<strguide>([^<]*)<\/strguide>/g)].map(([, strguide]) => ({ strguide }))
  const plan = {
    getDistance: () => Number(tag(xml, 'distance')),
    getDuration: () => Number(tag(xml, 'duration')),
    getPath: () => path,
  }
  return { results: { routes: { item } }, getNumPlans: () => (path.length > 0 ? 1 : 0), getPlan: () => plan }
}

const write = (at: LngLat): string => `${at.lng},${at.lat}`

export class DrivingRoute {
  private readonly options: Callback
  constructor(_map: StandInMap, options: Callback) {
    this.options = options
  }
  search(start: LngLat, end: LngLat) {
    const { policy, onSearchComplete } = this.options
    const query = { orig: write(start), dest: write(end), style: String(policy) }
    quietly(ask('/drive', query, { type: 'search' }).then((xml) => onSearchComplete(drivingResult(xml))))
  }
}

export class TransitRoute {
  private readonly options: Callback
  constructor(_map: StandInMap, options: Callback) {
    this.options = options
  }
  search(start: LngLat, end: LngLat) {
    const { policy, onSearchComplete } = this.options
    const query = { startposition: write(start), endposition: write(end), linetype: String(policy) }
    quietly(ask('/transit', query, { type: 'busline' }).then((text) => onSearchComplete(JSON.parse(text))))
  }
}

export class ZoomControl {}
export class ScaleControl {}
export const Control = { Zoom: ZoomControl, Scale: ScaleControl }
