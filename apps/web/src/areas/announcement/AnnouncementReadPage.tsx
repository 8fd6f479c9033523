import type { MyAnnouncementDetail } from '@tocsin/contract/announcement/announcement'
import { myAnnouncements } from '@tocsin/contract/announcement/announcement-calls'
import { codes } from '@tocsin/contract/codes'
import { CheckOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Flex, Result, Typography } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { usePathOf } from '#shell/path-of.ts'
import { AttachmentList } from '#ui/attachment/AttachmentList.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { RichText } from '#ui/rich/RichText.tsx'
import { formatDateTime } from '#ui/time.ts'
import './announcement.css'

/** Links to files last ten minutes. */
const POLL_MS = 300_000

const Text = ({ blocks }: Pick<MyAnnouncementDetail, 'blocks'>) => {
  const { t } = useTranslation()
  return (
    <div>
      {blocks.map(({ html, isChanged }, at) => (
        <div key={at} className="announcement-block" data-changed={isChanged}>
          {isChanged && <span className="announcement-mark">{t('announcement.changedMark')}</span>}
          <RichText html={html} />
        </div>
      ))}
    </div>
  )
}

const SignBar = ({ row }: { row: MyAnnouncementDetail }) => {
  const { t } = useTranslation()
  const sign = useApiMutation(myAnnouncements.sign)
  if (!row.needsSign) return null
  return (
    <div className="announcement-sign">
      {row.signedAt ? (
        <Typography.Text type="success" role="status">
          <CheckOutlined aria-hidden /> {t('announcement.signed', { at: formatDateTime(row.signedAt) })}
        </Typography.Text>
      ) : (
        <Button
          type="primary"
          size="large"
          loading={sign.isPending}
          onClick={() => sign.mutate({ body: { id: row.id, edition: row.edition } })}
        >
          {t('announcement.sign')}
        </Button>
      )}
    </div>
  )
}

const Reading = ({ row }: { row: MyAnnouncementDetail }) => {
  const { t } = useTranslation()
  const { mutate: markRead } = useApiMutation(myAnnouncements.read)
  const { id, edition, readAt, changeCount } = row
  const isUnread = readAt === null
  useEffect(() => {
    if (isUnread) markRead({ body: { id, edition } })
  }, [isUnread, id, edition, markRead])
  return (
    <article className="announcement-read">
      <Flex vertical gap="small">
        <Typography.Title level={3} style={{ margin: 0 }}>
          {row.title}
        </Typography.Title>
        <Flex gap="small" wrap align="center">
          <EnumTag kind="readState" value={row.readState} />
          <Typography.Text type="secondary">
            {row.deptName} · {row.publishedAt && formatDateTime(row.publishedAt)}
          </Typography.Text>
          {edition > 1 && (
            <Typography.Text type="secondary">{t('announcement.editionOf', { n: edition })}</Typography.Text>
          )}
        </Flex>
      </Flex>
      {changeCount !== null && changeCount > 0 && (
        <Alert type="info" showIcon title={t('announcement.changed', { n: changeCount })} />
      )}
      <Text blocks={row.blocks} />
      <AttachmentList attachments={row.attachments} />
      <SignBar row={row} />
    </article>
  )
}

/** An announcement to the reader; opening it is reading it. */
export const AnnouncementReadPage = () => {
  const { t } = useTranslation()
  const { id } = useParams()
  const navigate = useNavigate()
  const listPath = usePathOf()('announcement/index')
  const query = useQuery({
    ...inlineQuery(myAnnouncements.get, { query: { id: Number(id) } }),
    refetchInterval: POLL_MS,
  })
  const title = query.data?.title
  usePageTitle(title ? { name: title, nameEn: title } : undefined)
  if (query.error?.code === codes.notFound.code)
    return (
      <Result
        status="info"
        title={t('announcement.gone')}
        extra={listPath && <Button onClick={() => void navigate(listPath)}>{t('announcement.back')}</Button>}
      />
    )
  return <QueryResult query={query}>{(row) => <Reading key={row.edition} row={row} />}</QueryResult>
}
