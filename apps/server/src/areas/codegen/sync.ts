import { codes } from '@tocsin/contract/codes'
import {
  type CodegenChange,
  CodegenColumn,
  type CodegenDetail,
  type CodegenFullDetail,
  type CodegenTable,
  type CodegenTemplate,
} from '@tocsin/contract/codegen/codegen'
import { formTypesOf, needsDict, queryTypesOf } from '@tocsin/contract/codegen/column-options'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { updateStamp } from '#areas/audit/edit-transaction'
import { isReadOnly, listExcludedColumns, configurableColumns, checkImportable } from './allow.ts'
import { recordChange } from './change.ts'
import { guessColumn, toPlainText, withoutInputs } from './guess.ts'
import { getCodegenDetail, importErrors } from './imported.ts'
import { type DbStructure, readStructures } from './structure.ts'

/** What the database says of a column. */
const Facts = CodegenColumn.pick({
  dataType: true,
  kind: true,
  length: true,
  nullable: true,
  preset: true,
  single: true,
  refers: true,
  words: true,
  comment: true,
}).strip()
type Facts = z.output<typeof Facts>

const factsOf = (column: Facts): Facts => Facts.parse(column)

/** In SQL syntax, for users to compare. */
const describeColumn = ({ dataType, nullable, preset, single, refers, words, comment }: Facts): string =>
  [
    dataType,
    !nullable && 'not null',
    single && 'unique',
    preset !== null && `default ${preset}`,
    words.length > 0 && `in (${words.join(', ')})`,
    refers !== null && `references ${refers}`,
    comment !== null && `-- ${toPlainText(comment, 60)}`,
  ]
    .filter(Boolean)
    .join(' ')

type Step = CodegenChange & { now: Omit<CodegenColumn, 'id'> | undefined; id: number | undefined }

const stepOf = (name: string, was: CodegenColumn | undefined, now: Step['now']): Step[] => {
  const [before, after] = [was ? describeColumn(factsOf(was)) : null, now ? describeColumn(factsOf(now)) : null]
  const same = was && now && JSON.stringify(factsOf(was)) === JSON.stringify(factsOf(now))
  if (same || (!was && !now)) return []
  const change = was ? (now ? 'CHANGED' : 'REMOVED') : 'ADDED'
  return [{ columnName: name, change, before, after, now, id: was?.id }]
}

/** The table as the database has it now; rejected when it is gone or can no longer be imported. */
export const getTableStructure = async (db: Db, table: string): Promise<DbStructure> => {
  const structure = (await readStructures(db)).find(({ name }) => name === table)
  const verdict = structure ? checkImportable(structure) : 'never'
  if (!structure || verdict === 'never') throw new BusinessError(codes.codegenGone, { table })
  if (typeof verdict !== 'string')
    throw new BusinessError(importErrors[verdict.problem], { table, detail: verdict.detail })
  return structure
}

const stepsOf = (structure: DbStructure, { table, columns }: CodegenDetail): Step[] => {
  const looked = isReadOnly(structure)
  const now = new Map(
    configurableColumns(structure).map((column, at) => {
      const guessed = guessColumn(column, at + 1, table.template)
      return [column.name, looked ? withoutInputs(guessed) : guessed]
    }),
  )
  const was = new Map(columns.map((column) => [column.columnName, column]))
  return [...new Set([...was.keys(), ...now.keys()])].flatMap((name) => stepOf(name, was.get(name), now.get(name)))
}

const shown = ({ columnName, change, before, after }: Step): CodegenChange => ({ columnName, change, before, after })

export const diffColumns = async (db: Db, detail: CodegenDetail): Promise<CodegenChange[]> =>
  stepsOf(await getTableStructure(db, detail.table.tableName), detail).map(shown)

/** A table as the database has it now, for its module; rejected while the imported structure differs. */
export const getInSyncDetail = async (db: Db, detail: CodegenDetail): Promise<CodegenFullDetail> => {
  const structure = await getTableStructure(db, detail.table.tableName)
  const changed = stepsOf(structure, detail)
  if (changed.length > 0)
    throw new BusinessError(codes.codegenStale, { columns: changed.map(({ columnName }) => columnName).join(', ') })
  return { ...detail, looked: isReadOnly(structure), leftOut: listExcludedColumns(structure) }
}

/** The column from the database, with the user's choices as far as they still fit. */
const merged = (
  { id: _id, ...was }: CodegenColumn,
  now: Omit<CodegenColumn, 'id'>,
  template: CodegenTemplate,
): Omit<CodegenColumn, 'id'> => {
  const fits = was.dictType === null || now.kind === 'TEXT' || now.kind === 'LIST'
  const shape = { ...now, dictType: fits ? was.dictType : null }
  const forms = formTypesOf(shape, template).filter((item) => shape.dictType !== null || !needsDict(item, shape))
  const formType = forms.includes(was.formType) ? was.formType : now.formType
  const operators = queryTypesOf(shape)
  return {
    ...was,
    ...factsOf(now),
    dictType: shape.dictType,
    inCreate: was.inCreate && forms.includes(formType),
    inUpdate: was.inUpdate && forms.includes(formType),
    required: !now.nullable || was.required,
    formType,
    inQuery: was.inQuery && operators.length > 0,
    queryType: operators.includes(was.queryType) ? was.queryType : now.queryType,
  }
}

type Given = { table: CodegenTable; columns: readonly CodegenColumn[]; looked: boolean }

const apply = async (trx: Db, { table, columns, looked }: Given, { id, now }: Step): Promise<void> => {
  const was = columns.find((column) => column.id === id)
  if (!now) {
    await trx
      .deleteFrom('codegenColumn')
      .where('id', '=', id ?? 0)
      .execute()
    return
  }
  if (!was) {
    await trx
      .insertInto('codegenColumn')
      .values({ ...now, tableId: table.id })
      .execute()
    return
  }
  const next = merged(was, now, table.template)
  await trx
    .updateTable('codegenColumn')
    .set(looked ? withoutInputs(next) : next)
    .where('id', '=', was.id)
    .execute()
}

/** Updates the columns from the database; the user's choices stay where they still fit. */
export const syncTable = (db: Db, id: number, caller: Caller): Promise<CodegenChange[]> =>
  db.transaction().execute(async (trx) => {
    const before = await getCodegenDetail(trx, id, true)
    const structure = await getTableStructure(trx, before.table.tableName)
    const steps = stepsOf(structure, before)
    const comment = toPlainText(structure.comment, 1000) || null
    if (steps.length === 0 && comment === before.table.comment) throw new BusinessError(codes.codegenSame)
    const looked = isReadOnly(structure)
    for (const step of steps) await apply(trx, { ...before, looked }, step)
    await trx
      .updateTable('codegenTable')
      .set({ comment, ...updateStamp(caller) })
      .where('id', '=', id)
      .execute()
    await recordChange(trx, caller, before, 'infra:codegen:update')
    return steps.map(shown)
  })
