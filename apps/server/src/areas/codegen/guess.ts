import {
  type CodegenColumn,
  type CodegenTableDraft,
  type CodegenTemplate,
  type FormType,
  MAX_FORM,
  MAX_LIST,
  MAX_QUERY,
} from '@tocsin/contract/codegen/codegen'
import { formTypesOf, needsDict, queryTypesOf } from '@tocsin/contract/codegen/column-options'
import { toCamelCase, visibilityChoices } from './allow.ts'
import { isFree, openSources } from './templates/names.ts'
import type { DbColumn, DbStructure } from './structure.ts'

/** One line of ordinary characters: database comments contain anything. */
export const toPlainText = (text: string | null, most: number): string =>
  [...(text ?? '').replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()].slice(0, most).join('').trim()

/** A comment begins with the title of the column: `状态：0 正常`. */
const titleOf = (comment: string | null, name: string): string =>
  toPlainText(toPlainText(comment, 200).split(/[，,：:；;（(]/u)[0] ?? '', 20) || toPlainText(name, 20)

const english = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`.slice(0, 40).trim()
}

const LONG = 255
const searched = /(^|_)(name|title|code|no|state|status|type|kind|enabled|time|date|at)$/

const picture = /(^|_)(image|picture|photo|avatar|img)(_id)?$/
const attachment = /(^|_)(file|attachment|document)(_id)?$/
const rich = /(^|_)(content|html|body)$/

const formOf = (name: string, long: boolean, forms: readonly FormType[]): FormType | undefined => {
  const named = picture.test(name) ? 'IMAGE' : attachment.test(name) ? 'FILE' : rich.test(name) ? 'EDITOR' : undefined
  if (named && forms.includes(named)) return named
  return long ? forms.find((form) => form === 'TEXTAREA') : forms[0]
}

/** The first settings of a column, guessed from its name and type. */
export const guessColumn = (
  column: DbColumn,
  sort: number,
  template: CodegenTemplate = 'SINGLE',
): Omit<CodegenColumn, 'id'> => {
  const { name, dataType, kind = 'TEXT', length, nullable, preset, refers, words } = column
  const shape = { columnName: name, dataType, kind, length, nullable, preset, words, refers, dictType: null }
  const [query] = queryTypesOf(shape)
  const all = formTypesOf(shape, template).filter((item) => item !== 'HIDDEN')
  const forms = all.filter((item) => !needsDict(item, shape))
  const long = kind === 'TEXT' && (length === null || length > LONG) && words.length === 0
  return {
    columnName: name,
    dataType,
    kind,
    length,
    nullable,
    preset,
    single: column.single,
    refers,
    words,
    comment: toPlainText(column.comment, 1000) || null,
    title: titleOf(column.comment, name),
    titleEn: english(name),
    inList: !long,
    inCreate: forms.length > 0,
    inUpdate: forms.length > 0,
    inQuery: query !== undefined && searched.test(name) && !long,
    required: !nullable && forms.length > 0,
    queryType: query ?? 'EQ',
    // Where a dictionary must still be chosen, the input it will have.
    formType: formOf(name, long, forms) ?? all[0] ?? 'INPUT',
    dictType: null,
    example: null,
    sort,
  }
}

type Guessed = ReturnType<typeof guessColumn>

/** A read-only table has no form fields. */
export const withoutInputs = <C extends Pick<CodegenColumn, 'inCreate' | 'inUpdate' | 'required'>>(column: C): C => ({
  ...column,
  inCreate: false,
  inUpdate: false,
  required: false,
})

/** As many as a list, a form and a filter hold, required ones first. */
export const guessColumns = (own: readonly DbColumn[], template: CodegenTemplate, looked: boolean): Guessed[] => {
  const all = own.map((column, at) => guessColumn(column, at + 1, template))
  const given = all.filter(({ inCreate }) => inCreate).toSorted((a, b) => Number(b.required) - Number(a.required))
  const form = new Set(given.slice(0, MAX_FORM))
  const query = new Set(all.filter(({ inQuery }) => inQuery).slice(0, MAX_QUERY))
  // A list of long texts alone still shows one of them.
  const listed = all.filter(({ inList }) => inList)
  const list = new Set(listed.length > 0 ? listed.slice(0, MAX_LIST) : all.slice(0, 1))
  const begun = all.map((column) => ({
    ...column,
    inList: list.has(column),
    inCreate: form.has(column),
    inUpdate: form.has(column),
    inQuery: query.has(column),
  }))
  return looked ? begun.map(withoutInputs) : begun
}

/** The first free name; a user may choose a better one. */
const entityOf = (table: string): string => {
  const sources = openSources()
  const base = toCamelCase(table.replace(/\d/g, '')).slice(0, 19)
  const names = [base, `${base}Entry`, `${base}Item`, `${base}Sheet`]
  const fitting = names.filter((name) => name.length >= 2 && name.length <= 24)
  return fitting.find((name) => isFree(name, sources)) ?? `${base.slice(0, 17)}Another`
}

/** A table whose rows refer to a parent by `parent_id` is a tree. */
export const isTreeShaped = (
  tableName: string,
  columns: readonly Pick<CodegenColumn, 'columnName' | 'refers' | 'nullable'>[],
): boolean =>
  columns.some(({ columnName, refers, nullable }) => columnName === 'parent_id' && refers === tableName && nullable)

export const guessTable = (structure: DbStructure): CodegenTableDraft => {
  const { name, comment, columns } = structure
  const named = columns.map((column) => ({ ...column, columnName: column.name }))
  return {
    title: titleOf(comment, name),
    titleEn: english(name),
    area: 'school',
    entity: entityOf(name),
    sight: visibilityChoices(name, named)[0] ?? 'DEPT',
    menuUnder: null,
    template: isTreeShaped(name, named) ? 'TREE' : 'SINGLE',
    joinColumn: null,
    remark: null,
  }
}
