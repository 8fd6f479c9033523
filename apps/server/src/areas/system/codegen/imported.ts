import { type Code, codes } from '@tocsin/contract/codes'
import {
  CodegenDetail,
  type CodegenMenu,
  type CodegenProblem,
  type CodegenQuery,
  type CodegenTable,
  type CodegenWhole,
  type DbTable,
} from '@tocsin/contract/system/codegen/codegen'
import { labelOf } from '@tocsin/contract/field'
import type { Page } from '@tocsin/contract/page'
import { z } from 'zod'
import type { Db } from '#db/db'
import { like } from '#db/like'
import { countUpTo } from '#db/page'
import { Refusal } from '#http/refusal'
import { pageOf } from '#http/window'
import { audit } from '../audit.ts'
import { authored, recordable, type Who } from '../edit.ts'
import { camel, isLooked, leftOutOf, ownColumns, productTable, type Verdict, verdictOf } from './allow.ts'
import { guessColumns, guessTable, plain } from './guess.ts'
import { type DbStructure, readStructures } from './structure.ts'

type Named = { columnName: string; title: string; titleEn: string }
type Filter = { name?: string | undefined; comment?: string | undefined }

const problemOf = (verdict: Verdict): Pick<DbTable, 'looked' | 'problem' | 'detail'> =>
  typeof verdict === 'string'
    ? { looked: verdict === 'looked', problem: null, detail: null }
    : { looked: false, ...verdict }

/** What may be imported and is not yet, and with the reason what does not fit. */
export const dbTables = async (db: Db, { name = '', comment = '' }: Filter): Promise<DbTable[]> => {
  const imported = await db.selectFrom('codegenTable').select('tableName').execute()
  const known = new Set(imported.map(({ tableName }) => tableName))
  return (await readStructures(db)).flatMap((structure) => {
    const verdict = verdictOf(structure)
    const product = productTable(structure.name) !== undefined
    if (verdict === 'never' || known.has(structure.name)) return []
    const said = plain(structure.comment, 200)
    if (!structure.name.includes(name) || !said.includes(comment)) return []
    return [{ name: structure.name, comment: said || null, product, ...problemOf(verdict) }]
  })
}

/** What the product calls a column of its own; the database may say nothing of it. */
const calledBy = <C extends Named>(table: string, column: C): C => {
  const schema = productTable(table)?.row.shape[camel(column.columnName)]
  const label = schema instanceof z.ZodType ? labelOf(schema) : undefined
  return label ? { ...column, title: plain(label.title, 20), titleEn: plain(label.titleEn, 40) } : column
}

const importOne = async (trx: Db, structure: DbStructure, who: Who): Promise<number> => {
  const guessed = guessTable(structure)
  const table = await trx
    .insertInto('codegenTable')
    .values({
      tableName: structure.name,
      comment: plain(structure.comment, 1000) || null,
      ...guessed,
      ...authored(who),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!table) throw new Refusal(codes.codegenImported)
  const columns = guessColumns(ownColumns(structure), guessed.template, isLooked(structure)).map((column) => ({
    ...calledBy(structure.name, column),
    tableId: table.id,
  }))
  await trx.insertInto('codegenColumn').values(columns).execute()
  await audit(trx, {
    ...who,
    action: 'infra:codegen:create',
    subject: 'codegen_table',
    subjectId: table.id,
    after: recordable(table),
  })
  return table.id
}

/** Why a table cannot be imported. */
export const unfit: Readonly<Record<CodegenProblem, Code>> = {
  ID: codes.codegenKey,
  TYPE: codes.codegenType,
  DIGITS: codes.codegenDigits,
  GIVEN: codes.codegenGiven,
  NAME: codes.codegenName,
  SECRET: codes.codegenSecret,
  RULE: codes.codegenRule,
  SIZE: codes.codegenSize,
}

/** All or none. */
export const importTables = (db: Db, names: readonly string[], who: Who): Promise<number[]> =>
  db.transaction().execute(async (trx) => {
    const structures = new Map((await readStructures(trx)).map((one) => [one.name, one]))
    const ids: number[] = []
    // In one order, so that two who import the same ones wait for each other instead of locking up.
    for (const table of [...new Set(names)].toSorted()) {
      const structure = structures.get(table)
      const verdict = structure ? verdictOf(structure) : 'never'
      if (!structure || verdict === 'never') throw new Refusal(codes.codegenGone, { table })
      if (typeof verdict !== 'string') throw new Refusal(unfit[verdict.problem], { table, detail: verdict.detail })
      ids.push(await importOne(trx, structure, who))
    }
    return ids
  })

export const codegenPage = async (db: Db, query: CodegenQuery): Promise<Page<CodegenTable>> => {
  const { limit, offset } = pageOf(query)
  const { tableName, title, createTime } = query
  const from = db
    .selectFrom('codegenTable')
    .$if(!!tableName, (q) => q.where('tableName', 'ilike', like(tableName ?? '')))
    .$if(!!title, (q) =>
      q.where((eb) => eb.or([eb('title', 'ilike', like(title ?? '')), eb('titleEn', 'ilike', like(title ?? ''))])),
    )
    .$if(!!createTime, (q) =>
      q.where('createTime', '>=', createTime?.[0] as Date).where('createTime', '<=', createTime?.[1] as Date),
    )
  const list = await from.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return { list, ...(await countUpTo(db, from.select('id'))) }
}

/** Directories that are named, so that the seed of another installation finds them too. */
export const menusUnder = (db: Db): Promise<CodegenMenu[]> =>
  db
    .selectFrom('menu')
    .select(['id', 'parentId', 'name', 'nameEn', 'componentName'])
    .where('type', '=', 'DIR')
    .where('componentName', 'is not', null)
    .$narrowType<{ componentName: string }>()
    .orderBy('sort')
    .orderBy('id')
    .execute()

/** An imported table with its columns, locked when it is about to change. */
export const detailOf = async (db: Db, id: number, locked = false): Promise<CodegenDetail> => {
  const table = await db
    .selectFrom('codegenTable')
    .selectAll()
    .where('id', '=', id)
    .$if(locked, (q) => q.forUpdate())
    .executeTakeFirst()
  if (!table) throw new Refusal(codes.codegenMissing)
  const columns = await db
    .selectFrom('codegenColumn')
    .selectAll()
    .where('tableId', '=', id)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return { table, columns: columns.map(({ tableId: _tableId, ...column }) => column) }
}

/** With what the database alone says of it. */
export const wholeDetailOf = async (db: Db, id: number): Promise<CodegenWhole> => {
  const detail = await detailOf(db, id)
  const structure = (await readStructures(db)).find(({ name }) => name === detail.table.tableName)
  return { ...detail, looked: structure ? isLooked(structure) : false, leftOut: structure ? leftOutOf(structure) : [] }
}

/** The tables whose rows belong to rows of this one, in the order they were imported in. */
export const partsOf = async (db: Db, { table }: CodegenDetail): Promise<CodegenDetail[]> => {
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
  return Promise.all(rows.map(({ id }) => detailOf(db, id)))
}

export const forget = (db: Db, id: number, who: Who): Promise<true> =>
  db.transaction().execute(async (trx) => {
    const { table } = await detailOf(trx, id, true)
    await trx.deleteFrom('codegenTable').where('id', '=', id).execute()
    await audit(trx, {
      ...who,
      action: 'infra:codegen:delete',
      subject: 'codegen_table',
      subjectId: id,
      before: recordable(table),
    })
    return true as const
  })
