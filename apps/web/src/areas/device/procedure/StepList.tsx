import type { ProcedureStep } from '@tocsin/contract/device/procedure/procedure'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import './procedure.css'

/** The words beside a step: role, target, action, evidence with its limits. */
export const useStepFacts = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const limits = ({ unit, min, max }: ProcedureStep) => {
    const range = [min ?? '', max ?? ''].join('–')
    return range === '–' ? '' : ` ${range}${unit ? ` ${unit}` : ''}`
  }
  return (step: ProcedureStep): string[] => {
    const { role, targetSec, action, callee, evidence } = step
    const whom = callee === null ? '' : ` ${enumLabel('callee', callee, lang)}`
    return [
      enumLabel('stepRole', role, lang),
      ...(targetSec === null ? [] : [t('procedure.target', { n: targetSec })]),
      ...(action === 'NONE' ? [] : [`${enumLabel('stepAction', action, lang)}${whom}`]),
      ...(evidence === 'NONE' ? [] : [`${enumLabel('stepEvidence', evidence, lang)}${limits(step)}`]),
    ]
  }
}

/** A step in the language of the reader. */
export const StepText = ({ step }: { step: Pick<ProcedureStep, 'text' | 'textEn'> }) => (
  <>{useLang() === 'en' ? step.textEn : step.text}</>
)

type Item = { step: ProcedureStep; tag?: ReactNode; mark?: string }

/** Steps to read, numbered. */
export const StepList = ({ items }: { items: readonly Item[] }) => {
  const { t } = useTranslation()
  const factsOf = useStepFacts()
  return (
    <ol className="procedure-steps">
      {items.map(({ step, tag, mark }, at) => (
        <li key={`${at} ${step.text}`} data-mark={mark}>
          <div>
            <StepText step={step} /> {step.mandatory && <ToneTag tone="wait">{t('procedure.mandatory')}</ToneTag>} {tag}
          </div>
          <div className="procedure-minor">{factsOf(step).join(' · ')}</div>
        </li>
      ))}
    </ol>
  )
}
