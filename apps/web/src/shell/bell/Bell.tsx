import { type MyNoticeRow, notices } from '@tocsin/contract/notices/notice'
import { BellOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Badge, Button, type MenuProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { DropMenu } from '#ui/overlay/DropMenu.tsx'
import { useNavigateStable } from '../navigation/use-navigate-stable.ts'
import { useUrgentNotices } from './use-urgent-notices.tsx'
import './bell.css'

/** The newest that are unread; how many there are in all comes with them. */
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

/** Unread notices above every page: how many, the newest, and the way to all of them. */
export const Bell = () => {
  const { t } = useTranslation()
  const go = useNavigateStable()
  const { data, error } = useQuery({
    ...queryFor(notices.myPage, { query: { isRead: false, pageSize: NEWEST } }),
    placeholderData: keepPreviousData,
  })
  const readAll = useApiMutation(notices.readAll)
  const open = (id: number) => go(`${MY_NOTICES_PATH}?id=${id}`)
  useUrgentNotices(data?.list, open)
  const total = data?.total ?? 0
  // That nothing is unread is known once it was answered.
  const none = t(data ? 'notice.bellNone' : error ? 'list.failed' : 'shell.loading')
  const items: MenuProps['items'] = [
    ...(data?.list ?? []).map((notice) => ({
      key: notice.id,
      label: <Line notice={notice} />,
      onClick: () => open(notice.id),
    })),
    ...(total === 0 ? [{ key: 'none', label: none, disabled: true }] : []),
    { type: 'divider' as const },
    ...(total > 0 ? [{ key: 'read', label: t('notice.readAll'), onClick: () => readAll.mutate({}) }] : []),
    { key: 'all', label: t('notice.bellAll'), onClick: () => go(MY_NOTICES_PATH) },
  ]
  const words = total > 0 ? t('notice.bellUnread', { n: total }) : t('notice.bell')
  return (
    <DropMenu menu={{ items, className: 'bell-menu' }} placement="bottomRight">
      <Button
        type="text"
        icon={
          total > 0 ? (
            <Badge count={total} size="small" overflowCount={99} offset={[2, -2]}>
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
