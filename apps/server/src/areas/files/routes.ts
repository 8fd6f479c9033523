import { files } from '@tocsin/contract/files/file'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { authenticateToken } from '#http/session-auth'
import { deleteFile, deleteOwnFile, uploadFile } from './change.ts'
import { filePage, getFile, serveFile } from './read.ts'

export const fileRoutes = ({ db }: { db: Db }): Route[] => {
  const find = authenticateToken(db)
  const holderOf = (token: string | undefined) => async () => {
    const bearer = token ? await find(token) : undefined
    return bearer?.kind === 'live' ? bearer.actor.userId : undefined
  }
  return [
    route(files.page, ({ query, actor }) => filePage(db, actor, query)),
    route(files.get, ({ query, actor }) => getFile(db, actor, query.id)),
    route(files.create, ({ files: { file }, actor, origin }) =>
      uploadFile(db, { file: file[0], purpose: 'LIBRARY', who: { actor, origin } }),
    ),
    route(files.upload, ({ files: { file }, actor, origin }) =>
      uploadFile(db, { file: file[0], purpose: 'DRAFT', who: { actor, origin } }),
    ),
    route(files.delete, ({ query, actor, origin }) => deleteFile(db, query.id, { actor, origin })),
    route(files.deleteOwn, ({ query, actor, origin }) => deleteOwnFile(db, query.filePath, { actor, origin })),
    route(files.link, ({ params, query, transport }) => serveFile(db, params.id, query, holderOf(transport.token))),
  ]
}
