import { type NoticeRow, notices } from '@tocsin/contract/notices/notice'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { confirm } from '#ui/confirm.ts'
import type { RowAction } from '#ui/list/RowActions.tsx'
import { notify } from '#ui/notify.ts'

const ask = async (question: Parameters<typeof confirm>[0], run: () => void): Promise<void> => {
  if (await confirm(question)) run()
}

/** Publishing and pushing again reach users at once, and revoking removes it from their screens: all ask first. */
export const useNoticeTurns = () => {
  const { t } = useTranslation()
  const mayPublish = useHasPermission('system:notice:publish')
  const mayRevoke = useHasPermission('system:notice:revoke')
  const publish = useApiMutation(notices.publish, { done: () => notify.success(t('notice.published')) })
  const push = useApiMutation(notices.push, { done: () => notify.success(t('notice.pushed')) })
  const revoke = useApiMutation(notices.revoke, { done: () => notify.success(t('notice.revoked')) })
  return ({ id, version, title, state }: NoticeRow): readonly (RowAction | false)[] => {
    const isOut = state === 'PUBLISHED'
    const body = { id, version }
    const askPublish = { title: t('notice.publishAsk', { title }), text: t('notice.publishEffect') }
    const askPush = { title: t('notice.pushAsk', { title }), text: t('notice.pushEffect') }
    const askRevoke = { title: t('notice.revokeAsk', { title }), text: t('notice.revokeEffect'), danger: true }
    return [
      !isOut &&
        mayPublish && {
          key: 'publish',
          label: t('notice.publish'),
          run: () => void ask(askPublish, () => publish.mutate({ body })),
        },
      isOut &&
        mayPublish && {
          key: 'push',
          label: t('notice.push'),
          run: () => void ask(askPush, () => push.mutate({ query: { id } })),
        },
      isOut &&
        mayRevoke && {
          key: 'revoke',
          label: t('notice.revoke'),
          run: () => void ask(askRevoke, () => revoke.mutate({ body })),
          danger: true,
        },
    ]
  }
}
