import { tracks } from '@tocsin/contract/alarm/track'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { listTracks } from './list-tracks.ts'
import { reportPositions } from './report-positions.ts'
import { getSurroundings } from './surroundings.ts'

export const trackRoutes = ({ db }: { db: Db }): Route[] => [
  route(tracks.list, ({ caller, query }) => listTracks(db, caller, query.recordId)),
  route(tracks.report, ({ caller, body }) => reportPositions(db, caller, body)),
  route(tracks.surroundings, ({ actor, query }) => getSurroundings(db, actor, query.recordId)),
]
