import { codes } from '@tocsin/contract/codes'
import type {
  CodegenColumn,
  CodegenExcludedColumn,
  CodegenFullDetail,
  CodegenTable,
  FormType,
} from '@tocsin/contract/codegen/codegen'
import { formTypesOf } from '@tocsin/contract/codegen/column-options'
import { BusinessError } from '#http/business-error'
import { findProductTable, isEdited, toCamelCase } from '../allow.ts'
import { guessColumn, withoutInputs } from '../guess.ts'
import { plainColumn, type UnmappedConstraint } from '../structure.ts'
import { kebab, pascal, plural, type Sources } from './names.ts'

export type CrudColumn = CodegenColumn & {
  /** Name of the column in code. */
  key: string
  /** The constant with the values that the database allows. */
  wordsName: string
  /** Its input; undefined when no form has it. */
  form: FormType | undefined
  /** The field with the file that the column refers to; undefined when it refers to none. */
  fileKey: string | undefined
}

/** A column that the module neither shows nor writes. */
export type ExcludedColumn = CodegenExcludedColumn & { key: string }

/** A table with its names in every place. */
type NamedTable = {
  table: CodegenTable
  /** The table belongs to the project: no migration, no entry among the tables. */
  product: boolean
  columns: readonly CrudColumn[]
  leftOut: readonly ExcludedColumn[]
  entity: string
  type: string
  set: string
  /** Name of the table in code. */
  key: string
}

/** Another table whose rows are edited in the form of the row that they belong to. */
export type ChildTable = NamedTable & {
  join: CrudColumn
  /** A row has at most one child row. */
  one: boolean
}

/** Everything that is printed for one table. */
export type CrudModule = NamedTable & {
  /** Rows are only listed, read and exported. */
  readOnly: boolean
  /** Rows have the times and users of creation and change. */
  edited: boolean
  /** Rules of a project table whose violation no area explains. */
  unnamed: readonly UnmappedConstraint[]
  /** Rows have the department of their creator. */
  ofDept: boolean
  kebab: string
  permission: string
  path: string
  screen: string
  contractModule: string
  children: readonly ChildTable[]
  files: Record<'contract' | 'server' | 'test' | 'page' | 'menu' | 'row', string>
}

/** A folder has at most fifteen files; a new file beyond gets a folder of its own. */
const findPlace = (sources: Sources, folder: string, name: string): string => {
  const files = sources.names(folder).filter((file) => /\.(ts|tsx|css)$/.test(file) && !file.includes('.test.'))
  return files.length < 15 ? `${folder}/${name}` : `${folder}/${name}/${name}`
}

type Named = { area: string; name: string; type: string }

const filesOf = (sources: Sources, { area, name, type }: Named): CrudModule['files'] => ({
  contract: `${findPlace(sources, `packages/contract/src/${area}`, name)}.ts`,
  server: `apps/server/src/areas/${area}/${name}/${name}.ts`,
  test: `apps/server/src/areas/${area}/${name}/${name}.test.ts`,
  page: `apps/web/src/areas/${area}/${name}/${type}Page.tsx`,
  menu: `${findPlace(sources, 'apps/server/src/areas/access/seed', `${name}-menu`)}.ts`,
  row: `${findPlace(sources, 'apps/server/src/db/tables', name)}.ts`,
})

const DEPT: CodegenColumn = {
  ...guessColumn(
    { ...plainColumn, name: 'dept_id', dataType: 'bigint', kind: 'BIGINT', refers: 'dept', comment: '所属部门' },
    0,
  ),
  id: 0,
  titleEn: 'Department',
  inList: false,
}

const isDept = ({ columnName, refers, nullable }: CodegenColumn): boolean =>
  columnName === 'dept_id' && refers === 'dept' && !nullable

/** A form must have every required column without a default. */
const checkGiven = (columns: readonly CrudColumn[], ofDept: boolean) => {
  const lacking = columns.find(
    (column) => !column.nullable && column.preset === null && !column.inCreate && !(ofDept && isDept(column)),
  )
  if (!lacking) return
  const { columnName: column, refers } = lacking
  if (refers !== null && formTypesOf(lacking, 'SINGLE').length === 0)
    throw new BusinessError(codes.codegenRefers, { column, table: refers })
  throw new BusinessError(codes.codegenNeeds, { column })
}

const toCrudColumn =
  (entity: string, all: readonly Pick<CodegenColumn, 'columnName'>[]) =>
  (column: CodegenColumn): CrudColumn => {
    const key = toCamelCase(column.columnName)
    const form = column.inCreate || column.inUpdate ? column.formType : undefined
    const taken = all.map(({ columnName }) => toCamelCase(columnName))
    const fileNames = [key.replace(/(.)Id$/, '$1'), `${key}File`, `${key}Shown`, `${key}Stored`]
    const fileKey = form === 'IMAGE' || form === 'FILE' ? fileNames.find((name) => !taken.includes(name)) : undefined
    return { ...column, key, wordsName: `${entity}${pascal(plural(key))}`, form, fileKey }
  }

/** How a column of a read-only table is displayed: by the name of its school or parent. */
const shownBy = (column: CrudColumn, { template }: CodegenTable): CrudColumn => {
  const { columnName, refers } = column
  if (columnName === 'school_id' && refers === 'school') return { ...column, form: 'SCHOOL' }
  return columnName === 'parent_id' && template === 'TREE' ? { ...column, form: 'PARENT' } : column
}

const toNamedTable = (
  { table, leftOut }: Pick<CodegenFullDetail, 'table' | 'leftOut'>,
  columns: readonly CodegenColumn[],
): NamedTable => ({
  table,
  product: findProductTable(table.tableName) !== undefined,
  columns: columns.map(toCrudColumn(table.entity, [...columns, ...leftOut])),
  leftOut: leftOut.map((column) => ({ ...column, key: toCamelCase(column.columnName) })),
  entity: table.entity,
  type: pascal(table.entity),
  set: plural(table.entity),
  key: toCamelCase(table.tableName),
})

const toChildTable = (detail: CodegenFullDetail): ChildTable => {
  const named = toNamedTable(detail, detail.columns)
  const join = named.columns.find(({ columnName }) => columnName === detail.table.joinColumn)
  if (!join) throw new BusinessError(codes.codegenJoin, { table: detail.table.tableName })
  const columns = named.columns.filter((column) => column !== join)
  checkGiven(columns, false)
  return { ...named, columns, join, one: join.single }
}

/** A table with its child tables. */
export type TableWithChildren = Pick<CrudModule, 'unnamed'> & {
  main: CodegenFullDetail
  parts: readonly CodegenFullDetail[]
}

export const toCrudModule = ({ main, parts, unnamed }: TableWithChildren, sources: Sources): CrudModule => {
  const { table, looked } = main
  const { area, sight, tableName } = table
  const isOwn = findProductTable(tableName) === undefined
  const given = looked ? main.columns.map(withoutInputs) : main.columns
  const isAdded = sight === 'DEPT' && isOwn && !given.some(isDept)
  const columns = isAdded ? [...given.filter(({ columnName }) => columnName !== 'dept_id'), DEPT] : given
  const ofDept = columns.some(isDept)
  const named = toNamedTable(main, columns)
  const shown = looked ? named.columns.map((column) => shownBy(column, table)) : named.columns
  if (!looked) checkGiven(shown, ofDept)
  const name = kebab(named.entity)
  const files = filesOf(sources, { area, name, type: named.type })
  return {
    ...named,
    columns: shown,
    readOnly: looked,
    edited: isEdited(tableName),
    unnamed,
    ofDept,
    kebab: name,
    permission: `${area}:${name}`,
    path: `/${area}/${name}`,
    screen: `${area}/${name}/index`,
    contractModule: files.contract.slice('packages/contract/src/'.length, -'.ts'.length),
    children: parts.map(toChildTable),
    files,
  }
}

export const isRequired = ({ nullable, required }: CodegenColumn): boolean => !nullable || required

export const isTree = ({ table }: CrudModule): boolean => table.template === 'TREE'

/** The column with the order of rows. */
export const sortColumn = ({ columns }: Pick<CrudModule, 'columns'>): CrudColumn | undefined =>
  columns.find(({ columnName, kind, nullable }) => columnName === 'sort' && kind === 'INT' && !nullable)

/** Columns whose content has links signed for each reader. */
export const hasFiles = ({ columns }: CrudModule): boolean =>
  columns.some(({ fileKey, form }) => fileKey !== undefined || form === 'EDITOR')

/** The column that names a row: the first text of the list that users wrote. */
export const nameColumn = ({ columns }: Pick<CrudModule, 'columns'>): CrudColumn | undefined =>
  columns.find(
    ({ inList, kind, words, dictType, form }) =>
      inList && kind === 'TEXT' && words.length === 0 && dictType === null && form !== 'EDITOR',
  )

/** The columns of the list. */
export const listColumns = ({ columns }: CrudModule): CrudColumn[] =>
  columns.filter(({ inList, form }) => inList && form !== 'EDITOR' && form !== 'PARENT')
