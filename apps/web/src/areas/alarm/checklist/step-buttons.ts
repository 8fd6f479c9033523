import { soundOf, type StepSound } from '@tocsin/contract/alarm/checklist'
import type { RecordContacts } from '@tocsin/contract/alarm/records'
import type { ProcedureStep } from '@tocsin/contract/device/procedure/procedure'
import { enumLabel } from '#texts/enum-labels.ts'
import { type ButtonTexts, callButton, type StepButton } from './step-call.ts'

/** What can be done for a step at this alarm now. */
export type StepMeans = {
  /** Undefined while they are read. */
  numbers: RecordContacts | undefined
  send: (() => void) | undefined
  /** What the device of the alarm can do. */
  sounds: readonly StepSound[]
  sound: (type: StepSound) => void
}

/** The buttons of a step: what its action says, as far as people and device can do it now. */
export const stepButtons = (
  step: Pick<ProcedureStep, 'action' | 'callee'>,
  { numbers, send, sounds, sound }: StepMeans,
  texts: ButtonTexts,
): StepButton[] => {
  const { action } = step
  const label = enumLabel('stepAction', action, texts.lang)
  const type = soundOf(step)
  const heard = type && sounds.includes(type) ? [() => sound(type)] : []
  if (action === 'CALL') return numbers ? [callButton(step, numbers, texts)] : []
  if (action === 'SIREN') return heard.map((run) => ({ label, run }))
  if (action === 'MESSAGE')
    return [
      ...(send ? [{ label, run: send }] : []),
      ...heard.map((run) => ({ label: texts.t('checklist.speak'), run })),
    ]
  return []
}
