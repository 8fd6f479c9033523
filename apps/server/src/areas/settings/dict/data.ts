import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import {
  DictDataDraft,
  DictDataRow,
  dictDatas,
  type DictDataEdit,
  type DictDataNew,
  type DictDataQuery,
  type DictEntry,
} from '@tocsin/contract/settings/dict'
import { POST_VALUE, EMPLOYEE_POST } from '@tocsin/contract/access/user'
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
import { fieldError, runEdit, runEditForEach, changedColumns } from '#areas/audit/edit-transaction'
import { createRow, deleteRow, type EditableTable, lockRow, updateRow } from '#areas/audit/edit-row'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { statusLabel } from './dict-labels.ts'

registerConstraintErrors({ dict_data_value_key: { code: codes.dictDataValue } })

const shown = ({ enabled, ...row }: Row<'dictData'>): DictDataRow => ({ ...row, status: enabled })

/** The compatibility API has one keyword for label and value (wire 3.13). */
type Filter = DictDataQuery & { keywords?: string | undefined }

const filtered = (db: Db, { dictType, label, value, status, keywords }: Filter) =>
  db
    .selectFrom('dictData')
    .$if(!!dictType, (q) => q.where('dictType', '=', dictType ?? ''))
    .$if(!!label, (q) =>
      q.where((on) =>
        on.or([on('label', 'ilike', likePattern(label ?? '')), on('labelEn', 'ilike', likePattern(label ?? ''))]),
      ),
    )
    .$if(!!value, (q) => q.where('value', 'ilike', likePattern(value ?? '')))
    .$if(!!keywords, (q) =>
      q.where((on) =>
        on.or((['label', 'labelEn', 'value'] as const).map((of) => on(of, 'ilike', likePattern(keywords ?? '')))),
      ),
    )
    .$if(status !== undefined, (q) => q.where('enabled', '=', status ?? true))

const ordered = (db: Db, query: Filter) =>
  filtered(db, query).selectAll().orderBy('dictType').orderBy('sort').orderBy('id')

export const dataPage = async (db: Db, query: Filter): Promise<Page<DictDataRow>> => {
  const { limit, offset } = toOffsetLimit(query)
  const rows = await ordered(db, query).limit(limit).offset(offset).execute()
  return { list: rows.map(shown), ...(await countCapped(db, filtered(db, query).select('id'))) }
}

/** Enabled entries of enabled dictionaries. */
export const listEnabledEntries = (db: Db): Promise<(DictEntry & { name: string })[]> =>
  db
    .selectFrom('dictData')
    .innerJoin('dictType', 'dictType.type', 'dictData.dictType')
    .select(['dictType.name', 'dictData.dictType', 'value', 'label', 'labelEn', 'colorType', 'cssClass'])
    .where('dictType.enabled', '=', true)
    .where('dictData.enabled', '=', true)
    .orderBy('dictData.dictType')
    .orderBy('sort')
    .orderBy('dictData.id')
    .execute()

export const dataExport: Exporter<DictDataQuery & ExportOptions, DictDataRow, Row<'dictData'>> = {
  endpoints: dictDatas,
  subject: 'dict_data',
  name: '字典数据',
  nameEn: 'Entries',
  columns: async (_, lang) => [
    sheetColumn(DictDataRow, 'id'),
    sheetColumn(DictDataRow, 'dictType'),
    sheetColumn(DictDataRow, 'label'),
    sheetColumn(DictDataRow, 'value'),
    sheetColumn(DictDataRow, 'sort'),
    sheetColumn(DictDataRow, 'status', { cell: statusLabel(lang) }),
    sheetColumn(DictDataRow, 'colorType'),
    sheetColumn(DictDataRow, 'cssClass'),
    sheetColumn(DictDataRow, 'labelEn'),
    sheetColumn(DictDataRow, 'remark'),
    sheetColumn(DictDataRow, 'createTime'),
  ],
  rows: (db, _actor, query) => ordered(db, query) as unknown as RowsQuery<Row<'dictData'>>,
  shown: (_, rows) => rows.map(shown),
}

const editable: EditableTable<'dictData'> = {
  table: 'dictData',
  action: 'system:dict',
  missing: codes.dictDataMissing,
  current: (_trx, row) => z.encode(DictDataRow, shown(row)),
  // Dictionaries belong to no department: every screen is notified.
  events: ({ id }) => [{ type: 'dict.changed', ref: id }],
}

const find = (db: Db, id: number) => db.selectFrom('dictData').selectAll().where('id', '=', id)

const found = (row: Row<'dictData'> | undefined): Row<'dictData'> => {
  if (!row) throw new BusinessError(codes.dictDataMissing)
  return row
}

export const getData = async (db: Db, id: number): Promise<DictDataRow> =>
  shown(found(await find(db, id).executeTakeFirst()))

/** Locks the dictionary, so that it is neither deleted nor disabled before the entry is written. */
const checkType = async (trx: Db, type: string): Promise<void> => {
  const row = await trx.selectFrom('dictType').select('enabled').where('type', '=', type).forShare().executeTakeFirst()
  if (!row) throw new BusinessError(codes.dictTypeMissing)
  if (!row.enabled) throw new BusinessError(codes.dictTypeDisabled)
}

/** A post is a number on the wire: no form could offer another value. */
const checkValue = ({ dictType, value }: { dictType: string; value: string }) => {
  if (dictType === EMPLOYEE_POST && !POST_VALUE.test(value)) throw fieldError(DictDataDraft, 'value', 'format')
}

export const createData = (db: Db, { status, ...draft }: DictDataNew, caller: Caller): Promise<number> =>
  runEdit(db, 'all', async (trx) => {
    await checkType(trx, draft.dictType)
    checkValue(draft)
    const { id } = await createRow(trx, caller, editable, { ...draft, enabled: status })
    return id
  })

export const updateData = (db: Db, edit: DictDataEdit, caller: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx) => {
    // Locks the dictionary first, like its deletion: otherwise the two could deadlock. An entry never changes its
    // dictionary.
    const { dictType } = found(await find(trx, edit.id).executeTakeFirst())
    await checkType(trx, dictType)
    const before = await lockRow(trx, caller, editable, edit)
    const { status, ...columns } = changedColumns(edit)
    if (columns.dictType !== undefined && columns.dictType !== before.dictType)
      throw new BusinessError(codes.dictTypeFixed)
    if (columns.value !== undefined && columns.value !== before.value) checkValue({ dictType, value: columns.value })
    await updateRow(trx, caller, editable, {
      before,
      changes: { ...columns, ...(status !== undefined && { enabled: status }) },
    })
    return true as const
  })

/** All or none. */
export const deleteDatas = (db: Db, ids: readonly number[], caller: Caller): Promise<true> =>
  runEditForEach(db, {
    ids,
    named: (id) => db.selectFrom('dictData').select('label as name').where('id', '=', id).executeTakeFirst(),
    work: async (trx, id) => deleteRow(trx, caller, editable, await lockRow(trx, caller, editable, { id })),
  })
