import { codes } from '@tocsin/contract/codes'
import { codegens } from '@tocsin/contract/system/codegen/calls'
import type { CodegenFile } from '@tocsin/contract/system/codegen/codegen'
import { Readable } from 'node:stream'
import type { Db } from '#db/db'
import { Refusal } from '#http/refusal'
import { type FileAnswer, type Route, route } from '#http/route'
import { audit } from '../audit.ts'
import type { Who } from '../edit.ts'
import { generate, zipped } from '../slice/generate.ts'
import { pascal } from '../slice/names.ts'
import { updateCodegen } from './change.ts'
import { codegenPage, dbTables, detailOf, forget, importTables, partsOf } from './imported.ts'
import { differences, syncTable } from './sync.ts'

/** Made from what the database is now: a table that has changed is synced first. */
const filesOf = async (db: Db, id: number): Promise<{ entity: string; files: CodegenFile[] }> => {
  const detail = await detailOf(db, id)
  const main = detail.columns.find(({ columnName }) => columnName === detail.table.joinColumn)?.refers
  if (detail.table.template === 'SUB') throw new Refusal(codes.codegenPart, { table: main ?? '' })
  const parts = await partsOf(db, detail)
  for (const one of [detail, ...parts]) {
    const changed = await differences(db, one)
    if (changed.length > 0)
      throw new Refusal(codes.codegenStale, { columns: changed.map(({ columnName }) => columnName).join(', ') })
  }
  return { entity: detail.table.entity, files: generate(detail, parts) }
}

const downloadFiles = async (db: Db, id: number, who: Who): Promise<FileAnswer> => {
  const { entity, files } = await filesOf(db, id)
  await audit(db, { ...who, action: 'infra:codegen:download', subject: 'codegen_table', subjectId: id })
  const stream = Readable.from([Buffer.from(zipped(files))])
  return { name: `codegen-${pascal(entity)}.zip`, type: 'application/zip', stream }
}

export const codegenRoutes = ({ db }: { db: Db }): Route[] => [
  route(codegens.dbTables, ({ query }) => dbTables(db, query)),
  route(codegens.create, ({ body, actor, origin }) => importTables(db, body.tableNames, { actor, origin })),
  route(codegens.page, ({ query }) => codegenPage(db, query)),
  route(codegens.detail, ({ query }) => detailOf(db, query.tableId)),
  route(codegens.update, ({ body, actor, origin }) => updateCodegen(db, body, { actor, origin })),
  route(codegens.compare, async ({ query }) => differences(db, await detailOf(db, query.tableId))),
  route(codegens.sync, ({ query, actor, origin }) => syncTable(db, query.tableId, { actor, origin })),
  route(codegens.preview, async ({ query }) => (await filesOf(db, query.tableId)).files),
  route(codegens.download, ({ query, actor, origin }) => downloadFiles(db, query.tableId, { actor, origin })),
  route(codegens.delete, ({ query, actor, origin }) => forget(db, query.tableId, { actor, origin })),
]
