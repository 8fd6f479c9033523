import { lookupLabel } from '@tocsin/contract/field'
import { policeLabels } from '@tocsin/contract/police/police-labels'
import { CATEGORY_DICT, type SituationQuery, SituationRow } from '@tocsin/contract/police/situation'
import { situations } from '@tocsin/contract/police/situations'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { loadDictLabels } from '#areas/audit/entity/dict-values'
import { scoped } from '#db/scope'
import { toOrderBy } from '#db/sort'
import { toTimeWindow } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'
import { filterSituations, maskReporter, selectSituation, situationOrder } from './situation-rows.ts'

const columns: Exporter<SituationQuery, SituationRow>['columns'] = async (db, lang) => {
  const categories = await loadDictLabels(db, CATEGORY_DICT, lang)
  const { situationSource, situationState, situationDisposition } = policeLabels
  return [
    sheetColumn(SituationRow, 'no', { width: 20 }),
    sheetColumn(SituationRow, 'source', { cell: (source) => lookupLabel(situationSource, source, lang) }),
    sheetColumn(SituationRow, 'recordNo', { width: 20 }),
    sheetColumn(SituationRow, 'category', { cell: (value) => value && (categories.get(value) ?? value) }),
    sheetColumn(SituationRow, 'grade'),
    sheetColumn(SituationRow, 'state', { cell: (state) => lookupLabel(situationState, state, lang) }),
    sheetColumn(SituationRow, 'schoolName', { width: 24 }),
    sheetColumn(SituationRow, 'place', { width: 30 }),
    sheetColumn(SituationRow, 'stationName', { width: 20 }),
    sheetColumn(SituationRow, 'unitNames', { width: 20 }),
    sheetColumn(SituationRow, 'summary', { width: 40 }),
    sheetColumn(SituationRow, 'receivedAt'),
    sheetColumn(SituationRow, 'dispatchedAt'),
    sheetColumn(SituationRow, 'signedAt'),
    sheetColumn(SituationRow, 'departedAt'),
    sheetColumn(SituationRow, 'arrivedAt'),
    sheetColumn(SituationRow, 'fedBackAt'),
    sheetColumn(SituationRow, 'closedAt'),
    sheetColumn(SituationRow, 'feedbackCount'),
    sheetColumn(SituationRow, 'disposition', {
      cell: (result) => result && lookupLabel(situationDisposition, result, lang),
    }),
    sheetColumn(SituationRow, 'result', { width: 40 }),
  ]
}

export const situationExport: Exporter<SituationQuery & ExportOptions, SituationRow> = {
  endpoints: situations,
  subject: 'police_situation',
  name: '警单',
  nameEn: 'Incidents',
  columns,
  rows: (db, actor, query) =>
    selectSituation(filterSituations(scoped(db, actor), query, toTimeWindow(query, new Date()))).orderBy(
      toOrderBy(query.orderBy, situationOrder),
    ) as unknown as RowsQuery<SituationRow>,
  shown: (_reader, rows) => rows.map(maskReporter),
}
