import { type Checklist, checklists } from '@tocsin/contract/alarm/checklist'
import { LEAD_PERMISSION, stateMachine } from '@tocsin/contract/alarm/state-machine'
import { Button, Checkbox, Input } from 'antd'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { formatTime } from '#ui/time.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { formatElapsed } from '../desk/clock.ts'
import type { StepButton } from './step-call.ts'
import './checklist.css'

type Step = Checklist['steps'][number]

/** The time since the plan began against the target, while the step is open. */
const StepClock = ({ startedAt, targetSec }: { startedAt: Date; targetSec: number }) => {
  const { t } = useTranslation()
  const passed = useServerTime() - startedAt.getTime()
  return (
    <span className="checklist-minor" data-late={passed > targetSec * 1000}>
      {t('checklist.target', { n: targetSec })} · {formatElapsed(passed)}
    </span>
  )
}

type SkipProps = { recordId: number; no: number; onClose: () => void }

/** A shift lead says why a step cannot be done. */
const SkipDialog = ({ recordId, no, onClose }: SkipProps) => {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const skip = useApiMutation(checklists.skip)
  const send = () => skip.mutate({ body: { id: recordId, no, reason: reason.trim() } }, { onSuccess: onClose })
  return (
    <AppModal
      title={t('checklist.skipTitle', { no })}
      okText={t('checklist.skip')}
      okButtonProps={{ disabled: reason.trim() === '', loading: skip.isPending }}
      cancelText={t('list.cancel')}
      onOk={send}
      onCancel={onClose}
    >
      <label>
        {t('checklist.reason')}
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

/** Who did it and when; of a skipped step also why. */
const StepResult = ({ result }: { result: NonNullable<Step['result']> }) => {
  const { t } = useTranslation()
  const { state, userName, at, note } = result
  return (
    <span className="checklist-minor">
      {state === 'SKIPPED' && <ToneTag tone="wait">{t('checklist.skipped')}</ToneTag>} {userName} {formatTime(at)}
      {note && ` · ${note}`}
    </span>
  )
}

type RowProps = {
  recordId: number
  step: Step
  no: number
  startedAt: Date
  isOver: boolean
  actionsOf: (step: Step, no: number) => StepButton[]
}

const StepRow = ({ recordId, step, no, startedAt, isOver, actionsOf }: RowProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const mayTick = useHasPermission(stateMachine.note.permission)
  const isLead = useHasPermission(LEAD_PERMISSION)
  const [isSkipping, setSkipping] = useState(false)
  const tick = useApiMutation(checklists.tick)
  const { result, mandatory, role, targetSec } = step
  const actions = actionsOf(step, no)
  const run = actions.find((action) => action.run)?.run
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !run) return
    event.preventDefault()
    run()
  }
  return (
    <li className="checklist-step" data-done={result !== null}>
      <Checkbox
        checked={result !== null}
        disabled={!mayTick || isOver}
        onChange={({ target }) => tick.mutate({ body: { id: recordId, no, done: target.checked } })}
        onKeyDown={press}
      >
        {no}. {lang === 'en' ? step.textEn : step.text}
      </Checkbox>
      <div className="checklist-facts">
        <span className="checklist-minor">{enumLabel('stepRole', role, lang)}</span>
        {mandatory && <ToneTag tone={result ? 'done' : 'wait'}>{t('procedure.mandatory')}</ToneTag>}
        {result ? (
          <StepResult result={result} />
        ) : (
          targetSec !== null && !isOver && <StepClock startedAt={startedAt} targetSec={targetSec} />
        )}
        {!result &&
          actions.map((action) => (
            <Button
              key={action.label}
              size="small"
              className="checklist-action"
              disabled={!action.run}
              onClick={action.run}
            >
              {action.label}
            </Button>
          ))}
        {isLead && mandatory && !result && !isOver && (
          <Button size="small" type="text" className="checklist-action" onClick={() => setSkipping(true)}>
            {t('checklist.skip')}
          </Button>
        )}
      </div>
      {isSkipping && <SkipDialog recordId={recordId} no={no} onClose={() => setSkipping(false)} />}
    </li>
  )
}

type Props = Pick<RowProps, 'recordId' | 'isOver' | 'actionsOf'> & {
  checklist: Checklist
  heading: (title: string) => ReactNode
}

/** The steps of the plan: Space ticks, Enter does what the step says; every tick is in the log with its name. */
export const ChecklistSteps = ({ recordId, checklist, isOver, actionsOf, heading }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { steps, missing, startedAt, name, nameEn } = checklist
  const done = steps.filter(({ result }) => result !== null).length
  return (
    <>
      {heading(t('checklist.title', { done, total: steps.length }))}
      <p className="checklist-minor">
        {lang === 'en' ? nameEn : name}
        {missing.length > 0 && ` · ${t('checklist.missing', { n: missing.length })}`}
      </p>
      <ul className="checklist">
        {steps.map((step, at) => (
          <StepRow
            key={`${at} ${step.text}`}
            recordId={recordId}
            step={step}
            no={at + 1}
            startedAt={startedAt}
            isOver={isOver}
            actionsOf={actionsOf}
          />
        ))}
      </ul>
    </>
  )
}
