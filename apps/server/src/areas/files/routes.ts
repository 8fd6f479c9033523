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
    route(files.create, ({ files: { file }, caller }) =>
      uploadFile(db, { file: file[0], purpose: 'LIBRARY', who: caller }),
    ),
    route(files.upload, ({ files: { file }, caller }) =>
      uploadFile(db, { file: file[0], purpose: 'DRAFT', who: caller }),
    ),
    route(files.delete, ({ query, caller }) => deleteFile(db, query.id, caller)),
    route(files.deleteOwn, ({ query, caller }) => deleteOwnFile(db, query.filePath, caller)),
    route(files.link, ({ params, query, transport }) => serveFile(db, params.id, query, holderOf(transport.token))),
  ]
}
