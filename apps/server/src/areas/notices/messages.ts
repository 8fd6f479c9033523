import { type Message, messages } from '@tocsin/contract/compat/message'
import type { MyNoticeRow } from '@tocsin/contract/notices/notice'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { markRead, inboxPage, unreadCount } from './inbox.ts'

const LATEST = 10

const messageOf = ({ id, title, publisherName, publishedAt, readAt }: MyNoticeRow): Message => ({
  id,
  templateNickname: publisherName ?? '',
  templateContent: title,
  templateType: 1,
  readStatus: readAt !== null,
  readTime: readAt,
  createTime: publishedAt ?? new Date(0),
})

/** Notices to the caller in the shape of messages: names and shapes only. */
export const messageRoutes = ({ db }: { db: Db }): Route[] => [
  route(messages.myPage, async ({ query: { readStatus: isRead, createTime: publishedAt, ...query }, actor }) => {
    const { list, ...counted } = await inboxPage(db, actor, { ...query, isRead, publishedAt })
    return { list: list.map(messageOf), ...counted }
  }),
  route(messages.unread, async ({ actor }) =>
    (await inboxPage(db, actor, { isRead: false, pageSize: LATEST })).list.map(messageOf),
  ),
  route(messages.unreadCount, ({ actor }) => unreadCount(db, actor)),
  route(messages.read, ({ query, actor }) => markRead(db, actor, query.ids)),
  route(messages.readAll, ({ actor }) => markRead(db, actor, 'all')),
]
