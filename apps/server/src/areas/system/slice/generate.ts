import { codes } from '@tocsin/contract/codes'
import type { CodegenDetail, CodegenFile } from '@tocsin/contract/system/codegen/codegen'
import { strToU8, zipSync } from 'fflate'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '#http/refusal'
import { writeLists } from './lists.ts'
import { checkout, hasSource, isFree } from './names.ts'
import { sliceOf, type Slice } from './slice.ts'
import { writeContract } from './write-contract.ts'
import { writeDrawer } from './write-drawer.ts'
import { writeE2e } from './write-e2e.ts'
import { writePage } from './write-page.ts'
import { writeRoutes, writeServer } from './write-server.ts'
import { writeMenu, writeMigration, writeRow } from './write-sql.ts'
import { writeTest } from './write-test.ts'
import { writeEn, writeZh } from './write-texts.ts'

const MIGRATIONS = 'apps/server/migrations'

/** After the last one there is. */
const migrationPath = ({ table }: Slice): string => {
  const numbers = readdirSync(join(checkout, MIGRATIONS)).map((file) => Number(/^\d{4}/.exec(file)?.[0] ?? 0))
  const next = String(Math.max(0, ...numbers) + 1).padStart(4, '0')
  return `${MIGRATIONS}/${next}_${table.tableName}.sql`
}

const ownFiles = (slice: Slice): [path: string, code: string][] => {
  const { files, product } = slice
  return [
    [files.contract, writeContract(slice)],
    ...(product
      ? []
      : ([
          [migrationPath(slice), writeMigration(slice)],
          [files.row, writeRow(slice)],
        ] as [string, string][])),
    [files.server, writeServer(slice)],
    [files.routes, writeRoutes(slice)],
    [files.test, writeTest(slice)],
    [files.menu, writeMenu(slice)],
    [files.page, writePage(slice)],
    [files.drawer, writeDrawer(slice)],
    [files.zh, writeZh(slice)],
    [files.en, writeEn(slice)],
    [files.e2e, writeE2e(slice)],
  ]
}

const MAX_LINES = 300

const checkSize = ({ filePath, code, list }: CodegenFile) => {
  const limit = /\.(test|e2e)\.ts$/.test(filePath) ? 400 : MAX_LINES
  if (!list && code.split('\n').length > limit) throw new Refusal(codes.codegenLarge, { file: filePath, max: limit })
}

/**
 * The files of the slice of an imported table, the new ones first, then the lists with their new lines. Text only:
 * nothing of it is run here or written into the checkout.
 */
export const generate = (detail: CodegenDetail): CodegenFile[] => {
  const slice = sliceOf(detail)
  if (!isFree(slice.entity)) throw new Refusal(codes.codegenTaken, { what: slice.entity })
  const own = ownFiles(slice).map(([filePath, code]) => ({ filePath, code, list: false }))
  const taken = own.find(({ filePath }) => hasSource(filePath))
  if (taken) throw new Refusal(codes.codegenTaken, { what: taken.filePath })
  const files = [...own, ...writeLists(slice)]
  for (const one of files) checkSize(one)
  return files
}

export const zipped = (files: readonly CodegenFile[]): Uint8Array =>
  zipSync(Object.fromEntries(files.map(({ filePath, code }) => [filePath, strToU8(code)])))
