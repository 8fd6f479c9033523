import type { ProcedureDetail } from '@tocsin/contract/device/procedure/procedure'
import { procedures } from '@tocsin/contract/device/procedure/procedure-calls'
import { Alert, Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { notify } from '#ui/notify.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { ScopeText } from './procedure-columns.tsx'
import { diffSteps, type StepChange } from './procedure-draft.ts'
import { StepList, useStepFacts } from './StepList.tsx'

const texts = { added: 'procedure.added', removed: 'procedure.removed', changed: 'procedure.changedStep' } as const
const tones = { added: 'done', removed: 'fault', changed: 'wait' } as const

const ChangeTag = ({ change: { kind, before } }: { change: StepChange }) => {
  const { t } = useTranslation()
  const factsOf = useStepFacts()
  if (kind === 'same') return null
  return (
    <>
      <ToneTag tone={tones[kind]}>{t(texts[kind])}</ToneTag>{' '}
      {before && (
        <span className="procedure-minor">{t('procedure.before', { facts: factsOf(before).join(' · ') })}</span>
      )}
    </>
  )
}

/** Shows what changes for those who work by it, then puts the draft in force. */
export const PublishDialog = ({ procedure, onClose }: { procedure: ProcedureDetail; onClose: () => void }) => {
  const { t } = useTranslation()
  const publish = useApiMutation(procedures.publish)
  const { id, version, versions, steps, changed } = procedure
  const [last] = versions
  const changes = diffSteps(last?.steps ?? [], steps)
  const send = () =>
    publish.mutate(
      { body: { id, version } },
      {
        onSuccess: () => {
          notify.success(t('procedure.published'))
          onClose()
        },
      },
    )
  return (
    <AppModal
      width="min(720px, 100vw)"
      title={t('procedure.publishAsk', { no: changed ? (last?.no ?? 0) + 1 : (last?.no ?? 1) })}
      okText={t('procedure.publish')}
      okButtonProps={{ loading: publish.isPending }}
      cancelText={t('list.cancel')}
      onOk={send}
      onCancel={onClose}
    >
      <Flex vertical gap="middle">
        <Alert type="info" showIcon title={t(last ? 'procedure.publishNext' : 'procedure.publishFirst')} />
        <p>
          <ScopeText scope={procedure} />
        </p>
        <StepList
          items={changes.map((change) => ({
            step: change.step,
            mark: change.kind,
            tag: last && <ChangeTag change={change} />,
          }))}
        />
      </Flex>
    </AppModal>
  )
}
