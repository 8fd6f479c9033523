import { demoTexts } from '@tocsin/contract/demo/text'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Empty, Flex, Skeleton, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { notify } from '#ui/notify.ts'
import { RichEditor } from '#ui/rich/RichEditor.tsx'
import { RichText } from '#ui/rich/RichText.tsx'
import { isStale } from '#ui/edit-conflict/remote-row.ts'
import { formatDateTime } from '#ui/time.ts'
import '../demo.css'

/** `version`: of the text to replace. `told`: it was saved by another user. */
type Draft = { content: string; version: number; told?: true }

/** A text that is written, sanitized and stored by the server, and shown again as other users would see it. */
export const RichPage = () => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('demo:text:update')
  const { data, error, refetch } = useQuery(queryFor(demoTexts.get))
  const save = useApiMutation(demoTexts.update)
  const [draft, setDraft] = useState<Draft>()
  useUnsavedGuard(() => draft !== undefined)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active />
  const send = ({ content, version }: Draft) =>
    save.mutate(
      { body: { content, version } },
      {
        onSuccess: () => {
          setDraft(undefined)
          notify.success(t('list.saved'))
        },
        onError: async (refused) => {
          if (!isStale(refused)) return
          const { data: now, error: unread } = await refetch()
          // It is shown beside the own text from now on; saving again replaces it knowingly.
          if (now && !unread) setDraft((held) => held && { ...held, version: now.version, told: true })
        },
      },
    )
  return (
    <div className="demo-cards demo-halves">
      <Card size="small" title={t('demo.richWrite')}>
        <Flex vertical gap="middle">
          <RichEditor
            label={t('demo.richWrite')}
            value={draft?.content ?? data.content}
            onChange={(content) => setDraft((held) => ({ version: data.version, ...held, content }))}
          />
          {mayUpdate && (
            <Button
              type="primary"
              className="demo-own-width"
              disabled={draft === undefined}
              loading={save.isPending}
              onClick={() => draft && send(draft)}
            >
              {t(draft?.told ? 'list.saveMine' : 'list.save')}
            </Button>
          )}
        </Flex>
      </Card>
      <Card
        size="small"
        title={t('demo.richShown')}
        extra={data.updateTime && <Typography.Text type="secondary">{formatDateTime(data.updateTime)}</Typography.Text>}
      >
        {data.content ? (
          <RichText html={data.content} />
        ) : (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('demo.richNone')} />
        )}
      </Card>
    </div>
  )
}
