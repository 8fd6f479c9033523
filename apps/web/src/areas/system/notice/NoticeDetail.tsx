import { Notice, notices, type NoticeRow } from '@tocsin/contract/system/notice'
import { useQuery } from '@tanstack/react-query'
import { Flex, Skeleton } from 'antd'
import { readInPlace } from '#api/query.ts'
import { column } from '#ui/column.tsx'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { Facts } from '#ui/Facts.tsx'
import { ReadDrawer } from '#ui/above/ReadDrawer.tsx'
import { useWhole } from '#ui/above/use-whole.tsx'
import { RichText } from '#ui/rich/RichText.tsx'
import { Readers } from './Readers.tsx'
import { Receivers } from './receivers.tsx'

const facts = [
  column(Notice, 'type', { show: (type) => <DictTag type="system_notice_type" value={type} /> }),
  column(Notice, 'level', { tag: 'noticeLevel' }),
  column(Notice, 'state', { tag: 'noticeState' }),
  column(Notice, 'target', { show: (_, notice) => <Receivers notice={notice} /> }),
  column(Notice, 'publisherName'),
  column(Notice, 'publishedAt'),
  column(Notice, 'createTime'),
  column(Notice, 'revokedAt'),
  column(Notice, 'remark'),
]

/** What was written, to whom, and who has read it. */
export const NoticeDetail = ({ notice, onClose }: { notice: NoticeRow; onClose: () => void }) => {
  const whole = useWhole('min(860px, 100vw)')
  const { data, error, refetch } = useQuery(readInPlace(notices.get, { query: { id: notice.id } }))
  return (
    <ReadDrawer onClose={onClose} {...whole} title={data?.title ?? notice.title}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton active />}
      {!error && data && (
        <Flex vertical gap="large">
          <Facts row={data} columns={facts} />
          <RichText html={data.content} />
          {data.state !== 'DRAFT' && <Readers noticeId={data.id} />}
        </Flex>
      )}
    </ReadDrawer>
  )
}
