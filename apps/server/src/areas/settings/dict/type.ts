import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import {
  DictTypeRow,
  dictTypes,
  type DictTypeEdit,
  type DictTypeNew,
  type DictTypeQuery,
} from '@tocsin/contract/settings/dict'
import { z } from 'zod'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { toOffsetLimit } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'
import type { Caller } from '#http/route'
import { runEdit, runEditForEach, changedColumns } from '#areas/audit/edit-transaction'
import { createRow, deleteRow, type EditableTable, lockRow, updateRow } from '#areas/audit/edit-row'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { statusLabel } from './dict-labels.ts'

registerConstraintErrors({
  dict_type_name_key: { code: codes.dictTypeName },
  dict_type_type_key: { code: codes.dictTypeType },
  // Entries are written only while their dictionary is locked, so only a deletion meets this.
  dict_data_type_fkey: { code: codes.dictTypeEntries },
})

const shown = ({ enabled, ...row }: Row<'dictType'>): DictTypeRow => ({ ...row, status: enabled })

/** The compatibility API has one keyword for name and type (wire 3.13). */
type Filter = DictTypeQuery & { keywords?: string | undefined }

const filtered = (db: Db, { name, type, status, createTime, keywords }: Filter) =>
  db
    .selectFrom('dictType')
    .$if(!!name, (q) =>
      q.where((on) =>
        on.or([on('name', 'ilike', likePattern(name ?? '')), on('nameEn', 'ilike', likePattern(name ?? ''))]),
      ),
    )
    .$if(!!type, (q) => q.where('type', 'ilike', likePattern(type ?? '')))
    .$if(!!keywords, (q) =>
      q.where((on) =>
        on.or((['name', 'nameEn', 'type'] as const).map((of) => on(of, 'ilike', likePattern(keywords ?? '')))),
      ),
    )
    .$if(status !== undefined, (q) => q.where('enabled', '=', status ?? true))
    .$if(!!createTime, (q) =>
      q.where('createTime', '>=', createTime?.[0] as Date).where('createTime', '<=', createTime?.[1] as Date),
    )

const ordered = (db: Db, query: Filter) => filtered(db, query).selectAll().orderBy('id', 'desc')

export const typePage = async (db: Db, query: Filter): Promise<Page<DictTypeRow>> => {
  const { limit, offset } = toOffsetLimit(query)
  const rows = await ordered(db, query).limit(limit).offset(offset).execute()
  return { list: rows.map(shown), ...(await countCapped(db, filtered(db, query).select('id'))) }
}

export const typeExport: Exporter<DictTypeQuery & ExportOptions, DictTypeRow, Row<'dictType'>> = {
  endpoints: dictTypes,
  subject: 'dict_type',
  name: '字典类型',
  nameEn: 'Dictionaries',
  columns: async (_, lang) => [
    sheetColumn(DictTypeRow, 'id'),
    sheetColumn(DictTypeRow, 'name'),
    sheetColumn(DictTypeRow, 'type'),
    sheetColumn(DictTypeRow, 'status', { cell: statusLabel(lang) }),
    sheetColumn(DictTypeRow, 'nameEn'),
    sheetColumn(DictTypeRow, 'remark'),
    sheetColumn(DictTypeRow, 'createTime'),
  ],
  rows: (db, _actor, query) => ordered(db, query) as unknown as RowsQuery<Row<'dictType'>>,
  shown: (_, rows) => rows.map(shown),
}

const editable: EditableTable<'dictType'> = {
  table: 'dictType',
  action: 'system:dict',
  missing: codes.dictTypeMissing,
  current: (_trx, row) => z.encode(DictTypeRow, shown(row)),
  // Dictionaries belong to no department: every screen is notified.
  events: ({ id }) => [{ type: 'dict.changed', ref: id }],
}

const find = (db: Db, id: number) => db.selectFrom('dictType').selectAll().where('id', '=', id)

const found = (row: Row<'dictType'> | undefined): Row<'dictType'> => {
  if (!row) throw new BusinessError(codes.dictTypeMissing)
  return row
}

export const getType = async (db: Db, id: number): Promise<DictTypeRow> =>
  shown(found(await find(db, id).executeTakeFirst()))

export const typeOptions = (db: Db) =>
  db
    .selectFrom('dictType')
    .select(['id', 'name', 'nameEn', 'type'])
    .where('enabled', '=', true)
    .orderBy('type')
    .execute()

export const createType = (db: Db, { status, remark = null, ...draft }: DictTypeNew, caller: Caller): Promise<number> =>
  runEdit(db, 'all', async (trx) => {
    const { id } = await createRow(trx, caller, editable, { ...draft, remark, enabled: status })
    return id
  })

export const updateType = (db: Db, edit: DictTypeEdit, caller: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx) => {
    const before = await lockRow(trx, caller, editable, edit)
    const { status, ...columns } = changedColumns(edit)
    if (columns.type !== undefined && columns.type !== before.type) throw new BusinessError(codes.dictTypeFixed)
    await updateRow(trx, caller, editable, {
      before,
      changes: { ...columns, ...(status !== undefined && { enabled: status }) },
    })
    return true as const
  })

/** All or none. */
export const deleteTypes = (db: Db, ids: readonly number[], caller: Caller): Promise<true> =>
  runEditForEach(db, {
    ids,
    named: (id) => db.selectFrom('dictType').select('name').where('id', '=', id).executeTakeFirst(),
    work: async (trx, id) => deleteRow(trx, caller, editable, await lockRow(trx, caller, editable, { id })),
  })
