import { labelIn } from '@tocsin/contract/field'
import { MyNoticeQuery, MyNoticeRow, notices } from '@tocsin/contract/notices/notice'
import { CheckOutlined } from '@ant-design/icons'
import { Button, Input, Typography, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { queryFor, useApiMutation } from '#api/query.ts'
import { type Column, column } from '#ui/column.tsx'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { Filter, DateRangeFilter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { notify } from '#ui/notify.ts'
import { createdEnds, withPublished } from '#ui/list/created-range.ts'
import { RowActions } from '#ui/list/RowActions.tsx'
import { MyNoticeDetail } from './MyNoticeDetail.tsx'
import { formatDateTime } from '#ui/time.ts'

/** Shows whether and when the notice was read. */
const ReadTag = ({ at }: { at: Date | null }) => {
  const { t } = useTranslation()
  return (
    <Tag color={at ? 'default' : 'blue'} style={{ marginInlineEnd: 0 }} {...(at && { title: formatDateTime(at) })}>
      {t(at ? 'notice.read' : 'notice.unread')}
    </Tag>
  )
}

const MyNoticeFilters = MyNoticeQuery.omit({ publishedAt: true }).extend(createdEnds)

const columns: Column<MyNoticeRow>[] = [
  column(MyNoticeRow, 'id', { wideOnly: true, tight: true }),
  column(MyNoticeRow, 'title', {
    main: true,
    show: (title, { readAt }) => <Typography.Text strong={readAt === null}>{title}</Typography.Text>,
  }),
  column(MyNoticeRow, 'type', { show: (type) => <DictTag type="system_notice_type" value={type} /> }),
  column(MyNoticeRow, 'level', { tag: 'noticeLevel' }),
  column(MyNoticeRow, 'publisherName'),
  column(MyNoticeRow, 'publishedAt'),
  {
    key: 'isRead',
    title: (lang) => labelIn(lang, MyNoticeQuery.shape.isRead),
    render: ({ readAt }) => <ReadTag at={readAt} />,
  },
  column(MyNoticeRow, 'readAt', { wideOnly: true }),
]

const Filters = () => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={MyNoticeFilters} name="title">
        <Input allowClear maxLength={50} />
      </Filter>
      <Filter of={MyNoticeFilters} name="isRead">
        <YesNo />
      </Filter>
      <DateRangeFilter label={t('notice.period')} hint={t('notice.periodHint')} />
    </>
  )
}

const MarkRead = ({ ids, onDone }: { ids: number[]; onDone: () => void }) => {
  const { t } = useTranslation()
  const mark = useApiMutation(notices.read)
  return (
    <Button
      disabled={ids.length === 0}
      loading={mark.isPending}
      onClick={() => mark.mutate({ body: { ids } }, { onSuccess: onDone })}
    >
      {t('notice.markRead')}
    </Button>
  )
}

/** The open notice is in the address: the bell links here. */
const useOpened = () => {
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('id')) || undefined
  const open = (next: number | undefined) =>
    setParams((now) => {
      const address = new URLSearchParams(now)
      if (next === undefined) address.delete('id')
      else address.set('id', String(next))
      return address
    })
  return [id, open] as const
}

export const MyNoticePage = () => {
  const { t } = useTranslation()
  const [id, open] = useOpened()
  const readAll = useApiMutation(notices.readAll)
  const all = (
    <Button
      icon={<CheckOutlined />}
      loading={readAll.isPending}
      onClick={() => readAll.mutate({}, { onSuccess: () => notify.success(t('notice.allRead')) })}
    >
      {t('notice.readAll')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={MyNoticeFilters}
        source={(query) => queryFor(notices.myPage, { query: withPublished(query) })}
        columns={columns}
        rowKey={(notice) => notice.id}
        filters={<Filters />}
        left={all}
        onOpen={(notice) => open(notice.id)}
        picking={{
          name: ({ title }) => title,
          why: ({ readAt }) => (readAt ? t('notice.isRead') : undefined),
          bar: (rows, clear) => <MarkRead ids={rows.map((row) => row.id)} onDone={clear} />,
        }}
        actions={(notice) => (
          <RowActions items={[{ key: 'detail', label: t('list.detail'), run: () => open(notice.id) }]} />
        )}
        empty={{ text: t('notice.noneForMe') }}
      />
      {id !== undefined && <MyNoticeDetail key={id} id={id} onClose={() => open(undefined)} />}
    </>
  )
}
