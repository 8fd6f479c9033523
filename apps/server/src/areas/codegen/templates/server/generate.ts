import { codes } from '@tocsin/contract/codes'
import type { CodegenFile } from '@tocsin/contract/codegen/codegen'
import { strToU8, zipSync } from 'fflate'
import { BusinessError } from '#http/business-error'
import { writeReadOnlyE2e } from '../read-only/write-read-only-e2e.ts'
import { writeReadOnlyPage } from '../read-only/write-read-only-page.ts'
import { writeReadOnlyTest } from '../read-only/write-read-only-test.ts'
import { writeDetail } from '../web/write-detail.ts'
import { writeDrawer } from '../web/write-drawer.ts'
import { writeE2e } from '../web/write-e2e.ts'
import { writePage } from '../web/write-page.ts'
import { writeChildFields } from '../web/write-child-fields.ts'
import { writeTexts } from '../web/write-texts.ts'
import { sourceFile } from './source-text.ts'
import { updateRegistries } from './registries.ts'
import { isFree, openSources, type Sources } from './names.ts'
import { toCrudModule, type CrudModule, type TableWithChildren } from './crud-module.ts'
import { writeContract } from './write-contract.ts'
import { writeExport } from './write-export.ts'
import { writeChildTable } from './write-child-table.ts'
import { writeRoutes, writeServer } from './write-server.ts'
import { hasRows, writeMenu, writeMigration, writeRow } from './write-sql.ts'
import { writeTest } from './write-test.ts'

const MIGRATIONS = 'apps/server/migrations'

/** The next number after the last one. */
const migrationPath = ({ table }: CrudModule, sources: Sources): string => {
  const numbers = sources.names(MIGRATIONS).map((file) => Number(/^\d{4}/.exec(file)?.[0] ?? 0))
  const next = String(Math.max(0, ...numbers) + 1).padStart(4, '0')
  return `${MIGRATIONS}/${next}_${table.tableName}.sql`
}

const paths = (files: readonly CodegenFile[], list: boolean): string[] =>
  files.filter((file) => file.list === list).map(({ filePath }) => `- \`${filePath}\``)

/** Columns that a user would miss. */
const leftOut = (slices: readonly CrudModule[]): string[] => {
  const lines = slices
    .flatMap((slice) => [slice, ...slice.parts])
    .flatMap(({ table, leftOut: columns }) =>
      columns.map(({ columnName, dataType }) => `- \`${table.tableName}.${columnName}\` ${dataType}`),
    )
  return lines.length > 0
    ? ['', '## 未纳入列表和表单的字段 / Columns in no list and no form, left as the database has them', '', ...lines]
    : []
}

const textOf = (slices: readonly CrudModule[], files: readonly CodegenFile[], readme: string): string =>
  sourceFile(
    `# ${slices.map(({ table }) => `\`${table.tableName}\``).join(', ')}`,
    '',
    '解压到代码目录（覆盖同名的清单文件），然后依次运行 / Unpack over the checkout (lists of the same name are replaced), then run:',
    '',
    '```sh',
    'npm run openapi   # docs/openapi 由接口生成 / is printed from the calls, and kept current by a test',
    'npm test',
    'npm start         # 启动时执行迁移并添加菜单 / migrates and adds the menu',
    '```',
    '',
    `菜单只对管理员可见，请在角色管理中分配权限。/ The menu is the administrator's until a role gets it.`,
    `本说明 \`${readme}\` 可删除。/ This file may go afterwards.`,
    '',
    '## 新文件 / New files',
    '',
    ...paths(files, false),
    '',
    '## 清单文件 / Lists with their new lines',
    '',
    ...paths(files, true),
    ...leftOut(slices),
  )

/** The README of the zip: its content and how to use it; not part of the project. */
const writeReadme = (slices: readonly CrudModule[], files: readonly CodegenFile[]): CodegenFile => {
  const filePath = `GENERATED-${slices[0]?.kebab}.md`
  return { filePath, code: textOf(slices, files, filePath), list: false }
}

type Pair = [path: string, code: string]

const ownFiles = (slice: CrudModule, sources: Sources): Pair[] => {
  const { files, parts, readOnly: looked } = slice
  const rows: Pair[] = hasRows(slice)
    ? [
        [migrationPath(slice, sources), writeMigration(slice)],
        [files.row, writeRow(slice)],
      ]
    : []
  return [
    [files.contract, writeContract(slice)],
    ...rows,
    [files.server, writeServer(slice)],
    ...parts.map((part): Pair => [part.files.server, writeChildTable(slice, part)]),
    [files.export, writeExport(slice)],
    [files.routes, writeRoutes(slice)],
    [files.test, looked ? writeReadOnlyTest(slice) : writeTest(slice)],
    [files.menu, writeMenu(slice)],
    [files.page, looked ? writeReadOnlyPage(slice) : writePage(slice)],
    ...(looked ? [] : [[files.drawer, writeDrawer(slice)] satisfies Pair]),
    ...parts.map((part): Pair => [part.files.fields, writeChildFields(slice, part)]),
    [files.detail, writeDetail(slice)],
    [files.texts, writeTexts(slice)],
    [files.e2e, looked ? writeReadOnlyE2e(slice) : writeE2e(slice)],
  ]
}

const MAX_LINES = 300

const checkSize = ({ filePath, code, list }: CodegenFile) => {
  const limit = /\.(test|e2e)\.ts$/.test(filePath) ? 400 : MAX_LINES
  if (!list && code.split('\n').length > limit)
    throw new BusinessError(codes.codegenLarge, { file: filePath, max: limit })
}

const checkFree = ({ entity, parts }: CrudModule, sources: Sources) => {
  const names = [entity, ...parts.map((part) => part.entity)]
  const taken = names.find((name, at) => !isFree(name, sources) || names.indexOf(name) !== at)
  if (taken) throw new BusinessError(codes.codegenTaken, { what: taken })
}

/** The files of one table; the next table sees its changes of the registries. */
const generateOne = (whole: TableWithChildren, sources: Sources): { slice: CrudModule; files: CodegenFile[] } => {
  const slice = toCrudModule(whole, sources)
  checkFree(slice, sources)
  const own = ownFiles(slice, sources).map(([filePath, code]) => ({ filePath, code, list: false }))
  const taken = own.find(({ filePath }) => sources.has(filePath))
  if (taken) throw new BusinessError(codes.codegenTaken, { what: taken.filePath })
  const files = [...own, ...updateRegistries(slice, sources)]
  for (const file of files) {
    checkSize(file)
    sources.write(file.filePath, file.code)
  }
  return { slice, files }
}

/**
 * Generates the modules of imported tables: first the README, then new files, then registries with their new lines.
 * Text only: nothing is executed here or written into the checkout.
 */
export const generate = (wholes: readonly TableWithChildren[]): CodegenFile[] => {
  const sources = openSources()
  const made = wholes.map((whole) => generateOne(whole, sources))
  const files = made.flatMap((item) => item.files)
  const lists = new Map(files.filter(({ list }) => list).map((file) => [file.filePath, file]))
  const all = [...files.filter(({ list }) => !list), ...lists.values()]
  return [
    writeReadme(
      made.map(({ slice }) => slice),
      all,
    ),
    ...all,
  ]
}

export const zipFiles = (files: readonly CodegenFile[]): Uint8Array =>
  zipSync(Object.fromEntries(files.map(({ filePath, code }) => [filePath, strToU8(code)])))
