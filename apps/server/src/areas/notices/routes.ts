import { notices } from '@tocsin/contract/notices/notice'
import { route } from '#http/route'
import { auditDetailRead } from '#areas/audit/access-audit'
import { addRoutes } from '#areas/audit/entity/entity'
import { messageRoutes } from './messages.ts'
import { markRead, getInboxNotice, inboxPage, unreadCount } from './inbox.ts'
import { noticeEntity, pushNotice, turnNotice } from './notice.ts'
import { noticeReaders } from './readers.ts'
import { noticeRoutesV1 } from './compat.ts'

/** Notices with their receipts, and the inbox of each user. */
export const noticeCalls = addRoutes(noticeEntity, ({ db }) => [
  route(notices.readers, async ({ query, actor, caller }) => {
    const page = await noticeReaders(db, actor, query)
    const ids = page.list.map(({ userId }) => userId)
    await auditDetailRead(db, caller, { of: notices.readers, subject: 'users', filter: query, ids })
    return page
  }),
  route(notices.push, ({ query, caller }) => pushNotice(db, query.id, caller)),
  route(notices.publish, ({ body, caller }) => turnNotice(db, 'publish', body, caller)),
  route(notices.revoke, ({ body, caller }) => turnNotice(db, 'revoke', body, caller)),
  route(notices.myPage, ({ query, actor }) => inboxPage(db, actor, query)),
  route(notices.myGet, ({ query, actor }) => getInboxNotice(db, actor, query.id)),
  route(notices.unreadCount, ({ actor }) => unreadCount(db, actor)),
  route(notices.read, ({ body, actor }) => markRead(db, actor, body.ids)),
  route(notices.readAll, ({ actor }) => markRead(db, actor, 'all')),
  ...noticeRoutesV1({ db }),
  ...messageRoutes({ db }),
])
