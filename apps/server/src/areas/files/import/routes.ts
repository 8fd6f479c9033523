import type { Endpoint } from '@tocsin/contract/endpoint'
import type { importEndpoints, ImportQuery } from '@tocsin/contract/files/import'
import type { Db } from '#db/db'
import { type Route, route, type Caller } from '#http/route'
import { auditPersonalRead } from '#areas/audit/access-audit'
import { writeAudit } from '#areas/audit/audit'
import { pageLines } from './import-rows.ts'
import type { AnyImporter } from './importer.ts'
import { badRowsSheet, resultSheet, templateSheet } from './sheets.ts'
import { commitImport, getOwnImport, startImport, toImportAnswer, waitForImport } from './start.ts'

/** A short spreadsheet is finished by then; otherwise the console polls the job. */
export const SHORT_WAIT_SECONDS = 3

type Read = { of: Endpoint; filter: { id: number } }

/** The calls of an import except the one that starts it. */
export const importReadRoutes = (db: Db, importer: AnyImporter): Route[] => {
  const { endpoints } = importer
  const { permission } = endpoints.import
  // Rows belong to their job: their users may not exist yet.
  const auditRead = (caller: Caller, { of, filter }: Read) =>
    auditPersonalRead(db, caller, {
      action: `${permission}-rows`,
      call: of.path,
      subject: 'job',
      filter,
      ids: [filter.id],
    })
  return [
    route(endpoints.template, ({ query, actor }) => templateSheet(db, importer, { actor, lang: query.lang })),
    route(endpoints.rows, async ({ query, actor, caller }) => {
      await getOwnImport(db, importer, actor, query.id)
      const page = await pageLines(db, query)
      await auditRead(caller, { of: endpoints.rows, filter: query })
      return page
    }),
    route(endpoints.commit, ({ body, caller }) => commitImport(db, importer, body, caller)),
    route(endpoints.badRows, async ({ query, actor, caller }) => {
      const file = await badRowsSheet(db, importer, { ...query, actor })
      await auditRead(caller, { of: endpoints.badRows, filter: query })
      return file
    }),
    route(endpoints.result, async ({ query, actor, caller }) => {
      const file = await resultSheet(db, importer, { ...query, actor })
      // The file may contain activation codes, so each download is audited.
      await writeAudit(db, { ...caller, action: `${permission}-result`, subject: 'job', subjectId: query.id })
      return file
    }),
  ]
}

type ImportEndpoint = ReturnType<typeof importEndpoints<typeof ImportQuery>>['import']

/** All calls of the import of one entity. */
export const importRoutes = (db: Db, importer: AnyImporter): Route[] => [
  ...importReadRoutes(db, importer),
  // The query has the fields of ImportQuery and the importer's own, which `checkOptions` reads.
  route(importer.endpoints.import as ImportEndpoint, async ({ query, files, actor, caller }) => {
    const id = await startImport(db, importer, { file: files.file[0], query }, caller)
    return toImportAnswer(await waitForImport(db, id, actor, query.dryRun ? 0 : SHORT_WAIT_SECONDS))
  }),
]
