import { demoTexts } from '@tocsin/contract/system/demo/text'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Empty, Flex, Skeleton, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read, useWrite } from '#api/query.ts'
import { useCan } from '#api/session.ts'
import { useUnsaved } from '#shell/unsaved.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { notify } from '#ui/notify.ts'
import { RichEditor } from '#ui/rich/RichEditor.tsx'
import { RichText } from '#ui/rich/RichText.tsx'
import { stamp } from '#ui/time.ts'
import '../demo.css'

/** A text written, cleaned and kept by the server, and shown again as everybody would see it. */
export const RichPage = () => {
  const { t } = useTranslation()
  const mayUpdate = useCan('demo:text:update')
  const { data, error, refetch } = useQuery(read(demoTexts.get))
  const save = useWrite(demoTexts.update)
  const [draft, setDraft] = useState<string>()
  useUnsaved(() => draft !== undefined)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active />
  const send = () =>
    save.mutate(
      { body: { content: draft ?? data.content, version: data.version } },
      {
        onSuccess: () => {
          setDraft(undefined)
          notify.success(t('list.saved'))
        },
      },
    )
  return (
    <div className="demo-cards demo-halves">
      <Card size="small" title={t('demo.richWrite')}>
        <Flex vertical gap="middle">
          <RichEditor label={t('demo.richWrite')} value={draft ?? data.content} onChange={setDraft} />
          {mayUpdate && (
            <Button
              type="primary"
              className="demo-own-width"
              disabled={draft === undefined}
              loading={save.isPending}
              onClick={send}
            >
              {t('list.save')}
            </Button>
          )}
        </Flex>
      </Card>
      <Card
        size="small"
        title={t('demo.richShown')}
        extra={data.updateTime && <Typography.Text type="secondary">{stamp(data.updateTime)}</Typography.Text>}
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
