import {
  type CodegenColumn,
  type CodegenKind,
  type CodegenTemplate,
  comparisons,
  decimalOf,
  type FormType,
  type QueryType,
} from './codegen.ts'

/** The operators of each kind of column; the first is the default of an import. A list is searched by its elements. */
const operators: Readonly<Record<CodegenKind, readonly QueryType[]>> = {
  TEXT: ['LIKE', 'EQ', 'NE', 'LIKE_LEFT', 'LIKE_RIGHT'],
  INT: [...comparisons, 'BETWEEN'],
  BIGINT: [...comparisons, 'BETWEEN'],
  // Two equal-looking floating-point numbers may differ.
  FLOAT: ['BETWEEN', 'GT', 'GE', 'LT', 'LE'],
  BOOL: ['EQ'],
  DAY: ['BETWEEN', 'GT', 'GE', 'LT', 'LE'],
  INSTANT: ['BETWEEN', 'GT', 'GE', 'LT', 'LE'],
  LIST: ['EQ'],
}

type Shape = Pick<
  CodegenColumn,
  'columnName' | 'dataType' | 'kind' | 'length' | 'nullable' | 'preset' | 'words' | 'refers' | 'dictType'
>

/** The operators of a column; none when it cannot be searched. Enums and dictionaries use a select. */
export const queryTypesOf = (column: Shape): readonly QueryType[] => {
  const { kind, words, dictType, refers } = column
  if (refers !== null) return []
  if (decimalOf(column)) return operators.INT
  if (words.length > 0) return ['IN', 'EQ', 'NE']
  return dictType !== null && kind === 'TEXT' ? ['EQ', 'NE', 'IN'] : operators[kind]
}

const inputs: Readonly<Record<CodegenKind, readonly FormType[]>> = {
  TEXT: ['INPUT', 'TEXTAREA', 'SELECT', 'RADIO'],
  INT: ['NUMBER'],
  // Value is a number or the id of a file.
  BIGINT: ['NUMBER', 'IMAGE', 'FILE'],
  FLOAT: ['NUMBER'],
  BOOL: ['SWITCH', 'CHECKBOX'],
  DAY: ['DATE'],
  INSTANT: ['DATETIME'],
  LIST: ['CHECKBOX', 'SELECT'],
}

/** Options that child rows do not have. */
const wholeOnly: ReadonlySet<FormType> = new Set(['IMAGE', 'FILE', 'EDITOR', 'SCHOOL'])

/** A column that a new row may omit can be hidden in the form. */
const carried = ({ nullable, preset }: Shape): readonly FormType[] => (nullable || preset !== null ? ['HIDDEN'] : [])

const inputsOf = (column: Shape, template: CodegenTemplate): readonly FormType[] => {
  const { columnName, kind, length, words, refers, dictType } = column
  if (columnName === 'school_id' && refers === 'school') return ['SCHOOL']
  if (columnName === 'parent_id' && refers !== null) return template === 'TREE' ? ['PARENT'] : []
  if (refers === 'file') return ['IMAGE', 'FILE']
  if (columnName === 'dept_id' || refers !== null) return []
  if (words.length > 0 || (dictType !== null && kind === 'TEXT')) return ['SELECT', 'RADIO', ...carried(column)]
  return [...inputs[kind], ...(kind === 'TEXT' && length === null ? (['EDITOR'] as const) : []), ...carried(column)]
}

/** The inputs of a column; none when a form cannot contain it. */
export const formTypesOf = (column: Shape, template: CodegenTemplate): readonly FormType[] =>
  inputsOf(column, template).filter((item) => template !== 'SUB' || !wholeOnly.has(item))

/** A dictionary select, unless the database itself lists the allowed values. */
export const needsDict = (formType: FormType, { kind, words }: Pick<Shape, 'kind' | 'words'>): boolean =>
  words.length === 0 &&
  formType !== 'HIDDEN' &&
  (kind === 'LIST' || (kind === 'TEXT' && (formType === 'SELECT' || formType === 'RADIO')))
