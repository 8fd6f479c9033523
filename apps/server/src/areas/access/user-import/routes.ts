import type { Endpoint } from '@tocsin/contract/endpoint'
import { usersV1 } from '@tocsin/contract/compat/user'
import { userImports } from '@tocsin/contract/access/user-import'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import type { Caller } from '#areas/audit/edit-transaction'
import { auditPersonalRead } from '#areas/audit/access-audit'
import { answerOf, commitImport, importAnswer, importRows, messageOf, startImport } from './import.ts'
import { IMPORT } from './import-data.ts'
import { badRowsSheet, importTemplate, resultSheet } from './sheets.ts'

/** A short sheet is done by then; the console asks on by itself. */
const SHORT_SECONDS = 3
/** The other family has no second call: it waits as long as browsers do (wire 11.19). */
const LONG_SECONDS = 25

type Look = { of: Endpoint; filter: { id: number } }

/** Rows belong to their job: they are people whom nobody may have made yet. */
const looked = (db: Db, who: Caller, { of, filter }: Look) =>
  auditPersonalRead(db, who, { action: `${IMPORT}-rows`, call: of.path, subject: 'job', filter, ids: [filter.id] })

export const userImportRoutes = ({ db }: { db: Db }): Route[] => [
  route(userImports.template, ({ query, actor }) => importTemplate(db, actor, query.lang)),
  route(userImports.import, async ({ query, files, actor, origin }) => {
    const id = await startImport(db, { file: files.file[0], query }, { actor, origin })
    return answerOf(await importAnswer(db, id, actor, query.dryRun ? 0 : SHORT_SECONDS), query.dryRun)
  }),
  route(userImports.rows, async ({ query, actor, origin }) => {
    const page = await importRows(db, query, actor)
    await looked(db, { actor, origin }, { of: userImports.rows, filter: query })
    return page
  }),
  route(userImports.commit, ({ body, actor, origin }) => commitImport(db, body, { actor, origin })),
  route(userImports.badRows, async ({ query, actor, origin }) => {
    const file = await badRowsSheet(db, actor, query)
    await looked(db, { actor, origin }, { of: userImports.badRows, filter: query })
    return file
  }),
  route(userImports.result, async ({ query, actor, origin }) => {
    const file = await resultSheet(db, actor, query)
    // It holds codes that open accounts: who had them is on record.
    await writeAudit(db, { actor, origin, action: `${IMPORT}-result`, subject: 'job', subjectId: query.id })
    return file
  }),
  route(usersV1.import, async ({ query, files, actor, origin }) => {
    const id = await startImport(db, { file: files.file[0], query }, { actor, origin })
    return messageOf(await importAnswer(db, id, actor, LONG_SECONDS))
  }),
]
