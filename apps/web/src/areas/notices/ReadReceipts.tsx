import { NoticeReader, notices } from '@tocsin/contract/notices/notice'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Flex, Pagination, Segmented, Table, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { column, tableColumn } from '#ui/column.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { EmptyList } from '#ui/list/rows/Rows.tsx'

const columns = [column(NoticeReader, 'deptName'), column(NoticeReader, 'nickname'), column(NoticeReader, 'readAt')]

const useReaders = (id: number, isRead: boolean, pageNo: number) =>
  useQuery({
    ...inlineQuery(notices.readers, { query: { id, isRead, pageNo, pageSize: 10 } }),
    placeholderData: keepPreviousData,
  })

/** The receivers who have read a notice, by department. */
export const ReadReceipts = ({ noticeId }: { noticeId: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [shown, setShown] = useState<'read' | 'unread'>('unread')
  const [pageNo, setPageNo] = useState(1)
  const lists = {
    read: useReaders(noticeId, true, shown === 'read' ? pageNo : 1),
    unread: useReaders(noticeId, false, shown === 'unread' ? pageNo : 1),
  }
  const { data, error, isPending, refetch } = lists[shown]
  const n = lists.read.data?.total
  const others = lists.unread.data?.total
  const counted = n !== undefined && others !== undefined
  const options = [
    { value: 'unread' as const, label: t('notice.unreadBy', { n: others ?? '' }) },
    { value: 'read' as const, label: t('notice.readBy', { n: n ?? '' }) },
  ]
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <Flex vertical gap="small">
      <Flex wrap gap="small" align="center" justify="space-between">
        <Typography.Text strong>{counted && t('notice.readOf', { n, of: n + others })}</Typography.Text>
        <Segmented
          value={shown}
          options={options}
          onChange={(next) => {
            setShown(next)
            setPageNo(1)
          }}
        />
      </Flex>
      <Table
        size="small"
        rowKey="userId"
        columns={columns.map((column) => tableColumn(column, lang))}
        dataSource={data?.list ?? []}
        loading={isPending}
        pagination={false}
        locale={{ emptyText: <EmptyList text={t(shown === 'read' ? 'notice.nobodyRead' : 'notice.everybodyRead')} /> }}
      />
      {data && data.total > 10 && (
        <Pagination
          align="end"
          size="small"
          current={pageNo}
          pageSize={10}
          total={data.total}
          showSizeChanger={false}
          onChange={setPageNo}
        />
      )}
    </Flex>
  )
}
