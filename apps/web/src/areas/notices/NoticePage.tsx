import { NoticeQuery, NoticeRow, noticeLevels, noticeStates, notices } from '@tocsin/contract/notices/notice'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { i18n, useLang } from '#texts/i18n.ts'
import { type Column, column } from '#ui/column.tsx'
import { DictSelect } from '#ui/dict/DictSelect.tsx'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { Filter, DateRangeFilter, EnumSelect } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { bulkDeletion } from '#ui/list/bulk-deletion.tsx'
import { createdEnds, withCreated } from '#ui/list/created-range.ts'
import { NoticeDetail } from './NoticeDetail.tsx'
import { NoticeChange, NoticeCreation } from './NoticeDrawer.tsx'
import { NoticeRowActions, type OpenDialog } from './NoticeRowActions.tsx'
import { labelIn } from '@tocsin/contract/field'
import { formatDateTime } from '#ui/time.ts'
import '#ui/list/screens.css'

const turns = ['createTime', 'publishedAt', 'revokedAt'] as const

/** Actions on a notice with their times (wire 3.8): those not done are omitted. */
const NoticeTimes = ({ of }: { of: NoticeRow }) => {
  const lang = useLang()
  return (
    <dl className="notice-times">
      {turns.map((name) => {
        const at = of[name]
        return (
          at && (
            <div key={name}>
              <dt>{labelIn(lang, NoticeRow.shape[name])}</dt>
              <dd className="stamp">{formatDateTime(at)}</dd>
            </div>
          )
        )
      })}
    </dl>
  )
}

const NoticeFilters = NoticeQuery.omit({ createTime: true }).extend(createdEnds)

const nameOf = ({ title }: NoticeRow) => title

const columns: Column<NoticeRow>[] = [
  column(NoticeRow, 'id', { wideOnly: true, tight: true }),
  column(NoticeRow, 'title', { main: true, show: (title) => <div className="notice-title">{title}</div> }),
  column(NoticeRow, 'type', { tight: true, show: (type) => <DictTag type="system_notice_type" value={type} /> }),
  column(NoticeRow, 'level', { tag: 'noticeLevel' }),
  column(NoticeRow, 'target', { word: 'noticeTarget', wideOnly: true }),
  column(NoticeRow, 'state', { tag: 'noticeState' }),
  column(NoticeRow, 'publisherName', { wideOnly: true, tight: true }),
  { key: 'times', title: () => i18n.t('notice.times'), render: (notice) => <NoticeTimes of={notice} /> },
]

const Filters = () => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={NoticeFilters} name="title">
        <Input allowClear maxLength={50} />
      </Filter>
      <Filter of={NoticeFilters} name="type">
        <DictSelect type="system_notice_type" allowClear />
      </Filter>
      <Filter of={NoticeFilters} name="level">
        <EnumSelect kind="noticeLevel" values={noticeLevels} />
      </Filter>
      <Filter of={NoticeFilters} name="state">
        <EnumSelect kind="noticeState" values={noticeStates} />
      </Filter>
      <DateRangeFilter label={t('user.created')} hint={t('user.createdHint')} />
    </>
  )
}

type Open = { what: OpenDialog; notice: NoticeRow } | { what: 'new' }

const Opened = ({ open, onClose }: { open: Open; onClose: () => void }) => {
  switch (open.what) {
    case 'new':
      return <NoticeCreation onClose={onClose} />
    case 'edit':
      return <NoticeChange id={open.notice.id} onClose={onClose} />
    case 'detail':
      return <NoticeDetail notice={open.notice} onClose={onClose} />
  }
}

export const NoticePage = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open>()
  const mayDelete = useHasPermission('system:notice:delete')
  const mayCreate = useHasPermission('system:notice:create')
  const filters = useMemo(() => <Filters />, [])
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
      {t('list.create')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={NoticeFilters}
        source={(query) => queryFor(notices.page, { query: withCreated(query) })}
        columns={columns}
        rowKey={({ id }) => id}
        picking={bulkDeletion(mayDelete, {
          of: notices.deleteList,
          name: nameOf,
          why: ({ state }: NoticeRow) => (state === 'PUBLISHED' ? t('notice.publishedHelp') : undefined),
        })}
        filters={filters}
        left={create}
        onOpen={(notice) => setOpen({ what: 'detail', notice })}
        actions={(notice) => (
          <NoticeRowActions notice={notice} onOpen={(action) => setOpen({ what: action, notice })} />
        )}
        empty={{ text: t('notice.none'), next: create }}
      />
      {open && <Opened open={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
