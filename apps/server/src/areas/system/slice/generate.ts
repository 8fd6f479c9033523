import { codes } from '@tocsin/contract/codes'
import type { CodegenDetail, CodegenFile } from '@tocsin/contract/system/codegen/codegen'
import { strToU8, zipSync } from 'fflate'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '#http/refusal'
import { writeDetail } from '../slice-web/write-detail.ts'
import { writeDrawer } from '../slice-web/write-drawer.ts'
import { writeE2e } from '../slice-web/write-e2e.ts'
import { writePage } from '../slice-web/write-page.ts'
import { writePartFields } from '../slice-web/write-part-fields.ts'
import { writeEn, writeZh } from '../slice-web/write-texts.ts'
import { writeLists } from './lists.ts'
import { checkout, hasSource, isFree } from './names.ts'
import { sliceOf, type Slice } from './slice.ts'
import { writeContract } from './write-contract.ts'
import { writeExport } from './write-export.ts'
import { writePart } from './write-part.ts'
import { writeReadme } from './write-readme.ts'
import { writeRoutes, writeServer } from './write-server.ts'
import { hasRows, writeMenu, writeMigration, writeRow } from './write-sql.ts'
import { writeTest } from './write-test.ts'

const MIGRATIONS = 'apps/server/migrations'

/** After the last one there is. */
const migrationPath = ({ table }: Slice): string => {
  const numbers = readdirSync(join(checkout, MIGRATIONS)).map((file) => Number(/^\d{4}/.exec(file)?.[0] ?? 0))
  const next = String(Math.max(0, ...numbers) + 1).padStart(4, '0')
  return `${MIGRATIONS}/${next}_${table.tableName}.sql`
}

type Pair = [path: string, code: string]

const ownFiles = (slice: Slice): Pair[] => {
  const { files, parts } = slice
  const rows: Pair[] = hasRows(slice)
    ? [
        [migrationPath(slice), writeMigration(slice)],
        [files.row, writeRow(slice)],
      ]
    : []
  return [
    [files.contract, writeContract(slice)],
    ...rows,
    [files.server, writeServer(slice)],
    ...parts.map((part): Pair => [part.files.server, writePart(slice, part)]),
    [files.export, writeExport(slice)],
    [files.routes, writeRoutes(slice)],
    [files.test, writeTest(slice)],
    [files.menu, writeMenu(slice)],
    [files.page, writePage(slice)],
    [files.drawer, writeDrawer(slice)],
    ...parts.map((part): Pair => [part.files.fields, writePartFields(slice, part)]),
    [files.detail, writeDetail(slice)],
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

const checkFree = ({ entity, parts }: Slice) => {
  const names = [entity, ...parts.map((part) => part.entity)]
  const taken = names.find((name, at) => !isFree(name) || names.indexOf(name) !== at)
  if (taken) throw new Refusal(codes.codegenTaken, { what: taken })
}

/**
 * The files of the slice of an imported table with those that belong to it: how to use them first, then the new ones,
 * then the lists with their new lines. Text only: nothing of it is run here or written into the checkout.
 */
export const generate = (detail: CodegenDetail, parts: readonly CodegenDetail[] = []): CodegenFile[] => {
  const slice = sliceOf(detail, parts)
  checkFree(slice)
  const own = ownFiles(slice).map(([filePath, code]) => ({ filePath, code, list: false }))
  const taken = own.find(({ filePath }) => hasSource(filePath))
  if (taken) throw new Refusal(codes.codegenTaken, { what: taken.filePath })
  const files = [...own, ...writeLists(slice)]
  for (const one of files) checkSize(one)
  return [{ filePath: slice.files.readme, code: writeReadme(slice, files), list: false }, ...files]
}

export const zipped = (files: readonly CodegenFile[]): Uint8Array =>
  zipSync(Object.fromEntries(files.map(({ filePath, code }) => [filePath, strToU8(code)])))
