import { codes } from '@tocsin/contract/codes'
import {
  type CodegenColumn,
  type CodegenLeftOut,
  type CodegenTable,
  type CodegenWhole,
  type FormType,
  formTypesOf,
} from '@tocsin/contract/system/codegen/codegen'
import { Refusal } from '#http/refusal'
import { camel, isEdited, productTable } from '../codegen/allow.ts'
import { unwritten } from '../codegen/guess.ts'
import type { Unnamed } from '../codegen/structure.ts'
import type { MenuSeed } from '../seed/menu-seed.ts'
import { menuSeeds } from '../seed/menus.ts'
import { kebab, pascal, plural, type Sources } from './names.ts'

export type SliceColumn = CodegenColumn & {
  /** Its name in code. */
  key: string
  /** The constant with its words. */
  wordsName: string
  /** As a form gives it; undefined when none does. */
  form: FormType | undefined
  /** The name under which a file itself goes; undefined where the column holds none. */
  fileKey: string | undefined
}

/** A column that the slice neither shows nor writes. */
export type LeftOut = CodegenLeftOut & { key: string }

/** A table and how its slice is called in every place. */
export type Slice = {
  table: CodegenTable
  /** The product has the table already: no migration, no entry among the tables. */
  product: boolean
  /** Rows are listed, read and exported, and written by nothing here. */
  looked: boolean
  /** Rows say when and by whom they were made and changed. */
  edited: boolean
  /** What the database refuses of a table of the product without anybody having said what that means. */
  unnamed: readonly Unnamed[]
  columns: readonly SliceColumn[]
  leftOut: readonly LeftOut[]
  /** Rows carry the department of whoever made them. */
  ofDept: boolean
  entity: string
  type: string
  set: string
  kebab: string
  /** Of the table in code. */
  key: string
  permission: string
  path: string
  /** Of its page, where the seed alone has made the menu. */
  address: string
  screen: string
  module: string
  /** The schema that has every field of the form. */
  formType: string
  /** Tables whose rows belong to a row of this one and are edited in its form. */
  parts: readonly Part[]
  files: Record<
    | 'contract'
    | 'server'
    | 'routes'
    | 'export'
    | 'test'
    | 'page'
    | 'drawer'
    | 'detail'
    | 'zh'
    | 'en'
    | 'menu'
    | 'row'
    | 'e2e',
    string
  >
}

/** A table whose rows belong to those of another. */
export type Part = {
  table: CodegenTable
  product: boolean
  /** Without the one that joins. */
  columns: readonly SliceColumn[]
  leftOut: readonly LeftOut[]
  join: SliceColumn
  /** A row of the main table has at most one. */
  one: boolean
  entity: string
  type: string
  set: string
  key: string
  files: Record<'server' | 'fields', string>
}

/** A folder holds at most fifteen files (codebase 15); beyond, the new one gets a folder of its own. */
const roomy = (sources: Sources, folder: string, name: string): string => {
  const files = sources.names(folder).filter((file) => /\.(ts|tsx|css)$/.test(file) && !file.includes('.test.'))
  return files.length < 15 ? `${folder}/${name}` : `${folder}/${name}/${name}`
}

type Named = { area: string; name: string; type: string }

const filesOf = (sources: Sources, { area, name, type }: Named): Slice['files'] => ({
  contract: `${roomy(sources, `packages/contract/src/${area}`, name)}.ts`,
  server: `apps/server/src/areas/${area}/${name}/${name}.ts`,
  routes: `apps/server/src/areas/${area}/${name}/routes.ts`,
  export: `apps/server/src/areas/${area}/${name}/export.ts`,
  test: `apps/server/src/areas/${area}/${name}/${name}.test.ts`,
  page: `apps/web/src/areas/${area}/${name}/${type}Page.tsx`,
  drawer: `apps/web/src/areas/${area}/${name}/${type}Drawer.tsx`,
  detail: `apps/web/src/areas/${area}/${name}/${type}Detail.tsx`,
  zh: `${roomy(sources, `apps/web/src/texts/zh-cn/${area}`, name)}.ts`,
  en: `${roomy(sources, `apps/web/src/texts/zh-cn/${area}`, name).replace('/zh-cn/', '/en/')}.ts`,
  menu: `${roomy(sources, 'apps/server/src/areas/system/seed', `${name}-menu`)}.ts`,
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

/** A form must give what the database neither has a default for nor takes nothing for. */
const checkGiven = (columns: readonly SliceColumn[], ofDept: boolean) => {
  const lacking = columns.find(
    (column) => !column.nullable && column.preset === null && !column.inCreate && !(ofDept && isDept(column)),
  )
  if (!lacking) return
  const { columnName: column, refers } = lacking
  if (refers !== null && formTypesOf(lacking, 'SINGLE').length === 0)
    throw new Refusal(codes.codegenRefers, { column, table: refers })
  throw new Refusal(codes.codegenNeeds, { column })
}

const shapedBy =
  (entity: string, all: readonly Pick<CodegenColumn, 'columnName'>[]) =>
  (column: CodegenColumn): SliceColumn => {
    const key = camel(column.columnName)
    const form = column.inCreate || column.inUpdate ? column.formType : undefined
    const taken = all.map(({ columnName }) => camel(columnName))
    const fileNames = [key.replace(/(.)Id$/, '$1'), `${key}File`, `${key}Shown`, `${key}Made`]
    const fileKey = form === 'IMAGE' || form === 'FILE' ? fileNames.find((name) => !taken.includes(name)) : undefined
    return { ...column, key, wordsName: `${entity}${pascal(plural(key))}`, form, fileKey }
  }

const keyed = (columns: readonly CodegenLeftOut[]): LeftOut[] =>
  columns.map((column) => ({ ...column, key: camel(column.columnName) }))

/** How a column that no form gives is shown: by the school's name, or by where its row stands. */
const shownBy = (column: SliceColumn, { template }: CodegenTable): SliceColumn => {
  const { columnName, refers } = column
  if (columnName === 'school_id' && refers === 'school') return { ...column, form: 'SCHOOL' }
  return columnName === 'parent_id' && template === 'TREE' ? { ...column, form: 'PARENT' } : column
}

/** Its files lie beside those of the table it belongs to. */
const partOf = ({ table, columns, leftOut }: CodegenWhole, main: Slice['files']): Part => {
  const { entity, tableName, joinColumn } = table
  const shaped = columns.map(shapedBy(entity, columns))
  const join = shaped.find(({ columnName }) => columnName === joinColumn)
  if (!join) throw new Refusal(codes.codegenJoin, { table: tableName })
  const own = shaped.filter((column) => column !== join)
  checkGiven(own, false)
  const type = pascal(entity)
  const beside = (file: string, name: string) => `${file.slice(0, file.lastIndexOf('/'))}/${name}`
  return {
    table,
    product: productTable(tableName) !== undefined,
    columns: own,
    leftOut: keyed(leftOut),
    join,
    one: join.single,
    entity,
    type,
    set: plural(entity),
    key: camel(tableName),
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

/** A table with those whose rows belong to its own. */
export type Whole = { main: CodegenWhole; parts: readonly CodegenWhole[]; unnamed: readonly Unnamed[] }

export const sliceOf = ({ main, parts, unnamed }: Whole, sources: Sources): Slice => {
  const { table, leftOut, looked } = main
  const columns = looked ? main.columns.map(unwritten) : main.columns
  const { entity, area, sight, tableName } = table
  const type = pascal(entity)
  const product = productTable(tableName) !== undefined
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
    looked,
    edited: isEdited(tableName),
    unnamed,
    columns: shaped,
    leftOut: keyed(leftOut),
    ofDept,
    entity,
    type,
    set: plural(entity),
    kebab: name,
    key: camel(tableName),
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

export const isTree = ({ table }: Slice): boolean => table.template === 'TREE'

/** The column that brings rows into an order of people's own. */
export const sortOf = ({ columns }: Pick<Slice, 'columns'>): SliceColumn | undefined =>
  columns.find(({ columnName, kind }) => columnName === 'sort' && kind === 'INT')
/** Rows of a tree that have an order are moved by their handle. */
export const isMovable = (slice: Slice): boolean =>
  isTree(slice) &&
  sortOf(slice)?.nullable === false &&
  slice.columns.some(({ form, inUpdate }) => form === 'PARENT' && inUpdate)

/** Columns whose content is shown with links that are made for each reader. */
export const filesIn = ({ columns }: Pick<Slice, 'columns'>): SliceColumn[] =>
  columns.filter(({ fileKey }) => fileKey !== undefined)
export const richIn = ({ columns }: Pick<Slice, 'columns'>): SliceColumn[] =>
  columns.filter(({ form }) => form === 'EDITOR')
/** Columns whose values a form chooses from a dictionary. */
export const wordedIn = ({ columns }: Pick<Slice, 'columns'>): (SliceColumn & { dictType: string })[] =>
  columns.flatMap((column) =>
    column.form && column.dictType !== null ? [{ ...column, dictType: column.dictType }] : [],
  )
/** Columns whose value a form carries unseen. */
export const carriedIn = ({ columns }: Pick<Slice, 'columns'>): SliceColumn[] =>
  columns.filter(({ form }) => form === 'HIDDEN')
/** Its default as code, where it is a plain number or a yes or no. */
export const defaultOf = ({ kind, preset }: SliceColumn): string | undefined =>
  kind !== 'TEXT' && preset !== null && /^(-?\d+(\.\d+)?|true|false)$/.test(preset) ? preset : undefined
/** The dictionaries of its forms, each once. */
export const dictsIn = (slice: Slice): string[] => [
  ...new Set([slice, ...slice.parts].flatMap(wordedIn).map(({ dictType }) => dictType)),
]
/** Rows hold files. */
export const isHolding = (slice: Slice): boolean => filesIn(slice).length > 0 || richIn(slice).length > 0
/** Rows are not shown as the table has them. */
export const isDressed = (slice: Slice): boolean => isHolding(slice) || slice.leftOut.length > 0
