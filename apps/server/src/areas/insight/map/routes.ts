import { maps } from '@tocsin/contract/insight/map'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { getMapOverview, listMapDevices, listMapRecords } from './map-reads.ts'
import { describeLibrary } from './library.ts'
import { searchMap } from './map-search.ts'
import { createRoadFile } from './road-file.ts'
import { createTileSource, type MapSources } from './tiles.ts'

type MapDeps = {
  db: Db
  map?: MapSources | undefined
  warn?: ((text: string) => void) | undefined
}

export const mapRoutes = ({ db, map = {}, warn }: MapDeps): Route[] => {
  const tiles = createTileSource(map)
  const findRoad = createRoadFile(map.roads, warn)
  return [
    route(maps.overview, ({ actor }) => getMapOverview(db, actor)),
    route(maps.records, ({ actor }) => listMapRecords(db, actor)),
    route(maps.devices, ({ actor }) => listMapDevices(db, actor)),
    route(maps.search, ({ actor, query }) => searchMap(db, actor, query.keyword)),
    route(maps.route, ({ query }) => findRoad(query)),
    route(maps.base, () => tiles.describe()),
    route(maps.library, () => Promise.resolve(describeLibrary(map))),
    route(maps.tile, ({ query }) => tiles.tile(query)),
  ]
}
