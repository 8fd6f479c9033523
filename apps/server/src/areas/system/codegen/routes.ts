import { codes } from '@tocsin/contract/codes'
import { codegens } from '@tocsin/contract/system/codegen/calls'
import type { CodegenDetail, CodegenWhole } from '@tocsin/contract/system/codegen/codegen'
import { Readable } from 'node:stream'
import type { Db } from '#db/db'
import { Refusal } from '#http/refusal'
import { type FileAnswer, type Route, route } from '#http/route'
import { audit } from '../audit.ts'
import type { Who } from '../edit.ts'
import { generate, zipped } from '../slice/generate.ts'
import { pascal } from '../slice/names.ts'
import type { Whole } from '../slice/slice.ts'
import { productTable } from './allow.ts'
import { checkWhole, updateCodegen } from './change.ts'
import {
  codegenPage,
  dbTables,
  detailOf,
  forget,
  importTables,
  menusUnder,
  partsOf,
  wholeDetailOf,
} from './imported.ts'
import { unnamedOf } from './structure.ts'
import { currentOf, differences, syncTable } from './sync.ts'

/** As the database is now: a table that has changed is synced first. */
const wholeOf = async (db: Db, id: number): Promise<Whole> => {
  const detail = await detailOf(db, id)
  const main = detail.columns.find(({ columnName }) => columnName === detail.table.joinColumn)?.refers
  if (detail.table.template === 'SUB') throw new Refusal(codes.codegenPart, { table: main ?? '' })
  const current = async (one: CodegenDetail) => {
    const found = await currentOf(db, one)
    checkWhole(found.columns, found.looked)
    return found
  }
  const whole = await current(detail)
  const parts: CodegenWhole[] = []
  // What belongs to rows that are only looked at has no form to stand in.
  const own = whole.looked ? [] : await partsOf(db, detail)
  for (const part of own) parts.push(await current(part))
  const { tableName } = detail.table
  return { main: whole, parts, unnamed: productTable(tableName) ? await unnamedOf(db, tableName) : [] }
}

const downloadFiles = async (db: Db, ids: readonly number[], who: Who): Promise<FileAnswer> => {
  const wholes: Whole[] = []
  for (const id of ids) wholes.push(await wholeOf(db, id))
  const files = generate(wholes)
  for (const subjectId of ids)
    await audit(db, { ...who, action: 'infra:codegen:download', subject: 'codegen_table', subjectId })
  const names = wholes.map(({ main }) => pascal(main.table.entity))
  const stream = Readable.from([Buffer.from(zipped(files))])
  return { name: `codegen-${names.length > 1 ? names.length : names[0]}.zip`, type: 'application/zip', stream }
}

export const codegenRoutes = ({ db }: { db: Db }): Route[] => [
  route(codegens.dbTables, ({ query }) => dbTables(db, query)),
  route(codegens.create, ({ body, actor, origin }) => importTables(db, body.tableNames, { actor, origin })),
  route(codegens.page, ({ query }) => codegenPage(db, query)),
  route(codegens.detail, ({ query }) => wholeDetailOf(db, query.tableId)),
  route(codegens.menus, () => menusUnder(db)),
  route(codegens.update, ({ body, actor, origin }) => updateCodegen(db, body, { actor, origin })),
  route(codegens.compare, async ({ query }) => differences(db, await detailOf(db, query.tableId))),
  route(codegens.sync, ({ query, actor, origin }) => syncTable(db, query.tableId, { actor, origin })),
  route(codegens.preview, async ({ query }) => generate([await wholeOf(db, query.tableId)])),
  route(codegens.download, ({ query, actor, origin }) => downloadFiles(db, query.tableId, { actor, origin })),
  route(codegens.delete, ({ query, actor, origin }) => forget(db, query.tableId, { actor, origin })),
]
