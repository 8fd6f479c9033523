import { type NoticeRow, notices } from '@tocsin/contract/notices/notice'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { RowActions } from '#ui/list/RowActions.tsx'

/** The overlays of a row. */
export type OpenDialog = 'detail' | 'edit'

/** Publishing and pushing again reach users at once, and revoking removes it from their screens: all ask first. */
const useTurns = ({ id, version, title }: NoticeRow) => {
  const { t } = useTranslation()
  const publish = useApiMutation(notices.publish, { done: () => notify.success(t('notice.published')) })
  const push = useApiMutation(notices.push, { done: () => notify.success(t('notice.pushed')) })
  const revoke = useApiMutation(notices.revoke, { done: () => notify.success(t('notice.revoked')) })
  const body = { id, version }
  return {
    publish: async () => {
      if (!(await confirm({ title: t('notice.publishAsk', { title }), text: t('notice.publishEffect') }))) return
      publish.mutate({ body })
    },
    push: async () => {
      if (!(await confirm({ title: t('notice.pushAsk', { title }), text: t('notice.pushEffect') }))) return
      push.mutate({ query: { id } })
    },
    revoke: async () => {
      const ask = { title: t('notice.revokeAsk', { title }), text: t('notice.revokeEffect'), danger: true }
      if (!(await confirm(ask))) return
      revoke.mutate({ body })
    },
  }
}

export const NoticeRowActions = ({ notice, onOpen }: { notice: NoticeRow; onOpen: (dialog: OpenDialog) => void }) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('system:notice:update')
  const mayPublish = useHasPermission('system:notice:publish')
  const mayRevoke = useHasPermission('system:notice:revoke')
  const mayDelete = useHasPermission('system:notice:delete')
  const turns = useTurns(notice)
  const remove = useDeletion(notices.delete)
  const out = notice.state === 'PUBLISHED'
  return (
    <RowActions
      items={[
        { key: 'detail', label: t('list.detail'), run: () => onOpen('detail') },
        !out && mayPublish && { key: 'publish', label: t('notice.publish'), run: () => void turns.publish() },
        out && mayPublish && { key: 'push', label: t('notice.push'), run: () => void turns.push() },
        out && mayRevoke && { key: 'revoke', label: t('notice.revoke'), run: () => void turns.revoke(), danger: true },
        !out && mayUpdate && { key: 'edit', label: t('list.edit'), run: () => onOpen('edit') },
        !out &&
          mayDelete && {
            key: 'delete',
            label: t('list.delete'),
            run: () => void remove(notice.id, notice.title),
            danger: true,
          },
      ]}
    />
  )
}
