import { notices } from '@tocsin/contract/notices/notice'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { auditDetailRead } from '#areas/audit/access-audit'
import { messageRoutes } from './messages.ts'
import { markRead, getInboxNotice, inboxPage, unreadCount } from './inbox.ts'
import {
  createNotice,
  deleteNotices,
  getNotice,
  noticePage,
  publishNotice,
  pushNotice,
  revokeNotice,
  updateNotice,
} from './notice.ts'
import { noticeReaders } from './readers.ts'
import { noticeRoutesV1 } from './v1.ts'

export const noticeRoutes = ({ db }: { db: Db }): Route[] => [
  route(notices.page, ({ query, actor }) => noticePage(db, actor, query)),
  route(notices.get, ({ query, actor }) => getNotice(db, actor, query.id)),
  route(notices.readers, async ({ query, actor, origin }) => {
    const page = await noticeReaders(db, actor, query)
    const ids = page.list.map(({ userId }) => userId)
    await auditDetailRead(db, { actor, origin }, { of: notices.readers, subject: 'users', filter: query, ids })
    return page
  }),
  route(notices.create, ({ body, actor, origin }) => createNotice(db, body, { actor, origin })),
  route(notices.update, ({ body, actor, origin }) => updateNotice(db, body, { actor, origin })),
  route(notices.push, ({ query, actor, origin }) => pushNotice(db, query.id, { actor, origin })),
  route(notices.deleteList, ({ query, actor, origin }) => deleteNotices(db, query.ids, { actor, origin })),
  route(notices.delete, ({ query, actor, origin }) => deleteNotices(db, [query.id], { actor, origin })),
  route(notices.publish, ({ body, actor, origin }) => publishNotice(db, body, { actor, origin })),
  route(notices.revoke, ({ body, actor, origin }) => revokeNotice(db, body, { actor, origin })),
  route(notices.myPage, ({ query, actor }) => inboxPage(db, actor, query)),
  route(notices.myGet, ({ query, actor }) => getInboxNotice(db, actor, query.id)),
  route(notices.unreadCount, ({ actor }) => unreadCount(db, actor)),
  route(notices.read, ({ body, actor }) => markRead(db, actor, body.ids)),
  route(notices.readAll, ({ actor }) => markRead(db, actor, 'all')),
  ...noticeRoutesV1({ db }),
  ...messageRoutes({ db }),
]
