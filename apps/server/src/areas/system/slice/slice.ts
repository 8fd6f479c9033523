import { codes } from '@tocsin/contract/codes'
import type { CodegenColumn, CodegenDetail, CodegenTable, FormType } from '@tocsin/contract/system/codegen/codegen'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '#http/refusal'
import { camel, productTable } from '../codegen/allow.ts'
import { checkout, hasSource, kebab, pascal, plural } from './names.ts'

export type SliceColumn = CodegenColumn & {
  /** Its name in code. */
  key: string
  /** The constant with its words. */
  wordsName: string
  /** As a form gives it; undefined when none does. */
  form: FormType | undefined
}

/** A table and how its slice is called in every place. */
export type Slice = {
  table: CodegenTable
  /** The product has the table already: no migration, no entry among the tables. */
  product: boolean
  columns: readonly SliceColumn[]
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
  screen: string
  module: string
  files: Record<
    'contract' | 'server' | 'routes' | 'test' | 'page' | 'drawer' | 'zh' | 'en' | 'menu' | 'row' | 'e2e',
    string
  >
}

/** A folder holds at most fifteen files (codebase 15); beyond, the new one gets a folder of its own. */
const roomy = (folder: string, name: string): string => {
  const files = hasSource(folder) ? readdirSync(join(checkout, folder)) : []
  const sources = files.filter((file) => /\.(ts|tsx|css)$/.test(file) && !file.includes('.test.'))
  return sources.length < 15 ? `${folder}/${name}` : `${folder}/${name}/${name}`
}

const filesOf = (area: string, name: string, type: string): Slice['files'] => ({
  contract: `${roomy(`packages/contract/src/${area}`, name)}.ts`,
  server: `apps/server/src/areas/${area}/${name}/${name}.ts`,
  routes: `apps/server/src/areas/${area}/${name}/routes.ts`,
  test: `apps/server/src/areas/${area}/${name}/${name}.test.ts`,
  page: `apps/web/src/areas/${area}/${name}/${type}Page.tsx`,
  drawer: `apps/web/src/areas/${area}/${name}/${type}Drawer.tsx`,
  zh: `${roomy(`apps/web/src/texts/zh-cn/${area}`, name)}.ts`,
  en: `${roomy(`apps/web/src/texts/zh-cn/${area}`, name).replace('/zh-cn/', '/en/')}.ts`,
  menu: `${roomy('apps/server/src/areas/system/seed', `${name}-menu`)}.ts`,
  row: `${roomy('apps/server/src/db/tables', name)}.ts`,
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
  inForm: false,
  inQuery: false,
  required: false,
  queryType: 'EQ',
  formType: 'NUMBER',
  dictType: null,
  sort: 0,
}

const isDept = ({ columnName, refers, nullable }: CodegenColumn): boolean =>
  columnName === 'dept_id' && refers === 'dept' && !nullable

/** A form must give what the database neither has a default for nor takes nothing for. */
const checkGiven = (columns: readonly SliceColumn[], ofDept: boolean) => {
  const lacking = columns.find(
    (column) => !column.nullable && column.preset === null && !column.form && !(ofDept && isDept(column)),
  )
  if (lacking) throw new Refusal(codes.codegenNeeds, { column: lacking.columnName })
}

export const sliceOf = ({ table, columns }: CodegenDetail): Slice => {
  const { entity, area, sight, tableName } = table
  const type = pascal(entity)
  const product = productTable(tableName) !== undefined
  const added = sight === 'DEPT' && !product && !columns.some(isDept) ? [{ ...DEPT, id: 0 }] : []
  const all = [...columns.filter(({ columnName }) => added.length === 0 || columnName !== 'dept_id'), ...added]
  const ofDept = all.some(isDept)
  const shaped = all.map((column): SliceColumn => {
    const key = camel(column.columnName)
    const form = column.inForm ? column.formType : undefined
    return { ...column, key, wordsName: `${entity}${pascal(plural(key))}`, form }
  })
  checkGiven(shaped, ofDept)
  const name = kebab(entity)
  const files = filesOf(area, name, type)
  return {
    table,
    product,
    columns: shaped,
    ofDept,
    entity,
    type,
    set: plural(entity),
    kebab: name,
    key: camel(tableName),
    permission: `${area}:${name}`,
    path: `/${area}/${name}`,
    screen: `${area}/${name}/index`,
    module: files.contract.slice('packages/contract/src/'.length, -'.ts'.length),
    files,
  }
}

export const isRequired = ({ nullable, required }: CodegenColumn): boolean => !nullable || required
