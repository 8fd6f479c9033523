import { warnClasses } from '@tocsin/contract/alarm-class'
import {
  type ProcedureDetail,
  ProcedureDraft,
  type ProcedureKind,
  type ProcedureStep,
} from '@tocsin/contract/device/procedure/procedure'
import { procedures } from '@tocsin/contract/device/procedure/procedure-calls'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { notify } from '#ui/notify.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { emptyDraft, emptyStep, hasText, isComplete, moveStep } from '../procedure-draft.ts'
import { StepText, useStepFacts } from '../StepList.tsx'
import '../procedure.css'
import { DraftFields } from './DraftFields.tsx'
import { StepFields } from './StepFields.tsx'
import { StepOrder } from './StepOrder.tsx'

/** As the step looks on a phone. */
const PhonePreview = ({ step, at, of }: { step: ProcedureStep; at: number; of: number }) => {
  const { t } = useTranslation()
  const factsOf = useStepFacts()
  return (
    <div className="procedure-phone" role="img" aria-label={t('procedure.preview')}>
      <span className="procedure-minor">{t('procedure.stepOf', { n: at + 1, total: of })}</span>
      <div className="procedure-phone-text">
        <StepText step={step} />
      </div>
      <div>{step.mandatory && <ToneTag tone="wait">{t('procedure.mandatory')}</ToneTag>}</div>
      <span className="procedure-minor">{factsOf(step).join(' · ')}</span>
    </div>
  )
}

const useSave = (id: number | undefined, version: number | undefined) => {
  const create = useApiMutation(procedures.create)
  const update = useApiMutation(procedures.update)
  const save = async (draft: ProcedureDraft): Promise<number> => {
    const { kind: _kind, ...changes } = draft
    if (id === undefined || version === undefined) return create.mutateAsync({ body: draft })
    await update.mutateAsync({ body: { ...changes, id, version } })
    return id
  }
  return { save, isSaving: create.isPending || update.isPending }
}

type EditorProps = { initial: ProcedureDraft; id?: number; version?: number }

const Editor = ({ initial, id, version }: EditorProps) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(initial)
  const [current, setCurrent] = useState(0)
  const [isChecked, setChecked] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const { save, isSaving } = useSave(id, version)
  useUnsavedGuard(() => !isSaved && draft !== initial)
  const { kind, steps } = draft
  const step = steps[current] ?? emptyStep(kind)
  const change = (more: Partial<ProcedureDraft>) => setDraft({ ...draft, ...more })
  const changeStep = (more: Partial<ProcedureStep>) =>
    change({ steps: steps.map((step, at) => (at === current ? { ...step, ...more } : step)) })
  const move = (from: number, to: number) => {
    const moved = moveStep(steps, from, to)
    if (moved === steps) return
    change({ steps: [...moved] })
    setCurrent(to)
  }
  const submit = async () => {
    setChecked(true)
    const bad = steps.findIndex((step) => !isComplete(step))
    if (bad >= 0) setCurrent(bad)
    if (bad >= 0 || !hasText({ text: draft.name, textEn: draft.nameEn })) return
    const saved = await save(draft).catch(() => undefined)
    if (saved === undefined) return
    setSaved(true)
    notify.success(t('list.saved'))
    void navigate(`/device/procedure/${saved}`, { replace: true })
  }
  return (
    <Flex vertical gap="middle">
      <DraftFields draft={draft} isChecked={isChecked} onChange={change} />
      <div className="procedure-editor">
        <StepOrder
          steps={steps}
          current={current}
          isChecked={isChecked}
          onChoose={setCurrent}
          onMove={move}
          onAdd={() => {
            change({ steps: [...steps, emptyStep(kind)] })
            setCurrent(steps.length)
          }}
          onRemove={(at) => {
            change({ steps: steps.filter((_, other) => other !== at) })
            setCurrent(Math.max(0, at - 1))
          }}
        />
        <StepFields kind={kind} step={step} isChecked={isChecked} onChange={changeStep} />
        <PhonePreview step={step} at={current} of={steps.length} />
      </div>
      <Flex gap="small" wrap>
        <Button type="primary" loading={isSaving} onClick={() => void submit()}>
          {t('procedure.saveDraft')}
        </Button>
        <Button onClick={() => void navigate(-1)}>{t('list.cancel')}</Button>
      </Flex>
    </Flex>
  )
}

const toEditable = (procedure: ProcedureDetail): ProcedureDraft => {
  const { kind, name, nameEn, class: of, levels, placeKinds, fromMin, toMin, work, steps } = procedure
  return { kind, name, nameEn, class: of, levels, placeKinds, fromMin, toMin, work, steps }
}

const EditedProcedure = ({ id }: { id: number }) => {
  const query = useQuery(inlineQuery(procedures.get, { query: { id } }))
  return (
    <QueryResult query={query}>
      {(procedure) => <Editor key={id} initial={toEditable(procedure)} id={id} version={procedure.version} />}
    </QueryResult>
  )
}

/** A new procedure, or the draft of the one in the address. */
export const ProcedureEditPage = () => {
  const { id } = useParams()
  const [params] = useSearchParams()
  if (id !== undefined) return <EditedProcedure id={Number(id)} />
  const kind: ProcedureKind = params.get('kind') === 'WORK' ? 'WORK' : 'RESPONSE'
  const of = warnClasses.find((warnClass) => warnClass === params.get('class'))
  const level = Number(params.get('level'))
  const initial = { ...emptyDraft(kind), ...(of && { class: of }), ...(level > 0 && { levels: [level] }) }
  return <Editor initial={initial} />
}
