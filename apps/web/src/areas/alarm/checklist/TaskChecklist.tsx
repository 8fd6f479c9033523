import type { Task } from '@tocsin/contract/alarm/assignment'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { useContacts } from '../desk/detail/use-contacts.ts'
import { ChecklistSteps } from './ChecklistSteps.tsx'
import { callButton, callsContact } from './step-call.ts'
import { useChecklist } from './use-checklist.ts'

/** The same plan on the phone of the person who goes; ticks of the desk appear here and the other way round. */
export const TaskChecklist = ({ task, recordId }: { task: Task; recordId: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { data } = useChecklist({ id: recordId, claimedAt: task.assignedAt })
  const { data: school, isLoading } = useContacts(recordId, data ? callsContact(data.steps) : false)
  if (!data) return null
  const numbers = { contacts: school?.contacts ?? [], dutyPhone: task.dutyPhone }
  const isOver = data.state !== 'RUNNING'
  return (
    <section aria-label={t('checklist.name')}>
      <ChecklistSteps
        recordId={recordId}
        checklist={data}
        isOver={isOver}
        actionsOf={(step) =>
          step.action === 'CALL' && !isOver && !isLoading ? [callButton(step, numbers, { t, lang })] : []
        }
        heading={(title) => <h2 className="task-heading">{title}</h2>}
      />
    </section>
  )
}
