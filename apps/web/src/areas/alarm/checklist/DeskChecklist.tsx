import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { deviceCommands } from '@tocsin/contract/device/command'
import type { ProcedureStep } from '@tocsin/contract/device/procedure/procedure'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { actionStates } from '../desk/actions/available-actions.ts'
import type { Actions } from '../desk/actions/use-actions.ts'
import { useContacts } from '../desk/detail/use-contacts.ts'
import { ChecklistSteps } from './ChecklistSteps.tsx'
import { callButton, NO_NUMBERS, type StepButton } from './step-call.ts'
import { useChecklist } from './use-checklist.ts'

const SIREN_SECONDS = 30

type Props = { record: WarnRecordRow; actions: Actions }

/** What a step does at the desk; undefined where it is not possible now. */
const useStepActions = ({ record, actions }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const mayCommand = useHasPermission('device:command:create')
  const { data: numbers, isLoading } = useContacts(record.id, record.schoolId !== null)
  const command = useApiMutation(deviceCommands.create, { done: () => notify.success(t('checklist.sirenSent')) })
  const { deviceId } = record
  const send = actionStates(record, actions.person).find(
    ({ verb, why }) => (verb === 'dispatch' || verb === 'sendMore') && why === undefined,
  )
  const siren = async (id: number) => {
    const yes = await confirm({ title: t('checklist.sirenAsk', { n: SIREN_SECONDS }), yes: t('checklist.sirenYes') })
    if (yes) command.mutate({ body: { deviceId: id, type: 'SIREN', seconds: SIREN_SECONDS } })
  }
  return (step: ProcedureStep): StepButton | undefined => {
    const { action } = step
    if (!record.open) return undefined
    if (action === 'CALL') return isLoading ? undefined : callButton(step, numbers ?? NO_NUMBERS, { t, lang })
    const label = enumLabel('stepAction', action, lang)
    if (action === 'MESSAGE' && send) return { label, run: () => actions.run(send.verb, record) }
    if (action === 'SIREN' && deviceId !== null && mayCommand) return { label, run: () => void siren(deviceId) }
    return undefined
  }
}

/** The response plan beside the alarm; nothing without a plan. */
export const DeskChecklist = (props: Props) => {
  const { record } = props
  const { data } = useChecklist(record)
  const actionOf = useStepActions(props)
  if (!data) return null
  return (
    <section className="desk-section">
      <ChecklistSteps
        recordId={record.id}
        checklist={data}
        isOver={record.state === 'CLOSED'}
        actionOf={actionOf}
        heading={(title) => <h3>{title}</h3>}
      />
    </section>
  )
}
