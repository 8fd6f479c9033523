import { type RolloutDetail, RolloutDeviceQuery, RolloutRow } from '@tocsin/contract/device/rollout/rollout'
import { rollouts } from '@tocsin/contract/device/rollout/rollout-calls'
import {
  type PersonRolloutVerb,
  rings,
  rolloutDeviceStates,
  rolloutRule,
} from '@tocsin/contract/device/rollout/rollout-machine'
import { useQuery } from '@tanstack/react-query'
import { Alert, Flex, Form, Input, Progress } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { inlineQuery, queryFor, useApiMutation } from '#api/query.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { column } from '#ui/column.tsx'
import { confirm } from '#ui/confirm.ts'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { EnumSelect, Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { VerbButtons } from '#ui/workflow/VerbButtons.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import '../device.css'
import { deviceColumns, RolloutStateTag } from './rollout-columns.tsx'
import { useRolloutVerbs } from './use-rollout-verbs.ts'

type ReasonVerb = 'abort' | 'rollBack'

const ReasonDialog = ({
  rollout,
  verb,
  onClose,
}: {
  rollout: RolloutDetail
  verb: ReasonVerb
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [reason, setReason] = useState('')
  const calls = { abort: useApiMutation(rollouts.abort), rollBack: useApiMutation(rollouts.rollBack) }
  const { id, version } = rollout
  const label = enumLabel('rolloutVerb', verb, lang)
  const send = () => calls[verb].mutate({ body: { id, version, reason: reason.trim() } }, { onSuccess: onClose })
  return (
    <AppModal
      title={label}
      okText={label}
      okButtonProps={{ danger: true, disabled: reason.trim() === '', loading: calls[verb].isPending }}
      cancelText={t('list.cancel')}
      onOk={send}
      onCancel={onClose}
    >
      <p>{t(verb === 'abort' ? 'rollout.abortHelp' : 'rollout.rollBackHelp')}</p>
      <Form layout="vertical" component="div">
        <Form.Item label={t('rollout.reason')} htmlFor="rollout-reason" required>
          <Input.TextArea
            id="rollout-reason"
            maxLength={200}
            autoSize={{ minRows: 2 }}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </Form.Item>
      </Form>
    </AppModal>
  )
}

const Actions = ({ rollout }: { rollout: RolloutDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const verbs = useRolloutVerbs()(rollout)
  const [asking, setAsking] = useState<ReasonVerb>()
  const calls = {
    approve: useApiMutation(rollouts.approve),
    start: useApiMutation(rollouts.start),
    pause: useApiMutation(rollouts.pause),
    resume: useApiMutation(rollouts.resume),
  }
  const remove = useApiMutation(rollouts.remove, {
    done: () => {
      notify.success(t('list.deleted'))
      void navigate('/device/rollout')
    },
  })
  const { id, version, name, figures } = rollout
  const start = async () => {
    const title = t('rollout.startAsk', { n: figures.total })
    if (await confirm({ title, text: t('rollout.startHelp') })) calls.start.mutate({ body: { id, version } })
  }
  const askDelete = async () => {
    if (await confirm({ title: t('list.deleteAsk'), text: name, danger: true })) remove.mutate({ query: { id } })
  }
  const run = (verb: PersonRolloutVerb) => {
    if (verb === 'abort' || verb === 'rollBack') return setAsking(verb)
    if (verb === 'delete') return void askDelete()
    if (verb === 'start') return void start()
    return calls[verb].mutate({ body: { id, version } })
  }
  return (
    <>
      <VerbButtons
        verbs={verbs.map((verb) => ({
          key: verb,
          label: enumLabel('rolloutVerb', verb, lang),
          run: () => run(verb),
          danger: verb === 'delete' || rolloutRule(verb).asks === 'reason',
        }))}
      />
      {asking && <ReasonDialog rollout={rollout} verb={asking} onClose={() => setAsking(undefined)} />}
    </>
  )
}

/** Four bars, one for each ring, and the gate: the number against its limit. */
const RingBars = ({ rollout }: { rollout: RolloutDetail }) => {
  const { t } = useTranslation()
  const { figures, maxBadPct, ring, state } = rollout
  const isBad = figures.badPct > maxBadPct
  return (
    <Flex vertical gap="small">
      {rings.map((share, at) => {
        const { total = 0, ended = 0 } = figures.rings.find((ring) => ring.ring === at + 1) ?? {}
        const name = t('rollout.ring', { n: at + 1, share })
        return (
          <Flex key={share} gap="middle" align="center" wrap>
            <span style={{ minWidth: 120 }}>
              {name} {state === 'RING' && ring === at + 1 && <ToneTag tone="busy">{t('rollout.now')}</ToneTag>}
            </span>
            <Progress
              style={{ flex: '1 1 200px', maxWidth: 480 }}
              percent={total === 0 ? 0 : Math.round((ended / total) * 100)}
              aria-label={name}
            />
            <span>{t('rollout.devicesOf', { ended, total })}</span>
          </Flex>
        )
      })}
      <div>
        {t('rollout.gate')}{' '}
        <ToneTag tone={isBad ? 'fault' : 'done'}>
          {figures.badPct}% / {maxBadPct}%
        </ToneTag>{' '}
        {t('rollout.gateDetail', { failed: figures.failed, offline: figures.offline, started: figures.started })}
      </div>
    </Flex>
  )
}

const factColumns = [
  column(RolloutRow, 'modelName'),
  column(RolloutRow, 'release'),
  column(RolloutRow, 'creatorName', { show: (name) => name ?? '–' }),
  column(RolloutRow, 'approvedByName', { show: (name) => name ?? '–' }),
  column(RolloutRow, 'startedAt'),
  column(RolloutRow, 'endedAt'),
]

const Notices = ({ rollout: { state, reason, frozen, resumesAt, unseen } }: { rollout: RolloutDetail }) => {
  const { t } = useTranslation()
  const at = resumesAt === null ? '' : formatDateTime(resumesAt).slice(0, 16)
  return (
    <>
      {state === 'HALTED' && reason && <Alert type="error" showIcon title={t('rollout.halted', { reason })} />}
      {frozen === 'CLASS' && <Alert type="info" showIcon title={t('rollout.inClass', { at })} />}
      {frozen === 'EXAM' && <Alert type="info" showIcon title={t('rollout.inExams', { at })} />}
      {frozen === 'MANUAL' && <Alert type="warning" showIcon title={t('rollout.frozen')} />}
      {state === 'DRAFT' && <Alert type="info" showIcon title={t('rollout.needsApproval')} />}
      {unseen > 0 && <Alert type="info" showIcon title={t('rollout.watchOnly', { n: unseen })} />}
    </>
  )
}

const Detail = ({ rollout }: { rollout: RolloutDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <WorkflowPage
      title={rollout.name}
      tags={<RolloutStateTag row={rollout} />}
      subtitle={`${enumLabel('packageKind', rollout.kind, lang)} ${rollout.release} · ${rollout.modelName}`}
      actions={<Actions rollout={rollout} />}
    >
      <Flex vertical gap="large">
        <Notices rollout={rollout} />
        <RingBars rollout={rollout} />
        <DescriptionList row={rollout as RolloutRow} columns={factColumns} title={t('rollout.facts')} />
        <ListPage
          query={RolloutDeviceQuery.omit({ rolloutId: true })}
          source={(query) => queryFor(rollouts.devices, { query: { ...query, rolloutId: rollout.id } })}
          columns={deviceColumns}
          rowKey={({ id }) => id}
          filters={
            <Filter of={RolloutDeviceQuery} name="state">
              <EnumSelect kind="rolloutDeviceState" values={rolloutDeviceStates} />
            </Filter>
          }
          empty={{ text: t('rollout.noDevices') }}
        />
      </Flex>
    </WorkflowPage>
  )
}

/** One rollout: its rings, its gate, and the state of every device. */
export const RolloutDetailPage = () => {
  const { id } = useParams()
  const query = useQuery(inlineQuery(rollouts.get, { query: { id: Number(id) } }))
  const name = query.data?.name
  usePageTitle(name ? { name, nameEn: name } : undefined)
  return <QueryResult query={query}>{(rollout) => <Detail rollout={rollout} />}</QueryResult>
}
