import { codes } from '@tocsin/contract/codes'
import type { CodegenFile } from '@tocsin/contract/codegen/codegen'
import { strToU8, zipSync } from 'fflate'
import { BusinessError } from '#http/business-error'
import { type CrudModule, type TableWithChildren, toCrudModule } from './crud-module.ts'
import { isFree, openSources, type Sources } from './names.ts'
import { updateRegistries } from './registries.ts'
import { sourceFile } from './source-text.ts'
import { writeContract } from './write-contract.ts'
import { writeMenu } from './write-menu.ts'
import { writePage } from './write-page.ts'
import { writeServer } from './write-server.ts'
import { hasRows, writeMigration, writeRow } from './write-table.ts'
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
const leftOut = (modules: readonly CrudModule[]): string[] => {
  const lines = modules
    .flatMap((module) => [module, ...module.children])
    .flatMap(({ table, leftOut: columns }) =>
      columns.map(({ columnName, dataType }) => `- \`${table.tableName}.${columnName}\` ${dataType}`),
    )
  return lines.length > 0
    ? ['', '## 未纳入列表和表单的字段 / Columns in no list and no form, left as the database has them', '', ...lines]
    : []
}

const textOf = (modules: readonly CrudModule[], files: readonly CodegenFile[], readme: string): string =>
  sourceFile(
    `# ${modules.map(({ table }) => `\`${table.tableName}\``).join(', ')}`,
    '',
    '解压到代码目录（覆盖同名的清单文件），然后依次运行 / Unpack over the checkout (lists of the same name are replaced), then run:',
    '',
    '```sh',
    'npm run format    # 按行宽排版 / wraps long lines',
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
    ...leftOut(modules),
  )

/** The README of the zip: its content and how to use it; not part of the project. */
const writeReadme = (modules: readonly CrudModule[], files: readonly CodegenFile[]): CodegenFile => {
  const filePath = `GENERATED-${modules[0]?.kebab}.md`
  return { filePath, code: textOf(modules, files, filePath), list: false }
}

type Pair = [path: string, code: string]

const ownFiles = (module: CrudModule, sources: Sources): Pair[] => {
  const { files } = module
  const rows: Pair[] = hasRows(module)
    ? [
        [migrationPath(module, sources), writeMigration(module)],
        [files.row, writeRow(module)],
      ]
    : []
  return [
    [files.contract, writeContract(module)],
    ...rows,
    [files.server, writeServer(module)],
    [files.test, writeTest(module)],
    [files.menu, writeMenu(module)],
    [files.page, writePage(module)],
  ]
}

const MAX_LINES = 300

const checkSize = ({ filePath, code, list }: CodegenFile) => {
  const limit = filePath.endsWith('.test.ts') ? 400 : MAX_LINES
  if (!list && code.split('\n').length > limit)
    throw new BusinessError(codes.codegenLarge, { file: filePath, max: limit })
}

const checkFree = ({ entity, children }: CrudModule, sources: Sources) => {
  const names = [entity, ...children.map((child) => child.entity)]
  const taken = names.find((name, at) => !isFree(name, sources) || names.indexOf(name) !== at)
  if (taken) throw new BusinessError(codes.codegenTaken, { what: taken })
}

/** The files of one table; the next table sees its changes of the registries. */
const generateOne = (whole: TableWithChildren, sources: Sources): { module: CrudModule; files: CodegenFile[] } => {
  const module = toCrudModule(whole, sources)
  checkFree(module, sources)
  const own = ownFiles(module, sources).map(([filePath, code]) => ({ filePath, code, list: false }))
  const taken = own.find(({ filePath }) => sources.has(filePath))
  if (taken) throw new BusinessError(codes.codegenTaken, { what: taken.filePath })
  const files = [...own, ...updateRegistries(module, sources)]
  for (const file of files) {
    checkSize(file)
    sources.write(file.filePath, file.code)
  }
  return { module, files }
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
      made.map(({ module }) => module),
      all,
    ),
    ...all,
  ]
}

export const zipFiles = (files: readonly CodegenFile[]): Uint8Array =>
  zipSync(Object.fromEntries(files.map(({ filePath, code }) => [filePath, strToU8(code)])))
