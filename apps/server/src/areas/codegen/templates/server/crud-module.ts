import { codes } from '@tocsin/contract/codes'
import {
  type CodegenColumn,
  type CodegenExcludedColumn,
  type CodegenTable,
  type CodegenFullDetail,
  type FormType,
} from '@tocsin/contract/codegen/codegen'
import { formTypesOf } from '@tocsin/contract/codegen/column-options'
import { BusinessError } from '#http/business-error'
import { toCamelCase, isEdited, findProductTable } from '../../allow.ts'
import { withoutInputs } from '../../guess.ts'
import type { UnmappedConstraint } from '../../structure.ts'
import type { MenuSeed } from '#areas/access/seed/menu-seed'
import { menuSeeds } from '#areas/access/seed/menus'
import { kebab, pascal, plural, type Sources } from './names.ts'

export type CrudColumn = CodegenColumn & {
  /** Name of the column in code. */
  key: string
  /** The constant with its enum labels. */
  wordsName: string
  /** As a form sends it; undefined when no form does. */
  form: FormType | undefined
  /** The key of the file object; undefined when the column refers to none. */
  fileKey: string | undefined
}

/** A column that the module neither shows nor writes. */
export type ExcludedColumn = CodegenExcludedColumn & { key: string }

/** A table with the names of its module in every place. */
export type CrudModule = {
  table: CodegenTable
  /** The table belongs to the project: no migration, no entry among the tables. */
  product: boolean
  /** Rows are only listed, read and exported. */
  readOnly: boolean
  /** Rows have the times and users of creation and change. */
  edited: boolean
  /** Rules of a project table whose violation no area explains. */
  unnamed: readonly UnmappedConstraint[]
  columns: readonly CrudColumn[]
  leftOut: readonly ExcludedColumn[]
  /** Rows have the department of their creator. */
  ofDept: boolean
  entity: string
  type: string
  set: string
  kebab: string
  /** Name of the table in code. */
  key: string
  permission: string
  path: string
  /** Name of its page, when the seed alone created the menu. */
  address: string
  screen: string
  module: string
  /** The schema with every field of the form. */
  formType: string
  /** Child tables, edited in its form. */
  parts: readonly ChildTable[]
  files: Record<
    | 'contract'
    | 'server'
    | 'routes'
    | 'export'
    | 'test'
    | 'page'
    | 'drawer'
    | 'detail'
    | 'texts'
    | 'menu'
    | 'row'
    | 'e2e',
    string
  >
}

/** A child table. */
export type ChildTable = {
  table: CodegenTable
  product: boolean
  /** Without the reference to the parent. */
  columns: readonly CrudColumn[]
  leftOut: readonly ExcludedColumn[]
  join: CrudColumn
  /** A row of the main table has at most one child row. */
  one: boolean
  entity: string
  type: string
  set: string
  key: string
  files: Record<'server' | 'fields', string>
}

/** A folder has at most fifteen files (codebase 15); a new file beyond gets a folder of its own. */
const roomy = (sources: Sources, folder: string, name: string): string => {
  const files = sources.names(folder).filter((file) => /\.(ts|tsx|css)$/.test(file) && !file.includes('.test.'))
  return files.length < 15 ? `${folder}/${name}` : `${folder}/${name}/${name}`
}

type Named = { area: string; name: string; type: string }

const filesOf = (sources: Sources, { area, name, type }: Named): CrudModule['files'] => ({
  contract: `${roomy(sources, `packages/contract/src/${area}`, name)}.ts`,
  server: `apps/server/src/areas/${area}/${name}/${name}.ts`,
  routes: `apps/server/src/areas/${area}/${name}/routes.ts`,
  export: `apps/server/src/areas/${area}/${name}/export.ts`,
  test: `apps/server/src/areas/${area}/${name}/${name}.test.ts`,
  page: `apps/web/src/areas/${area}/${name}/${type}Page.tsx`,
  drawer: `apps/web/src/areas/${area}/${name}/${type}Drawer.tsx`,
  detail: `apps/web/src/areas/${area}/${name}/${type}Detail.tsx`,
  texts: `${roomy(sources, `apps/web/src/texts/${area}`, name)}.ts`,
  menu: `${roomy(sources, 'apps/server/src/areas/access/seed', `${name}-menu`)}.ts`,
  row: `${roomy(sources, 'apps/server/src/db/tables', name)}.ts`,
  e2e: `e2e/${name}.e2e.ts`,
})

const DEPT: Omit<CodegenColumn, 'id'> = {
  columnName: 'dept_id',
  dataType: 'bigint',
  kind: 'BIGINT',
  length: null,
  nullable: false,
  preset: null,
  single: false,
  refers: 'dept',
  words: [],
  comment: null,
  title: '所属部门',
  titleEn: 'Department',
  inList: false,
  inCreate: false,
  inUpdate: false,
  inQuery: false,
  required: false,
  queryType: 'EQ',
  formType: 'NUMBER',
  dictType: null,
  example: null,
  sort: 0,
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

const shapedBy =
  (entity: string, all: readonly Pick<CodegenColumn, 'columnName'>[]) =>
  (column: CodegenColumn): CrudColumn => {
    const key = toCamelCase(column.columnName)
    const form = column.inCreate || column.inUpdate ? column.formType : undefined
    const taken = all.map(({ columnName }) => toCamelCase(columnName))
    const fileNames = [key.replace(/(.)Id$/, '$1'), `${key}File`, `${key}Shown`, `${key}Made`]
    const fileKey = form === 'IMAGE' || form === 'FILE' ? fileNames.find((name) => !taken.includes(name)) : undefined
    return { ...column, key, wordsName: `${entity}${pascal(plural(key))}`, form, fileKey }
  }

const keyed = (columns: readonly CodegenExcludedColumn[]): ExcludedColumn[] =>
  columns.map((column) => ({ ...column, key: toCamelCase(column.columnName) }))

/** How a column outside of forms is displayed: by the name of its school or parent. */
const shownBy = (column: CrudColumn, { template }: CodegenTable): CrudColumn => {
  const { columnName, refers } = column
  if (columnName === 'school_id' && refers === 'school') return { ...column, form: 'SCHOOL' }
  return columnName === 'parent_id' && template === 'TREE' ? { ...column, form: 'PARENT' } : column
}

/** Its files are placed beside those of the parent table. */
const partOf = ({ table, columns, leftOut }: CodegenFullDetail, main: CrudModule['files']): ChildTable => {
  const { entity, tableName, joinColumn } = table
  const shaped = columns.map(shapedBy(entity, columns))
  const join = shaped.find(({ columnName }) => columnName === joinColumn)
  if (!join) throw new BusinessError(codes.codegenJoin, { table: tableName })
  const own = shaped.filter((column) => column !== join)
  checkGiven(own, false)
  const type = pascal(entity)
  const beside = (file: string, name: string) => `${file.slice(0, file.lastIndexOf('/'))}/${name}`
  return {
    table,
    product: findProductTable(tableName) !== undefined,
    columns: own,
    leftOut: keyed(leftOut),
    join,
    one: join.single,
    entity,
    type,
    set: plural(entity),
    key: toCamelCase(tableName),
    files: {
      server: beside(main.server, `${kebab(entity)}.ts`),
      fields: beside(main.page, `${type}Fields.tsx`),
    },
  }
}

const addressOf = (seeds: readonly MenuSeed[], name: string | null): string | undefined => {
  for (const { path, componentName, children = [] } of seeds) {
    if (componentName === name) return path
    const below = addressOf(children, name)
    if (below !== undefined) return `${path}/${below}`
  }
}

/** A table with its child tables. */
type Tables = { main: CodegenFullDetail; parts: readonly CodegenFullDetail[] }
export type TableWithChildren = Tables & Pick<CrudModule, 'unnamed'>

export const toCrudModule = ({ main, parts, unnamed }: TableWithChildren, sources: Sources): CrudModule => {
  const { table, leftOut, looked } = main
  const columns = looked ? main.columns.map(withoutInputs) : main.columns
  const { entity, area, sight, tableName } = table
  const type = pascal(entity)
  const product = findProductTable(tableName) !== undefined
  const added = sight === 'DEPT' && !product && !columns.some(isDept) ? [{ ...DEPT, id: 0 }] : []
  const all = [...columns.filter(({ columnName }) => added.length === 0 || columnName !== 'dept_id'), ...added]
  const ofDept = all.some(isDept)
  const formed = all.map(shapedBy(entity, [...all, ...leftOut]))
  const shaped = looked ? formed.map((column) => shownBy(column, table)) : formed
  if (!looked) checkGiven(shaped, ofDept)
  const name = kebab(entity)
  const files = filesOf(sources, { area, name, type })
  const same = shaped.every(({ form, inCreate, inUpdate }) => !form || inCreate === inUpdate)
  return {
    table,
    product,
    readOnly: looked,
    edited: isEdited(tableName),
    unnamed,
    columns: shaped,
    leftOut: keyed(leftOut),
    ofDept,
    entity,
    type,
    set: plural(entity),
    kebab: name,
    key: toCamelCase(tableName),
    permission: `${area}:${name}`,
    path: `/${area}/${name}`,
    address: `${addressOf(menuSeeds, table.menuUnder) ?? ''}/${name}`,
    screen: `${area}/${name}/index`,
    module: files.contract.slice('packages/contract/src/'.length, -'.ts'.length),
    formType: same ? `${type}Draft` : `${type}Form`,
    parts: parts.map((part) => partOf(part, files)),
    files,
  }
}

export const isRequired = ({ nullable, required }: CodegenColumn): boolean => !nullable || required

export const isTree = ({ table }: CrudModule): boolean => table.template === 'TREE'

/** The column with the sort order. */
export const sortColumn = ({ columns }: Pick<CrudModule, 'columns'>): CrudColumn | undefined =>
  columns.find(({ columnName, kind }) => columnName === 'sort' && kind === 'INT')
/** Rows of a tree with a sort order are moved by a handle. */
export const isMovable = (slice: CrudModule): boolean =>
  isTree(slice) &&
  sortColumn(slice)?.nullable === false &&
  slice.columns.some(({ form, inUpdate }) => form === 'PARENT' && inUpdate)

/** Columns whose content has links signed for each reader. */
export const fileColumns = ({ columns }: Pick<CrudModule, 'columns'>): CrudColumn[] =>
  columns.filter(({ fileKey }) => fileKey !== undefined)
export const richTextColumns = ({ columns }: Pick<CrudModule, 'columns'>): CrudColumn[] =>
  columns.filter(({ form }) => form === 'EDITOR')
/** Columns with options from a dictionary. */
export const dictColumns = ({ columns }: Pick<CrudModule, 'columns'>): (CrudColumn & { dictType: string })[] =>
  columns.flatMap((column) =>
    column.form && column.dictType !== null ? [{ ...column, dictType: column.dictType }] : [],
  )
/** Columns that a form carries hidden. */
export const hiddenFormColumns = ({ columns }: Pick<CrudModule, 'columns'>): CrudColumn[] =>
  columns.filter(({ form }) => form === 'HIDDEN')
/** The default as code, when it is a number or a boolean. */
export const defaultOf = ({ kind, preset }: CrudColumn): string | undefined =>
  kind !== 'TEXT' && preset !== null && /^(-?\d+(\.\d+)?|true|false)$/.test(preset) ? preset : undefined
/** Distinct dictionaries that the forms use. */
export const dictsIn = (slice: CrudModule): string[] => [
  ...new Set([slice, ...slice.parts].flatMap(dictColumns).map(({ dictType }) => dictType)),
]
/** Rows refer to files. */
export const hasFiles = (slice: CrudModule): boolean => [...fileColumns(slice), ...richTextColumns(slice)].length > 0
/** Rows are mapped before they are returned. */
export const needsRowMapping = (slice: CrudModule): boolean => hasFiles(slice) || slice.leftOut.length > 0
