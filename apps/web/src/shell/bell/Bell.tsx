import type { MyAnnouncementRow } from '@tocsin/contract/announcement/announcement'
import { myAnnouncements } from '@tocsin/contract/announcement/announcement-calls'
import { type MyDelivery, myDeliveries } from '@tocsin/contract/notify/delivery'
import { type MyNoticeRow, notices } from '@tocsin/contract/notices/notice'
import { BellOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Badge, Button, type MenuProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery, queryFor, useApiMutation } from '#api/query.ts'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { DropMenu } from '#ui/overlay/DropMenu.tsx'
import { useNavigateStable } from '../navigation/use-navigate-stable.ts'
import { useUrgentNotices } from './use-urgent-notices.tsx'
import './bell.css'

/** The newest unread ones; the total comes with them. */
const NEWEST = 5
const MY_NOTICES_PATH = '/myNotice'

const Line = ({ notice }: { notice: MyNoticeRow }) => (
  <span className="bell-line">
    <span className="bell-title">{notice.title}</span>
    <span className="bell-more">
      {notice.level !== 'L' && <EnumTag kind="noticeLevel" value={notice.level} />}
      <span>
        {notice.publisherName} · <RelativeTime at={notice.publishedAt} />
      </span>
    </span>
  </span>
)

const MessageLine = ({ message }: { message: MyDelivery }) => (
  <span className="bell-line">
    <span className="bell-title">{message.title}</span>
    <span className="bell-more">
      <EnumTag kind="level" value={message.level} />
      <span className="bell-title">{message.body}</span>
    </span>
  </span>
)

/** Unread tasks and escalations of the user that still matter, the most urgent first. */
const useMessages = (go: (path: string) => void) => {
  const { t } = useTranslation()
  const { data = [] } = useQuery(inlineQuery(myDeliveries.list))
  const read = useApiMutation(myDeliveries.read)
  const open = ({ id, link }: MyDelivery) => {
    read.mutate({ body: { ids: [id] } })
    if (link) go(link)
  }
  const lines = data.slice(0, NEWEST).map((message) => ({
    key: `message ${message.id}`,
    label: <MessageLine message={message} />,
    onClick: () => open(message),
  }))
  const title = t('delivery.bellGroup', { n: data.length })
  return {
    count: data.length,
    title,
    items: [{ type: 'group' as const, key: 'messages', label: title, children: lines }],
  }
}

const AnnouncementLine = ({ row }: { row: MyAnnouncementRow }) => {
  const { t } = useTranslation()
  return (
    <span className="bell-line">
      <span className="bell-title">{row.title}</span>
      <span className="bell-more">
        <EnumTag kind="readState" value={row.readState} />
        <span>
          {t('announcement.one')} · {row.deptName} · <RelativeTime at={row.publishedAt} />
        </span>
      </span>
    </span>
  )
}

/** Announcements that the person has not read, or that changed since. */
const useUnreadAnnouncements = () =>
  useQuery({
    ...inlineQuery(myAnnouncements.page, { query: { unread: true, pageSize: NEWEST } }),
    placeholderData: keepPreviousData,
  }).data

/**
 * What concerns the person, unread announcements and notices above every page: the number, the newest, and the link to
 * all of them.
 */
export const Bell = () => {
  const { t } = useTranslation()
  const go = useNavigateStable()
  const { data, error } = useQuery({
    ...queryFor(notices.myPage, { query: { isRead: false, pageSize: NEWEST } }),
    placeholderData: keepPreviousData,
  })
  const readAll = useApiMutation(notices.readAll)
  const messages = useMessages(go)
  const open = (id: number) => go(`${MY_NOTICES_PATH}?id=${id}`)
  useUrgentNotices(data?.list, open)
  const announcements = useUnreadAnnouncements()
  const unreadNotices = data?.total ?? 0
  const total = unreadNotices + (announcements?.total ?? 0)
  // Zero is known only after the answer.
  const none = t(data ? 'notice.bellNone' : error ? 'list.failed' : 'shell.loading')
  const items: MenuProps['items'] = [
    ...(messages.count > 0 ? messages.items : []),
    ...(announcements?.list ?? []).map((row) => ({
      key: `announcement ${row.id}`,
      label: <AnnouncementLine row={row} />,
      onClick: () => go(`/announcement/read/${row.id}`),
    })),
    ...(data?.list ?? []).map((notice) => ({
      key: notice.id,
      label: <Line notice={notice} />,
      onClick: () => open(notice.id),
    })),
    ...(total === 0 && messages.count === 0 ? [{ key: 'none', label: none, disabled: true }] : []),
    { type: 'divider' as const },
    ...(unreadNotices > 0 ? [{ key: 'read', label: t('notice.readAll'), onClick: () => readAll.mutate({}) }] : []),
    { key: 'all', label: t('notice.bellAll'), onClick: () => go(MY_NOTICES_PATH) },
  ]
  const noticeWords = total > 0 ? t('notice.bellUnread', { n: total }) : t('notice.bell')
  const words =
    messages.count > 0 ? t('delivery.bell', { messages: messages.title, notices: noticeWords }) : noticeWords
  const count = total + messages.count
  return (
    <DropMenu menu={{ items, className: 'bell-menu' }} placement="bottomRight">
      <Button
        type="text"
        icon={
          count > 0 ? (
            <Badge count={count} size="small" overflowCount={99} offset={[2, -2]}>
              <BellOutlined />
            </Badge>
          ) : (
            <BellOutlined />
          )
        }
        aria-label={words}
        title={words}
      />
    </DropMenu>
  )
}
