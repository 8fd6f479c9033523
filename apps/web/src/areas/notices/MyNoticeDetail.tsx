import { codes } from '@tocsin/contract/codes'
import { jobs } from '@tocsin/contract/files/job'
import { notices } from '@tocsin/contract/notices/notice'
import { useQuery } from '@tanstack/react-query'
import { Flex, Result, Skeleton, Typography } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { useFullWindow } from '#ui/overlay/use-full-window.tsx'
import { JobLine } from '#ui/export/JobLine.tsx'
import { RichText } from '#ui/rich/RichText.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { formatDateTime } from '#ui/time.ts'

/** Links to files expire after ten minutes. */
const FRESH_MS = 300_000

/** The job of the notice, with its file. */
const EndedJob = ({ id, onLeave }: { id: number; onLeave: () => void }) => {
  const { data, error, refetch } = useQuery({
    ...inlineQuery(jobs.get, { query: { id } }),
    refetchInterval: FRESH_MS,
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  return data ? (
    <ul className="jobs">
      <JobLine job={data} onLeave={onLeave} />
    </ul>
  ) : (
    <Skeleton active />
  )
}

/** A notice to the user; opening it marks it as read. A notice revoked meanwhile is hidden. */
export const MyNoticeDetail = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const { t } = useTranslation()
  const whole = useFullWindow('min(860px, 100vw)')
  const { data, error, refetch } = useQuery(inlineQuery(notices.myGet, { query: { id } }))
  const { mutate: mark } = useApiMutation(notices.read)
  const unread = data?.readAt === null
  useEffect(() => {
    if (unread) mark({ body: { ids: [id] } })
  }, [unread, id, mark])
  const gone = error?.code === codes.noticeMissing.code
  return (
    <ReadDrawer onClose={onClose} {...whole} title={(!gone && data?.title) || t('notice.one')}>
      {gone && <Result status="info" title={t('notice.gone')} />}
      {error && !gone && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton active />}
      {!error && data && (
        <Flex vertical gap="middle">
          <Flex wrap gap="small" align="center">
            <EnumTag kind="noticeLevel" value={data.level} />
            <DictTag type="system_notice_type" value={data.type} />
            <Typography.Text type="secondary">
              {data.publisherName} · {data.publishedAt && formatDateTime(data.publishedAt)}
            </Typography.Text>
          </Flex>
          <RichText html={data.content} />
          {data.jobId !== null && <EndedJob id={data.jobId} onLeave={onClose} />}
        </Flex>
      )}
    </ReadDrawer>
  )
}
