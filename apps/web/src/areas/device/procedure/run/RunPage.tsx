import { procedureRuns } from '@tocsin/contract/device/procedure/procedure-calls'
import type { RunDetail } from '@tocsin/contract/device/procedure/run'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Input, Progress, Result } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ProcedureName } from '../procedure-columns.tsx'
import { StepText } from '../StepList.tsx'
import { RunStepForm } from './RunStepForm.tsx'
import { firstOpenStep, listMissingSteps } from './run-progress.ts'
import '../procedure.css'

const EndDialog = ({ run, verb, onClose }: { run: RunDetail; verb: 'fail' | 'abort'; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [reason, setReason] = useState('')
  const calls = { fail: useApiMutation(procedureRuns.fail), abort: useApiMutation(procedureRuns.abort) }
  const send = () =>
    calls[verb].mutate({ body: { id: run.id, version: run.version, reason: reason.trim() } }, { onSuccess: onClose })
  return (
    <AppModal
      title={enumLabel('runVerb', verb, lang)}
      okText={enumLabel('runVerb', verb, lang)}
      okButtonProps={{ danger: true, disabled: reason.trim() === '', loading: calls[verb].isPending }}
      cancelText={t('list.cancel')}
      onOk={send}
      onCancel={onClose}
    >
      <label>
        {t('procedure.reason')}
        <Input.TextArea
          maxLength={200}
          autoSize={{ minRows: 2 }}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
    </AppModal>
  )
}

/** After the last step: what is still missing, or the end of the work. */
const Summary = ({ run, onGo }: { run: RunDetail; onGo: (at: number) => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const finish = useApiMutation(procedureRuns.finish)
  const missing = listMissingSteps(run)
  return (
    <Flex vertical gap="middle">
      <h2 className="run-text">
        {t(missing.length > 0 ? 'procedure.stillOpen' : 'procedure.allDone', { n: missing.length })}
      </h2>
      {missing.map((at) => (
        <Button key={at} block className="run-touch" onClick={() => onGo(at)}>
          {at + 1}. {lang === 'en' ? run.steps[at]?.textEn : run.steps[at]?.text}
        </Button>
      ))}
      <footer className="run-foot">
        <Button
          type="primary"
          block
          className="run-button"
          disabled={missing.length > 0}
          loading={finish.isPending}
          onClick={() => finish.mutate({ body: { id: run.id, version: run.version } })}
        >
          {enumLabel('runVerb', 'finish', lang)}
        </Button>
        <Button type="text" block className="run-touch" onClick={() => onGo(run.steps.length - 1)}>
          {t('procedure.previous')}
        </Button>
      </footer>
    </Flex>
  )
}

const Ended = ({ run }: { run: RunDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { state, reason, deviceId, orderId } = run
  return (
    <Result
      status={state === 'DONE' ? 'success' : 'warning'}
      title={enumLabel('runState', state, lang)}
      subTitle={reason}
      extra={[
        ...(orderId === null
          ? []
          : [
              <Link key="order" className="run-leave" to={`/device/maintenance/${orderId}`}>
                {t('procedure.toOrder')}
              </Link>,
            ]),
        <Link key="device" className="run-leave" to={`/device/detail/${deviceId}`}>
          {t('procedure.toDevice')}
        </Link>,
      ]}
    />
  )
}

const Running = ({ run }: { run: RunDetail }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [at, setAt] = useState(() => firstOpenStep(run))
  const [ending, setEnding] = useState<'fail' | 'abort'>()
  const step = run.steps[at]
  const total = run.steps.length
  return (
    <>
      <Progress percent={Math.round((run.doneCount / total) * 100)} aria-label={t('procedure.progress')} />
      {step ? (
        <>
          <span className="procedure-minor">{t('procedure.stepOf', { n: at + 1, total })}</span>
          <h2 className="run-text">
            <StepText step={step} />
          </h2>
          <RunStepForm
            key={at}
            run={run}
            step={step}
            no={at + 1}
            onNext={() => setAt(at + 1)}
            onBack={at > 0 ? () => setAt(at - 1) : undefined}
          />
        </>
      ) : (
        <Summary run={run} onGo={setAt} />
      )}
      <Flex gap="small" wrap>
        {(['fail', 'abort'] as const).map((verb) => (
          <Button key={verb} type="text" danger className="run-touch" onClick={() => setEnding(verb)}>
            {enumLabel('runVerb', verb, lang)}
          </Button>
        ))}
      </Flex>
      {ending && <EndDialog run={run} verb={ending} onClose={() => setEnding(undefined)} />}
    </>
  )
}

/** A work procedure on the phone: one step per screen, resumable on any device. */
export const RunPage = () => {
  const { id } = useParams()
  const query = useQuery(inlineQuery(procedureRuns.get, { query: { id: Number(id) } }))
  const { name, nameEn } = query.data ?? {}
  usePageTitle(name && nameEn ? { name, nameEn } : undefined)
  return (
    <QueryResult query={query}>
      {(run) => (
        <Flex vertical gap="middle" className="run">
          <Flex gap="small" align="center" wrap>
            <b>
              <ProcedureName of={run} />
            </b>
            <EnumTag kind="runState" value={run.state} />
          </Flex>
          <span className="procedure-minor">{[run.sn, run.schoolName, run.placePath].filter(Boolean).join(' · ')}</span>
          {run.state === 'RUNNING' ? <Running key={run.id} run={run} /> : <Ended run={run} />}
        </Flex>
      )}
    </QueryResult>
  )
}
