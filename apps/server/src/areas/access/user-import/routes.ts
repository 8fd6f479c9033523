import { usersV1 } from '@tocsin/contract/compat/user'
import { userImports } from '@tocsin/contract/access/user-import'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { importReadRoutes, SHORT_WAIT_SECONDS } from '#areas/files/import/routes'
import { startImport, waitForImport } from '#areas/files/import/start'
import { toUserImportAnswer, toUserImportMessage } from './answer.ts'
import { userImporter } from './user-importer.ts'

/** The `/api/v1` API has no second call, so it waits as long as browsers do (wire 11.19). */
const LONG_WAIT_SECONDS = 25

export const userImportRoutes = ({ db }: { db: Db }): Route[] => [
  ...importReadRoutes(db, userImporter),
  route(userImports.import, async ({ query, files, actor, caller }) => {
    const id = await startImport(db, userImporter, { file: files.file[0], query }, caller)
    return toUserImportAnswer(await waitForImport(db, id, actor, query.dryRun ? 0 : SHORT_WAIT_SECONDS), query.dryRun)
  }),
  route(usersV1.import, async ({ query, files, actor, caller }) => {
    const id = await startImport(db, userImporter, { file: files.file[0], query }, caller)
    return toUserImportMessage(await waitForImport(db, id, actor, LONG_WAIT_SECONDS))
  }),
]
