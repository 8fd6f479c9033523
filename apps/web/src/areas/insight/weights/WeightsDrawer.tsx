import {
  findWeightErrors,
  readinessWeights,
  type Weights,
  type WeightsVersionRow,
} from '@tocsin/contract/insight/weights/readiness-weights'
import { fieldErrorText } from '@tocsin/contract/issue'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Divider, Flex, Input, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { notify } from '#ui/notify.ts'
import { AppDrawer } from '#ui/overlay/AppDrawer.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import { EffectPreview } from './EffectPreview.tsx'
import { RecomputeNotice } from './RecomputeNotice.tsx'
import { compareWeights } from './weight-rows.ts'
import { WeightsTable } from './WeightsTable.tsx'

const MAX_NOTE = 200

/** The version that the draft was made from, and what is typed. */
type Draft = { from: WeightsVersionRow; weights: Weights; note: string }

const History = ({ versions }: { versions: readonly WeightsVersionRow[] }) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <Flex vertical gap="middle">
      {versions.map(({ version, weights, note, at, byName }, n) => {
        const earlier = versions[n + 1]
        const changes = earlier ? compareWeights(earlier.weights, weights, lang) : [t('weights.first')]
        return (
          <section key={version}>
            <Typography.Text strong>
              {t('weights.published', { n: version, at: formatDateTime(at), by: byName ?? t('weights.builtIn') })}
            </Typography.Text>
            {note && <div>{note}</div>}
            {changes.map((change) => (
              <div key={change}>{change}</div>
            ))}
          </section>
        )
      })}
    </Flex>
  )
}

type EditorProps = { draft: Draft; errors: ReadonlyMap<string, string>; onChange: (draft: Draft) => void }

const Editor = ({ draft, errors, onChange }: EditorProps) => {
  const { t } = useTranslation()
  return (
    <>
      <WeightsTable weights={draft.weights} errors={errors} onChange={(weights) => onChange({ ...draft, weights })} />
      <label>
        <Typography.Text>{t('weights.note')}</Typography.Text>
        <Input.TextArea
          autoSize
          maxLength={MAX_NOTE}
          showCount
          value={draft.note}
          onChange={({ target }) => onChange({ ...draft, note: target.value })}
        />
      </label>
      <EffectPreview key={JSON.stringify(draft.weights)} weights={draft.weights} disabled={errors.size > 0} />
    </>
  )
}

type DraftState = { draft: Draft | undefined; setDraft: (draft: Draft | undefined) => void }

const Footer = ({
  current,
  draft,
  setDraft,
  isBlocked,
}: DraftState & { current: WeightsVersionRow; isBlocked: boolean }) => {
  const { t } = useTranslation()
  const { mutateAsync, isPending } = useApiMutation(readinessWeights.publish)
  if (!draft)
    return (
      <Button onClick={() => setDraft({ from: current, weights: current.weights, note: '' })}>{t('list.edit')}</Button>
    )
  const publish = async ({ from, weights, note }: Draft) => {
    const body = { version: from.version, weights, note: note.trim() || null }
    // The call shows its error itself; the draft stays.
    const version = await mutateAsync({ body }).catch(() => undefined)
    if (version === undefined) return
    setDraft(undefined)
    notify.success(t('weights.done', { n: version }))
  }
  return (
    <>
      <Button onClick={() => setDraft(undefined)}>{t('list.cancel')}</Button>
      <Button type="primary" loading={isPending} disabled={isBlocked} onClick={() => void publish(draft)}>
        {t('weights.publish', { n: draft.from.version + 1 })}
      </Button>
    </>
  )
}

/** The published weights with their history; with the permission a draft of the next version. */
export const WeightsDrawer = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const mayPublish = useHasPermission(readinessWeights.publish.permission)
  const query = useQuery(inlineQuery(readinessWeights.list, {}))
  const [draft, setDraft] = useState<Draft>()
  const current = query.data?.[0]
  const errors = new Map(
    draft ? findWeightErrors(draft.weights).map((error) => [error.field, fieldErrorText(error, lang)]) : [],
  )
  const isChanged = draft ? compareWeights(draft.from.weights, draft.weights, lang).length > 0 : false
  const isDirty = useUnsavedGuard(() => isChanged || !!draft?.note)
  const leave = async () => {
    if (!isDirty() || (await confirm({ title: t('list.discardAsk') }))) onClose()
  }
  const isOld = draft && current && draft.from.version !== current.version
  return (
    <AppDrawer
      onClose={() => void leave()}
      size="min(760px, 100vw)"
      title={t('weights.title')}
      mask={{ closable: !draft }}
      footer={
        mayPublish &&
        current && (
          <Flex gap="small" justify="end">
            <Footer
              current={current}
              draft={draft}
              setDraft={setDraft}
              isBlocked={!isChanged || errors.size > 0 || !!isOld}
            />
          </Flex>
        )
      }
    >
      <QueryResult query={query}>
        {(versions) => (
          <Flex vertical gap="middle">
            <RecomputeNotice />
            {isOld && (
              <Alert
                type="warning"
                showIcon
                title={t('weights.newer', { n: current.version })}
                action={
                  <Button size="small" onClick={() => setDraft({ ...draft, from: current, weights: current.weights })}>
                    {t('weights.restart')}
                  </Button>
                }
              />
            )}
            {current && <Typography.Text strong>{t('weights.current', { n: current.version })}</Typography.Text>}
            {draft && <Editor draft={draft} errors={errors} onChange={setDraft} />}
            {!draft && current && <WeightsTable weights={current.weights} errors={errors} />}
            <Divider titlePlacement="start">{t('weights.history')}</Divider>
            <History versions={versions} />
          </Flex>
        )}
      </QueryResult>
    </AppDrawer>
  )
}
