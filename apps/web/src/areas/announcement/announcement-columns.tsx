import { AnnouncementRow, MyAnnouncementRow } from '@tocsin/contract/announcement/announcement'
import { Flex, Progress, Tag, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { column } from '#ui/column.tsx'
import { EnumLabel, EnumTag } from '#ui/EnumTag.tsx'
import { YesNoText } from '#ui/cell/YesNoText.tsx'

type Scoped = Pick<AnnouncementRow, 'target' | 'deptIds' | 'schoolIds' | 'roleIds'>

/** How many departments, schools and roles a scope names. */
export const ScopeText = ({ target, deptIds, schoolIds, roleIds }: Scoped) => {
  const { t } = useTranslation()
  if (target === 'ALL') return <EnumLabel kind="announcementTarget" value="ALL" />
  return [
    deptIds.length > 0 && t('announcement.depts', { n: deptIds.length }),
    schoolIds.length > 0 && t('announcement.schools', { n: schoolIds.length }),
    roleIds.length > 0 && t('announcement.roles', { n: roleIds.length }),
  ]
    .filter(Boolean)
    .join(' · ')
}

type Counted = Pick<AnnouncementRow, 'edition' | 'readCount' | 'signedCount' | 'audience'>

/** Read, signed back and addressed, as a bar with the three numbers. */
export const ReceiptBar = ({ edition, readCount, signedCount, audience }: Counted) => {
  if (edition === 0) return <>–</>
  // Rounded down: the bar is full only when nobody is missing.
  const percent = (n: number) => (audience === 0 ? 0 : Math.floor((100 * n) / audience))
  return (
    <Flex vertical style={{ minWidth: 112 }}>
      <span className="figures">{`${readCount} / ${signedCount} / ${audience}`}</span>
      <Progress
        size="small"
        showInfo={false}
        status="normal"
        percent={percent(readCount)}
        success={{ percent: percent(signedCount) }}
        aria-hidden
      />
    </Flex>
  )
}

const ReceiptHeading = (lang: string) => (lang === 'en' ? 'Read/signed/addressed' : '已读/已签收/应收')

export const StateTags = ({ row }: { row: Pick<AnnouncementRow, 'state' | 'revisionState'> }) => (
  <Flex gap={4} wrap>
    <EnumTag kind="announcementState" value={row.state} />
    {row.revisionState && <EnumTag kind="revisionState" value={row.revisionState} />}
  </Flex>
)

export const announcementColumns = [
  column(AnnouncementRow, 'title', { main: true }),
  column(AnnouncementRow, 'target', { show: (_, row) => <ScopeText {...row} /> }),
  column(AnnouncementRow, 'pinned', { width: 72, wideOnly: true, show: (pinned) => <YesNoText yes={pinned} /> }),
  column(AnnouncementRow, 'state', { show: (_, row) => <StateTags row={row} /> }),
  column(AnnouncementRow, 'authorName', { wideOnly: true }),
  column(AnnouncementRow, 'publishedAt'),
  column(AnnouncementRow, 'validUntil', { wideOnly: true }),
  column(AnnouncementRow, 'audience', { title: ReceiptHeading, width: 160, show: (_, row) => <ReceiptBar {...row} /> }),
]

const PinnedTitle = ({ title, pinned, readState }: Pick<MyAnnouncementRow, 'title' | 'pinned' | 'readState'>) => {
  const { t } = useTranslation()
  const isNew = readState === 'UNREAD' || readState === 'CHANGED'
  return (
    <>
      {pinned && (
        <Tag color="blue" style={{ marginInlineEnd: 8 }}>
          {t('announcement.pinned')}
        </Tag>
      )}
      <Typography.Text strong={isNew}>{title}</Typography.Text>
    </>
  )
}

export const myAnnouncementColumns = [
  column(MyAnnouncementRow, 'title', { main: true, show: (_, row) => <PinnedTitle {...row} /> }),
  column(MyAnnouncementRow, 'readState', { tag: 'readState' }),
  column(MyAnnouncementRow, 'deptName'),
  column(MyAnnouncementRow, 'publishedAt'),
  column(MyAnnouncementRow, 'validUntil', { wideOnly: true }),
]
