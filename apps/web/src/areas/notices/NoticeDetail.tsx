import { Notice, notices, type NoticeRow } from '@tocsin/contract/notices/notice'
import { useQuery } from '@tanstack/react-query'
import { Flex, Skeleton } from 'antd'
import { inlineQuery } from '#api/query.ts'
import { column } from '#ui/column.tsx'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { useFullWindow } from '#ui/overlay/use-full-window.tsx'
import { RichText } from '#ui/rich/RichText.tsx'
import { ReadReceipts } from './ReadReceipts.tsx'
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

/** Content, receivers and read marks of a notice. */
export const NoticeDetail = ({ notice, onClose }: { notice: NoticeRow; onClose: () => void }) => {
  const whole = useFullWindow('min(860px, 100vw)')
  const { data, error, refetch } = useQuery(inlineQuery(notices.get, { query: { id: notice.id } }))
  return (
    <ReadDrawer onClose={onClose} {...whole} title={data?.title ?? notice.title}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton active />}
      {!error && data && (
        <Flex vertical gap="large">
          <DescriptionList row={data} columns={facts} />
          <RichText html={data.content} />
          {data.state !== 'DRAFT' && <ReadReceipts noticeId={data.id} />}
        </Flex>
      )}
    </ReadDrawer>
  )
}
