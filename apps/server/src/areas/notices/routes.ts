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
import { noticeRoutesV1 } from './compat.ts'

export const noticeRoutes = ({ db }: { db: Db }): Route[] => [
  route(notices.page, ({ query, actor }) => noticePage(db, actor, query)),
  route(notices.get, ({ query, actor }) => getNotice(db, actor, query.id)),
  route(notices.readers, async ({ query, actor, caller }) => {
    const page = await noticeReaders(db, actor, query)
    const ids = page.list.map(({ userId }) => userId)
    await auditDetailRead(db, caller, { of: notices.readers, subject: 'users', filter: query, ids })
    return page
  }),
  route(notices.create, ({ body, caller }) => createNotice(db, body, caller)),
  route(notices.update, ({ body, caller }) => updateNotice(db, body, caller)),
  route(notices.push, ({ query, caller }) => pushNotice(db, query.id, caller)),
  route(notices.deleteList, ({ query, caller }) => deleteNotices(db, query.ids, caller)),
  route(notices.delete, ({ query, caller }) => deleteNotices(db, [query.id], caller)),
  route(notices.publish, ({ body, caller }) => publishNotice(db, body, caller)),
  route(notices.revoke, ({ body, caller }) => revokeNotice(db, body, caller)),
  route(notices.myPage, ({ query, actor }) => inboxPage(db, actor, query)),
  route(notices.myGet, ({ query, actor }) => getInboxNotice(db, actor, query.id)),
  route(notices.unreadCount, ({ actor }) => unreadCount(db, actor)),
  route(notices.read, ({ body, actor }) => markRead(db, actor, body.ids)),
  route(notices.readAll, ({ actor }) => markRead(db, actor, 'all')),
  ...noticeRoutesV1({ db }),
  ...messageRoutes({ db }),
]
