import { codes } from '@tocsin/contract/codes'
import { codegens } from '@tocsin/contract/codegen/calls'
import type { CodegenDetail, CodegenFullDetail } from '@tocsin/contract/codegen/codegen'
import { Readable } from 'node:stream'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import { type FileResponse, type Route, route, type Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import { generate, zipFiles } from './templates/generate.ts'
import { pascal } from './templates/names.ts'
import type { TableWithChildren } from './templates/crud-module.ts'
import { findProductTable } from './allow.ts'
import { checkWhole, updateCodegen } from './change.ts'
import {
  codegenPage,
  dbTables,
  getCodegenDetail,
  removeImportedTable,
  importTables,
  listMenuDirectories,
  listChildTables,
  getFullDetail,
} from './imported.ts'
import { listUnmappedConstraints } from './structure.ts'
import { getInSyncDetail, diffColumns, syncTable } from './sync.ts'

/** Uses the current database: a changed table must be synced first. */
const wholeOf = async (db: Db, id: number): Promise<TableWithChildren> => {
  const detail = await getCodegenDetail(db, id)
  const main = detail.columns.find(({ columnName }) => columnName === detail.table.joinColumn)?.refers
  if (detail.table.template === 'SUB') throw new BusinessError(codes.codegenPart, { table: main ?? '' })
  const current = async (detail: CodegenDetail) => {
    const found = await getInSyncDetail(db, detail)
    checkWhole(found.columns, found.looked)
    return found
  }
  const whole = await current(detail)
  const parts: CodegenFullDetail[] = []
  // A child table of a read-only table has no form.
  const own = whole.looked ? [] : await listChildTables(db, detail)
  for (const part of own) parts.push(await current(part))
  const { tableName } = detail.table
  return {
    main: whole,
    parts,
    unnamed: findProductTable(tableName) ? await listUnmappedConstraints(db, tableName) : [],
  }
}

const downloadFiles = async (db: Db, ids: readonly number[], caller: Caller): Promise<FileResponse> => {
  const wholes: TableWithChildren[] = []
  for (const id of ids) wholes.push(await wholeOf(db, id))
  const files = generate(wholes)
  for (const subjectId of ids)
    await writeAudit(db, { ...caller, action: 'infra:codegen:download', subject: 'codegen_table', subjectId })
  const names = wholes.map(({ main }) => pascal(main.table.entity))
  const stream = Readable.from([Buffer.from(zipFiles(files))])
  return { name: `codegen-${names.length > 1 ? names.length : names[0]}.zip`, type: 'application/zip', stream }
}

export const codegenRoutes = ({ db }: { db: Db }): Route[] => [
  route(codegens.dbTables, ({ query }) => dbTables(db, query)),
  route(codegens.create, ({ body, caller }) => importTables(db, body.tableNames, caller)),
  route(codegens.page, ({ query }) => codegenPage(db, query)),
  route(codegens.detail, ({ query }) => getFullDetail(db, query.tableId)),
  route(codegens.menus, () => listMenuDirectories(db)),
  route(codegens.update, ({ body, caller }) => updateCodegen(db, body, caller)),
  route(codegens.compare, async ({ query }) => diffColumns(db, await getCodegenDetail(db, query.tableId))),
  route(codegens.sync, ({ query, caller }) => syncTable(db, query.tableId, caller)),
  route(codegens.preview, async ({ query }) => generate([await wholeOf(db, query.tableId)])),
  route(codegens.download, ({ query, caller }) => downloadFiles(db, query.tableId, caller)),
  route(codegens.delete, ({ query, caller }) => removeImportedTable(db, query.tableId, caller)),
]
