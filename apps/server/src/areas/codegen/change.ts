import { codes } from '@tocsin/contract/codes'
import {
  type CodegenColumn,
  CodegenColumnEdit,
  CodegenDetail,
  CodegenEdit,
  CodegenTableDraft,
  type CodegenTemplate,
  MAX_FORM,
  MAX_LIST,
  MAX_QUERY,
} from '@tocsin/contract/codegen/codegen'
import { formTypesOf, needsDict, queryTypesOf } from '@tocsin/contract/codegen/column-options'
import type { FieldError } from '@tocsin/contract/issue'
import { issueText } from '@tocsin/contract/issue'
import { labelOf } from '@tocsin/contract/field'
import { z } from 'zod'
import type { Db } from '#db/db'
import { ValidationError, BusinessError } from '#http/business-error'
import { writeAudit } from '#areas/audit/audit'
import type { Caller } from '#http/route'
import { checkVersion, toAuditState, updateStamp } from '#areas/audit/edit-transaction'
import { toCamelCase, isReadOnly, findProductTable, visibilityChoices } from './allow.ts'
import { isTreeShaped } from './guess.ts'
import { getCodegenDetail, listMenuDirectories } from './imported.ts'
import { isFree, openSources } from './templates/names.ts'
import { readStructures } from './structure.ts'

type Blame = Pick<FieldError, 'field' | 'rule'> & { schema: z.ZodType }

const refuse = ({ schema, ...rest }: Blame): ValidationError => {
  const label = labelOf(schema)
  const error = { ...rest, ...(label && { label }) }
  return new ValidationError([{ ...error, message: issueText(error, 'zh-cn') }])
}

const at = (index: number, name: keyof typeof CodegenColumnEdit.shape): Omit<Blame, 'rule'> => ({
  field: `columns.${index}.${name}`,
  schema: CodegenColumnEdit.shape[name],
})

/** Characters that hide, reverse or end a line: titles become text on screens and in code. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u

const oddName = (named: { title: string; titleEn: string }): 'title' | 'titleEn' | undefined =>
  (['title', 'titleEn'] as const).find((name) => unprintable.test(named[name]))

type Around = { dicts: ReadonlySet<string>; template: CodegenTemplate; looked: boolean }
const mayHaveDict = ({ kind, words, refers }: CodegenColumn) =>
  (kind === 'TEXT' || kind === 'LIST') && words.length === 0 && refers === null

const written = ['inCreate', 'inUpdate', 'required'] as const

/** Rules that a schema cannot express: the options of a column depend on its type in the database. */
const checkColumn = (edit: CodegenColumnEdit, column: CodegenColumn, index: number, around: Around) => {
  const { dicts, template, looked } = around
  const odd = oddName(edit)
  if (odd) throw refuse({ ...at(index, odd), rule: 'format' })
  const item = written.find((name) => looked && edit[name])
  if (item) throw refuse({ ...at(index, item), rule: 'choice' })
  const shape = { ...column, dictType: edit.dictType }
  if (edit.dictType !== null && !(mayHaveDict(column) && dicts.has(edit.dictType)))
    throw refuse({ ...at(index, 'dictType'), rule: 'choice' })
  const forms = formTypesOf(shape, template)
  const inForm = edit.inCreate || edit.inUpdate
  if (inForm && !forms.includes(edit.formType))
    throw refuse({
      ...at(index, forms.length > 0 ? 'formType' : edit.inCreate ? 'inCreate' : 'inUpdate'),
      rule: 'choice',
    })
  if (inForm && edit.dictType === null && needsDict(edit.formType, column))
    throw refuse({ ...at(index, 'dictType'), rule: 'required' })
  // A hidden required field could not be filled in.
  if (inForm && edit.formType === 'HIDDEN' && edit.required && column.nullable)
    throw refuse({ ...at(index, 'required'), rule: 'choice' })
  // A rich text is read in the detail or not at all.
  if (edit.inList && inForm && edit.formType === 'EDITOR') throw refuse({ ...at(index, 'inList'), rule: 'choice' })
  const operators = queryTypesOf(shape)
  if (edit.inQuery && !operators.includes(edit.queryType))
    throw refuse({ ...at(index, operators.length > 0 ? 'queryType' : 'inQuery'), rule: 'choice' })
}

/** Names that the address of a list uses already. */
const taken = [
  'pageNo',
  'pageNum',
  'pageSize',
  'orderBy',
  'keyword',
  'keywords',
  'format',
  'lang',
  'from',
  'to',
  'period',
]

/** Each filter has a name of its own; a range has two. */
const checkNames = (edit: CodegenEdit, before: CodegenDetail) => {
  const seen = new Set(taken)
  for (const [index, column] of edit.columns.entries()) {
    const key = toCamelCase(before.columns.find(({ id }) => id === column.id)?.columnName ?? '')
    const names = column.queryType === 'BETWEEN' ? [`${key}From`, `${key}To`] : [key]
    if (column.inQuery && names.some((name) => seen.has(name)))
      throw refuse({ ...at(index, 'inQuery'), rule: 'choice' })
    if (column.inQuery) for (const name of names) seen.add(name)
  }
}

type Flags = Pick<CodegenColumn, 'inList' | 'inCreate' | 'inUpdate' | 'inQuery'>

/** At least one list column and, unless it is read-only, one form field; and not more than fit. */
export const checkWhole = (columns: readonly Flags[], looked: boolean): void => {
  const few = (name: 'inList' | 'inCreate' | 'inUpdate' | 'inQuery') => columns.filter((column) => column[name]).length
  const schema = CodegenEdit.shape.columns
  if (few('inList') === 0 || (few('inCreate') === 0 && !looked))
    throw refuse({ field: 'columns', schema, rule: 'required' })
  for (const [name, most] of [
    ['inList', MAX_LIST],
    ['inQuery', MAX_QUERY],
    ['inCreate', MAX_FORM],
    ['inUpdate', MAX_FORM],
  ] as const)
    if (few(name) > most) {
      const label = labelOf(CodegenColumnEdit.shape[name])
      const error = { field: 'columns', rule: 'tooMany' as const, bound: most, ...(label && { label }) }
      throw new ValidationError([{ ...error, message: issueText(error, 'zh-cn') }])
    }
}

const summaryNames = ['columnName', ...Object.keys(CodegenColumnEdit.omit({ id: true }).shape)]

const summary = ({ table, columns }: CodegenDetail) => ({
  ...toAuditState(table),
  columns: columns.map((column) =>
    Object.fromEntries(Object.entries(column).filter(([name]) => summaryNames.includes(name))),
  ),
})

/** Audits a table with its columns before and after; the caller has already written both. */
export const recordChange = async (trx: Db, caller: Caller, before: CodegenDetail, action: string): Promise<void> =>
  writeAudit(trx, {
    ...caller,
    action,
    subject: 'codegen_table',
    subjectId: before.table.id,
    before: summary(before),
    after: summary(await getCodegenDetail(trx, before.table.id)),
  })

const checkTable = ({ table }: CodegenEdit, before: CodegenDetail) => {
  const { shape } = CodegenTableDraft
  const odd = oddName(table)
  if (odd) throw refuse({ field: `table.${odd}`, schema: shape[odd], rule: 'format' })
  if (!visibilityChoices(before.table.tableName, before.columns).includes(table.sight))
    throw refuse({ field: 'table.sight', schema: shape.sight, rule: 'choice' })
  if (table.entity !== before.table.entity && !isFree(table.entity, openSources()))
    throw new BusinessError(codes.codegenTaken, { what: table.entity })
}

/** A tree needs its parent field in the form; a child table names the table whose form contains it. */
const checkTemplate = ({ table, columns }: CodegenEdit, before: CodegenDetail, looked: ReadonlySet<string>) => {
  const { tableName } = before.table
  const { shape } = CodegenTableDraft
  const product = findProductTable(tableName) !== undefined
  const parent = before.columns.find(({ columnName }) => columnName === 'parent_id')
  if (table.template === 'TREE' && !isTreeShaped(tableName, before.columns))
    throw refuse({ field: 'table.template', schema: shape.template, rule: 'choice' })
  const above = columns.findIndex(({ id }) => id === parent?.id)
  if (table.template === 'TREE' && !looked.has(tableName) && !columns[above]?.inCreate)
    throw refuse({ ...at(above, 'inCreate'), rule: 'required' })
  if (table.template === 'SUB' && product)
    throw refuse({ field: 'table.template', schema: shape.template, rule: 'choice' })
  const joins = before.columns.some(
    ({ columnName, refers }) =>
      columnName === table.joinColumn && refers !== null && refers !== tableName && !looked.has(refers),
  )
  const joined = table.joinColumn !== null
  if (table.template === 'SUB' ? !joins : joined)
    throw refuse({ field: 'table.joinColumn', schema: shape.joinColumn, rule: joined ? 'choice' : 'required' })
}

const checkMenu = async (trx: Db, { table: { menuUnder } }: CodegenEdit) => {
  if (menuUnder === null) return
  const known = (await listMenuDirectories(trx)).some(({ componentName }) => componentName === menuUnder)
  if (!known) throw refuse({ field: 'table.menuUnder', schema: CodegenTableDraft.shape.menuUnder, rule: 'choice' })
}

const checkAll = async (trx: Db, edit: CodegenEdit, before: CodegenDetail): Promise<void> => {
  const byId = new Map(before.columns.map((column) => [column.id, column]))
  const known = edit.columns.every(({ id }) => byId.delete(id))
  if (!known || byId.size > 0) throw new BusinessError(codes.codegenColumns)
  checkTable(edit, before)
  const looked = new Set((await readStructures(trx)).filter(isReadOnly).map(({ name }) => name))
  const isOne = looked.has(before.table.tableName)
  checkTemplate(edit, before, looked)
  await checkMenu(trx, edit)
  checkWhole(edit.columns, isOne)
  checkNames(edit, before)
  const types = await trx.selectFrom('dictType').select('type').execute()
  const dicts = new Set(types.map(({ type }) => type))
  for (const [index, column] of edit.columns.entries()) {
    const kept = before.columns.find(({ id }) => id === column.id)
    if (kept) checkColumn(column, kept, index, { dicts, template: edit.table.template, looked: isOne })
  }
}

export const updateCodegen = (db: Db, edit: CodegenEdit, caller: Caller): Promise<true> =>
  db.transaction().execute(async (trx) => {
    const before = await getCodegenDetail(trx, edit.id, true)
    await checkVersion(edit.version, before.table, () => z.encode(CodegenDetail, before))
    await checkAll(trx, edit, before)
    await trx
      .updateTable('codegenTable')
      .set({ ...edit.table, ...updateStamp(caller) })
      .where('id', '=', edit.id)
      .execute()
    for (const { id, ...column } of edit.columns)
      await trx.updateTable('codegenColumn').set(column).where('id', '=', id).execute()
    await recordChange(trx, caller, before, 'infra:codegen:update')
    return true as const
  })
