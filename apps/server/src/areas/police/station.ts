import { codes } from '@tocsin/contract/codes'
import type { Input } from '@tocsin/contract/endpoint'
import { StationDraft, type StationQuery, StationRow, stations } from '@tocsin/contract/police/station'
import { openSituationStates } from '@tocsin/contract/police/situation-machine'
import { findCrossingCorner, type Geofence } from '@tocsin/contract/school/geofence'
import { sql } from 'kysely'
import { changedColumns, fieldError } from '#areas/audit/edit-transaction'
import { type EditableTable, editRow } from '#areas/audit/edit-row'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { exportRoutes } from '#areas/audit/export-routes'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { type Caller, type Route, route } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'

const stationRows = (seen: AllTablesDb, { keyword }: StationQuery = {}) =>
  seen
    .selectFrom('policeStation')
    .innerJoin('dept', 'dept.id', 'policeStation.deptId')
    .where('dept.kind', '=', 'POLICE_STATION')
    .$if(!!keyword, (q) => q.where('dept.name', 'ilike', likePattern(keyword ?? '')))

// The figures of a visible station include invisible rows; they name nobody.
const selectStation = (found: ReturnType<typeof stationRows>) =>
  found
    .selectAll('policeStation')
    .select('dept.name')
    .select([
      sql<number>`(select count(*)::int from school where school.police_dept_id = dept.id)`.as('schoolCount'),
      sql<number>`(select count(*)::int from police_unit u where u.dept_id = dept.id)`.as('unitCount'),
      sql<number>`(select count(*)::int from police_unit u where u.dept_id = dept.id and u.on_duty)`.as('onDutyCount'),
      sql<number>`(select count(*)::int from police_situation s where s.station_dept_id = dept.id
        and s.state = any(${[...openSituationStates]}))`.as('openCount'),
    ])

const order: ListOrder<StationQuery> = {
  columns: {
    name: { by: sql`dept.name` },
    schoolCount: { by: sql`school_count` },
    unitCount: { by: sql`unit_count` },
    openCount: { by: sql`open_count` },
  },
  usual: sql`dept.name, police_station.id`,
  id: sql`police_station.id`,
}

const station: EditableTable<'policeStation'> = {
  table: 'policeStation',
  action: 'police:station',
  missing: codes.stationGone,
  current: (trx, { id }, { actor }) =>
    selectStation(stationRows(scoped(trx, actor)).where('policeStation.id', '=', id)).executeTakeFirst(),
  events: ({ id, deptId }) => [{ type: 'station.changed', ref: id, deptId }],
}

/** Maps and searches for the station of a place need a closed ring whose sides do not cross. */
const assertSimpleRing = (jurisdiction: Geofence | null | undefined): void => {
  const [ring = []] = jurisdiction?.coordinates ?? []
  const [first, last] = [ring[0], ring.at(-1)]
  if (first && last && (first[0] !== last[0] || first[1] !== last[1]))
    throw fieldError(StationDraft, 'jurisdiction', 'format')
  const corner = findCrossingCorner(ring)
  if (corner !== undefined) throw new BusinessError(codes.jurisdictionCrosses, { corner })
}

type Edit = Input<typeof stations.update>['body']

export const updateStation = (db: Db, caller: Caller, body: Edit): Promise<true> => {
  const { id, version } = body
  return editRow(db, caller, station, {
    id,
    version,
    change: () => {
      assertSimpleRing(body.jurisdiction)
      return changedColumns(body)
    },
  })
}

export const stationExport: Exporter<StationQuery & ExportOptions, StationRow> = {
  endpoints: stations,
  subject: 'police_station',
  name: '派出所',
  nameEn: 'Police stations',
  columns: async () => [
    sheetColumn(StationRow, 'name', { width: 24 }),
    sheetColumn(StationRow, 'dutyPhone'),
    sheetColumn(StationRow, 'arriveUrbanMin'),
    sheetColumn(StationRow, 'arriveSuburbanMin'),
    sheetColumn(StationRow, 'arriveRuralMin'),
    sheetColumn(StationRow, 'schoolCount'),
    sheetColumn(StationRow, 'unitCount'),
    sheetColumn(StationRow, 'onDutyCount'),
    sheetColumn(StationRow, 'openCount'),
  ],
  rows: (db, actor, query) =>
    selectStation(stationRows(scoped(db, actor), query)).orderBy(
      toOrderBy(query.orderBy, order),
    ) as unknown as RowsQuery<StationRow>,
}

export const stationRoutes = ({ db }: { db: Db }): Route[] => [
  route(stations.page, async ({ query, actor }) => {
    const { limit, offset } = toOffsetLimit(query)
    const found = stationRows(scoped(db, actor), query)
    const [list, total] = await Promise.all([
      selectStation(found).orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute(),
      countCapped(db, found.select('policeStation.id')),
    ])
    return { list, ...total }
  }),
  route(stations.simpleList, () =>
    unscoped(db, 'an incident can be transferred to any station')
      .selectFrom('policeStation')
      .innerJoin('dept', 'dept.id', 'policeStation.deptId')
      .select(['dept.id', 'dept.name'])
      .where('dept.kind', '=', 'POLICE_STATION')
      .where('dept.enabled', '=', true)
      .orderBy('dept.name')
      .limit(1000)
      .execute(),
  ),
  route(stations.update, ({ body, caller }) => updateStation(db, caller, body)),
  ...exportRoutes(db, stationExport),
]
