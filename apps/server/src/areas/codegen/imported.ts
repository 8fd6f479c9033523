import { type Code, codes } from '@tocsin/contract/codes'
import {
  CodegenDetail,
  type CodegenMenu,
  type CodegenProblem,
  type CodegenQuery,
  type CodegenTable,
  type CodegenFullDetail,
  type DbTable,
} from '@tocsin/contract/codegen/codegen'
import { labelOf } from '@tocsin/contract/field'
import type { Page } from '@tocsin/contract/page'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { toOffsetLimit } from '#http/time-window'
import { writeAudit } from '#areas/audit/audit'
import type { Caller } from '#http/route'
import { createStamp, toAuditState } from '#areas/audit/edit-transaction'
import {
  toCamelCase,
  isReadOnly,
  listExcludedColumns,
  configurableColumns,
  findProductTable,
  type Importability,
  checkImportable,
} from './allow.ts'
import { guessColumns, guessTable, toPlainText } from './guess.ts'
import { type DbStructure, readStructures } from './structure.ts'

type Named = { columnName: string; title: string; titleEn: string }
type Filter = { name?: string | undefined; comment?: string | undefined }

const problemOf = (verdict: Importability): Pick<DbTable, 'looked' | 'problem' | 'detail'> =>
  typeof verdict === 'string'
    ? { looked: verdict === 'looked', problem: null, detail: null }
    : { looked: false, ...verdict }

/** Tables that can be imported and are not yet; for others the reason. */
export const dbTables = async (db: Db, { name = '', comment = '' }: Filter): Promise<DbTable[]> => {
  const imported = await db.selectFrom('codegenTable').select('tableName').execute()
  const known = new Set(imported.map(({ tableName }) => tableName))
  return (await readStructures(db)).flatMap((structure) => {
    const verdict = checkImportable(structure)
    const product = findProductTable(structure.name) !== undefined
    if (verdict === 'never' || known.has(structure.name)) return []
    const said = toPlainText(structure.comment, 200)
    if (!structure.name.includes(name) || !said.includes(comment)) return []
    return [{ name: structure.name, comment: said || null, product, ...problemOf(verdict) }]
  })
}

/** The project's labels of its own columns; the database may have no comment. */
const calledBy = <C extends Named>(table: string, column: C): C => {
  const schema = findProductTable(table)?.row.shape[toCamelCase(column.columnName)]
  const label = schema instanceof z.ZodType ? labelOf(schema) : undefined
  return label ? { ...column, title: toPlainText(label.title, 20), titleEn: toPlainText(label.titleEn, 40) } : column
}

const importOne = async (trx: Db, structure: DbStructure, caller: Caller): Promise<number> => {
  const guessed = guessTable(structure)
  const table = await trx
    .insertInto('codegenTable')
    .values({
      tableName: structure.name,
      comment: toPlainText(structure.comment, 1000) || null,
      ...guessed,
      ...createStamp(caller),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!table) throw new BusinessError(codes.codegenImported)
  const columns = guessColumns(configurableColumns(structure), guessed.template, isReadOnly(structure)).map(
    (column) => ({
      ...calledBy(structure.name, column),
      tableId: table.id,
    }),
  )
  await trx.insertInto('codegenColumn').values(columns).execute()
  await writeAudit(trx, {
    ...caller,
    action: 'infra:codegen:create',
    subject: 'codegen_table',
    subjectId: table.id,
    after: toAuditState(table),
  })
  return table.id
}

/** The reason why a table cannot be imported. */
export const importErrors: Readonly<Record<CodegenProblem, Code>> = {
  ID: codes.codegenKey,
  TYPE: codes.codegenType,
  DIGITS: codes.codegenDigits,
  GIVEN: codes.codegenGiven,
  NAME: codes.codegenName,
  SECRET: codes.codegenSecret,
  RULE: codes.codegenRule,
  SIZE: codes.codegenSize,
}

/** Rolls everything back when one row fails. */
export const importTables = (db: Db, names: readonly string[], caller: Caller): Promise<number[]> =>
  db.transaction().execute(async (trx) => {
    const structures = new Map((await readStructures(trx)).map((structure) => [structure.name, structure]))
    const ids: number[] = []
    // In a fixed order, so that two users who import the same tables do not deadlock.
    for (const table of [...new Set(names)].toSorted()) {
      const structure = structures.get(table)
      const verdict = structure ? checkImportable(structure) : 'never'
      if (!structure || verdict === 'never') throw new BusinessError(codes.codegenGone, { table })
      if (typeof verdict !== 'string')
        throw new BusinessError(importErrors[verdict.problem], { table, detail: verdict.detail })
      ids.push(await importOne(trx, structure, caller))
    }
    return ids
  })

const order: ListOrder<CodegenQuery> = {
  columns: {
    tableName: { by: sql`table_name` },
    title: { by: sql`title` },
    createTime: { by: sql`create_time` },
    updateTime: { by: sql`update_time` },
  },
  usual: sql`id desc`,
  id: sql`id`,
}

export const codegenPage = async (db: Db, query: CodegenQuery): Promise<Page<CodegenTable>> => {
  const { limit, offset } = toOffsetLimit(query)
  const { tableName, title, createTime } = query
  const from = db
    .selectFrom('codegenTable')
    .$if(!!tableName, (q) => q.where('tableName', 'ilike', likePattern(tableName ?? '')))
    .$if(!!title, (q) =>
      q.where((eb) =>
        eb.or([eb('title', 'ilike', likePattern(title ?? '')), eb('titleEn', 'ilike', likePattern(title ?? ''))]),
      ),
    )
    .$if(!!createTime, (q) =>
      q.where('createTime', '>=', createTime?.[0] as Date).where('createTime', '<=', createTime?.[1] as Date),
    )
  const list = await from.selectAll().orderBy(toOrderBy(query.orderBy, order)).limit(limit).offset(offset).execute()
  return { list, ...(await countCapped(db, from.select('id'))) }
}

/** Directories with an English name, so that the seed of another installation finds them too. */
export const listMenuDirectories = (db: Db): Promise<CodegenMenu[]> =>
  db
    .selectFrom('menu')
    .select(['id', 'parentId', 'name', 'nameEn', 'componentName'])
    .where('type', '=', 'DIR')
    .where('componentName', 'is not', null)
    .$narrowType<{ componentName: string }>()
    .orderBy('sort')
    .orderBy('id')
    .execute()

/** An imported table with its columns, locked for a change. */
export const getCodegenDetail = async (db: Db, id: number, locked = false): Promise<CodegenDetail> => {
  const table = await db
    .selectFrom('codegenTable')
    .selectAll()
    .where('id', '=', id)
    .$if(locked, (q) => q.forUpdate())
    .executeTakeFirst()
  if (!table) throw new BusinessError(codes.codegenMissing)
  const columns = await db
    .selectFrom('codegenColumn')
    .selectAll()
    .where('tableId', '=', id)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return { table, columns: columns.map(({ tableId: _tableId, ...column }) => column) }
}

/** With the data that only the database has. */
export const getFullDetail = async (db: Db, id: number): Promise<CodegenFullDetail> => {
  const detail = await getCodegenDetail(db, id)
  const structure = (await readStructures(db)).find(({ name }) => name === detail.table.tableName)
  return {
    ...detail,
    looked: structure ? isReadOnly(structure) : false,
    leftOut: structure ? listExcludedColumns(structure) : [],
  }
}

/** The child tables of this table, in the order of their import. */
export const listChildTables = async (db: Db, { table }: CodegenDetail): Promise<CodegenDetail[]> => {
  const rows = await db
    .selectFrom('codegenTable')
    .innerJoin('codegenColumn', (join) =>
      join
        .onRef('codegenColumn.tableId', '=', 'codegenTable.id')
        .onRef('codegenColumn.columnName', '=', 'codegenTable.joinColumn'),
    )
    .select('codegenTable.id')
    .where('template', '=', 'SUB')
    .where('codegenColumn.refers', '=', table.tableName)
    .orderBy('codegenTable.id')
    .execute()
  return Promise.all(rows.map(({ id }) => getCodegenDetail(db, id)))
}

export const removeImportedTable = (db: Db, id: number, caller: Caller): Promise<true> =>
  db.transaction().execute(async (trx) => {
    const { table } = await getCodegenDetail(trx, id, true)
    await trx.deleteFrom('codegenTable').where('id', '=', id).execute()
    await writeAudit(trx, {
      ...caller,
      action: 'infra:codegen:delete',
      subject: 'codegen_table',
      subjectId: id,
      before: toAuditState(table),
    })
    return true as const
  })
