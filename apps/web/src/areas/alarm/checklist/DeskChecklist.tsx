import { type Checklist, checklists, STEP_SIREN_SEC, type StepSound } from '@tocsin/contract/alarm/checklist'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { stateMachine } from '@tocsin/contract/alarm/state-machine'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { actionStates } from '../desk/actions/available-actions.ts'
import type { Actions } from '../desk/actions/use-actions.ts'
import { useContacts } from '../desk/detail/use-contacts.ts'
import { ChecklistSteps } from './ChecklistSteps.tsx'
import { stepButtons } from './step-buttons.ts'
import { NO_NUMBERS, type StepButton } from './step-call.ts'
import { useChecklist } from './use-checklist.ts'

type Props = { record: WarnRecordRow; actions: Actions }
type Step = Checklist['steps'][number]

/** Asks before people at the school hear anything: the siren, or exactly this text. */
const useStepSound = (recordId: number) => {
  const { t } = useTranslation()
  const { mutate } = useApiMutation(checklists.sound, { done: () => notify.success(t('checklist.soundSent')) })
  return async (type: StepSound, no: number, text: string) => {
    const question =
      type === 'SIREN'
        ? { title: t('checklist.sirenAsk', { n: STEP_SIREN_SEC }), yes: t('checklist.sirenYes') }
        : { title: t('checklist.speakAsk', { text }), yes: t('checklist.speak') }
    if (await confirm(question)) mutate({ body: { id: recordId, no } })
  }
}

/** What a step does at the desk; nothing where it is not possible now. */
const useStepActions = ({ record, actions }: Props, sounds: readonly StepSound[]) => {
  const { t } = useTranslation()
  const lang = useLang()
  const maySound = useHasPermission(stateMachine.note.permission)
  const { data: numbers, isLoading } = useContacts(record.id, record.schoolId !== null)
  const ask = useStepSound(record.id)
  const send = actionStates(record, actions.person).find(
    ({ verb, why }) => (verb === 'dispatch' || verb === 'sendMore') && why === undefined,
  )
  return (step: Step, no: number): StepButton[] => {
    if (!record.open) return []
    const means = {
      numbers: isLoading ? undefined : (numbers ?? NO_NUMBERS),
      send: send && (() => void actions.run(send.verb, record)),
      sounds: maySound ? sounds : [],
      sound: (type: StepSound) => void ask(type, no, step.text),
    }
    return stepButtons(step, means, { t, lang })
  }
}

/** The response plan beside the alarm; nothing without a plan. */
export const DeskChecklist = (props: Props) => {
  const { record } = props
  const { data } = useChecklist(record)
  const actionsOf = useStepActions(props, data?.sounds ?? [])
  if (!data) return null
  return (
    <section className="desk-section">
      <ChecklistSteps
        recordId={record.id}
        checklist={data}
        isOver={record.state === 'CLOSED'}
        actionsOf={actionsOf}
        heading={(title) => <h3>{title}</h3>}
      />
    </section>
  )
}
