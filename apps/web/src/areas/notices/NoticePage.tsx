import { NoticeDraft, type NoticeRow, notices } from '@tocsin/contract/notices/notice'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHasPermission } from '#api/session.ts'
import { EntityPage } from '#ui/entity/EntityPage.tsx'
import type { EntityColumn } from '#ui/entity/entity-types.ts'
import { NoticeDetail } from './NoticeDetail.tsx'
import { RecipientFields } from './RecipientFields.tsx'
import { useNoticeTurns } from './use-notice-turns.ts'

const columns: readonly EntityColumn<NoticeRow>[] = [
  'id',
  'title',
  'type',
  { name: 'level', tag: 'noticeLevel' },
  { name: 'target', wideOnly: true },
  { name: 'state', tag: 'noticeState' },
  { name: 'publisherName', wideOnly: true },
  'publishedAt',
  { name: 'revokedAt', optional: true },
  'createTime',
]

const isPublished = ({ state }: NoticeRow): boolean => state === 'PUBLISHED'

/** A revocation is a verb of its own: an edit can only publish. */
const conversion = {
  toForm: (notice: object) => ({ ...notice, status: false }),
  toDraft: ({ status, ...values }: Record<string, unknown>) => ({ ...values, status: status === true || undefined }),
}

/** Notices of the departments that the user sees: written, published, revoked, and who has read them. */
export const NoticePage = () => {
  const { t } = useTranslation()
  const [read, setRead] = useState<NoticeRow>()
  const mayPublish = useHasPermission('system:notice:publish')
  const turns = useNoticeTurns()
  return (
    <>
      <EntityPage
        of={notices}
        draft={NoticeDraft}
        nameOf={({ title }) => title}
        columns={columns}
        filters={['title', 'type', 'level', 'state', 'createTime']}
        fields={[
          {
            group: t('notice.textGroup'),
            hint: t('notice.textGroupHint'),
            fields: [
              'title',
              'type',
              { name: 'level', help: t('notice.levelHelp') },
              { name: 'content', as: 'richText' },
            ],
          },
          {
            group: t('notice.receiverGroup'),
            hint: t('notice.receiverGroupHint'),
            fields: ['target', <RecipientFields key="recipients" />],
          },
          {
            group: t('notice.publishGroup'),
            hint: t('notice.publishGroupHint'),
            fields: [
              ...(mayPublish ? [{ name: 'status', help: t('notice.publishEffect') } as const] : []),
              { name: 'remark', help: t('notice.remarkHelp') },
            ],
          },
        ]}
        initial={{ level: 'L', target: 'DEPT' }}
        conversion={conversion}
        formSize="min(860px, 100vw)"
        actions={(notice) => [{ key: 'detail', label: t('list.detail'), run: () => setRead(notice) }, ...turns(notice)]}
        canEdit={(notice) => !isPublished(notice)}
        whyKept={(notice) => (isPublished(notice) ? t('notice.publishedHelp') : undefined)}
      />
      {read && <NoticeDetail notice={read} onClose={() => setRead(undefined)} />}
    </>
  )
}
