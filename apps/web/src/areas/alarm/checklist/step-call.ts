import type { RecordContacts } from '@tocsin/contract/alarm/records'
import type { Lang } from '@tocsin/contract/field'
import { findNumber, isContactRole } from '@tocsin/contract/device/procedure/callee'
import type { ProcedureStep } from '@tocsin/contract/device/procedure/procedure'
import type { TFunction } from 'i18next'
import { enumLabel } from '#texts/enum-labels.ts'

/** What the button of a step shows; without `run` it is disabled and says why. */
export type StepButton = { label: string; run?: () => void }

/** Of a school whose numbers are unknown; public numbers can still be dialled. */
export const NO_NUMBERS: RecordContacts = { dutyPhone: null, contacts: [] }

type Step = Pick<ProcedureStep, 'callee'>
export type ButtonTexts = { t: TFunction; lang: Lang }

/** The button of a step that calls: it names who is called and dials exactly that number. */
export const callButton = ({ callee }: Step, numbers: RecordContacts, { t, lang }: ButtonTexts): StepButton => {
  if (callee === null) return { label: t('checklist.noCallee') }
  const who = enumLabel('callee', callee, lang)
  const phone = findNumber(callee, numbers)
  if (phone === undefined) return { label: t('checklist.noNumber', { who }) }
  return { label: t('checklist.call', { who }), run: () => location.assign(`tel:${phone}`) }
}

/** Numbers of contacts are read, and their read is audited, only for a plan that calls one. */
export const callsContact = (steps: readonly Step[]): boolean =>
  steps.some(({ callee }) => callee !== null && isContactRole(callee))
