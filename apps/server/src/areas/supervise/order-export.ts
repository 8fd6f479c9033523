import { supervisionOrders } from '@tocsin/contract/supervise/order-calls'
import { type SupervisionOrderQuery, SupervisionOrderRow } from '@tocsin/contract/supervise/order'
import { orderTextIn } from '@tocsin/contract/supervise/order-evidence'
import { superviseLabel } from '@tocsin/contract/supervise/supervise-labels'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { sheetColumn } from '#spreadsheet/column'
import { filterOrders, selectOrder, sortOrders, type StoredOrderRow, toOrderRow, visibleOrders } from './order-rows.ts'

export const orderExport: Exporter<SupervisionOrderQuery & ExportOptions, SupervisionOrderRow, StoredOrderRow> = {
  endpoints: supervisionOrders,
  subject: 'supervise_order',
  name: '督办单',
  nameEn: 'Supervision orders',
  columns: async (_db, lang) => [
    sheetColumn(SupervisionOrderRow, 'light', {
      cell: (value) => (value ? superviseLabel('orderLight', value, lang) : ''),
    }),
    sheetColumn(SupervisionOrderRow, 'no', { width: 20 }),
    sheetColumn(SupervisionOrderRow, 'title', { width: 36, cell: (_, row) => orderTextIn(row, lang).title }),
    sheetColumn(SupervisionOrderRow, 'kind', { cell: (kind) => superviseLabel('orderKind', kind, lang) }),
    sheetColumn(SupervisionOrderRow, 'subjectLabel', { width: 20 }),
    sheetColumn(SupervisionOrderRow, 'issuerDeptName', { width: 20 }),
    sheetColumn(SupervisionOrderRow, 'issuerName'),
    sheetColumn(SupervisionOrderRow, 'responsibleName', { width: 24 }),
    sheetColumn(SupervisionOrderRow, 'responsibleUserName'),
    sheetColumn(SupervisionOrderRow, 'state', { cell: (state) => superviseLabel('orderState', state, lang) }),
    sheetColumn(SupervisionOrderRow, 'issuedAt'),
    sheetColumn(SupervisionOrderRow, 'dueAt'),
    sheetColumn(SupervisionOrderRow, 'signedAt'),
    sheetColumn(SupervisionOrderRow, 'submittedAt'),
    sheetColumn(SupervisionOrderRow, 'concludedAt'),
    sheetColumn(SupervisionOrderRow, 'extensionCount'),
    sheetColumn(SupervisionOrderRow, 'evaluation'),
  ],
  rows: (db, actor, query) =>
    sortOrders(
      selectOrder(db, filterOrders(visibleOrders(db, actor), actor, query)),
      query.orderBy,
    ) as unknown as RowsQuery<StoredOrderRow>,
  shown: (_reader, found) => found.map(toOrderRow),
}
