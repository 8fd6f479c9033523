import { codes } from '@tocsin/contract/codes'
import { type StationQuery, StationRow, stations } from '@tocsin/contract/police/station'
import { openSituationStates } from '@tocsin/contract/police/situation-machine'
import { sql } from 'kysely'
import { changedColumns } from '#areas/audit/edit-transaction'
import { type EditableTable, editRow } from '#areas/audit/edit-row'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { exportRoutes } from '#areas/audit/export-routes'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { type Route, route } from '#http/route'
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

const station: EditableTable<'policeStation'> = {
  table: 'policeStation',
  action: 'police:station',
  missing: codes.stationGone,
  current: (trx, { id }, { actor }) =>
    selectStation(stationRows(scoped(trx, actor)).where('policeStation.id', '=', id)).executeTakeFirst(),
  events: ({ id, deptId }) => [{ type: 'station.changed', ref: id, deptId }],
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
    selectStation(stationRows(scoped(db, actor), query)).orderBy('dept.name') as unknown as RowsQuery<StationRow>,
}

export const stationRoutes = ({ db }: { db: Db }): Route[] => [
  route(stations.page, async ({ query, actor }) => {
    const { limit, offset } = toOffsetLimit(query)
    const found = stationRows(scoped(db, actor), query)
    const [list, total] = await Promise.all([
      selectStation(found).orderBy('dept.name').limit(limit).offset(offset).execute(),
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
  route(stations.update, ({ body, caller }) =>
    editRow(db, caller, station, { id: body.id, version: body.version, change: () => changedColumns(body) }),
  ),
  ...exportRoutes(db, stationExport),
]
