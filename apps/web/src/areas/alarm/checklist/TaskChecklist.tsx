import type { Task } from '@tocsin/contract/alarm/assignment'
import { useTranslation } from 'react-i18next'
import { ChecklistSteps } from './ChecklistSteps.tsx'
import { useChecklist } from './use-checklist.ts'

/** The same plan on the phone of the person who goes; ticks of the desk appear here and the other way round. */
export const TaskChecklist = ({ task, recordId }: { task: Task; recordId: number }) => {
  const { t } = useTranslation()
  const { data } = useChecklist({ id: recordId, claimedAt: task.assignedAt })
  if (!data) return null
  const { dutyPhone } = task
  return (
    <section aria-label={t('checklist.name')}>
      <ChecklistSteps
        recordId={recordId}
        checklist={data}
        isOver={data.state !== 'RUNNING'}
        actionOf={(action) => (action === 'CALL' && dutyPhone ? () => location.assign(`tel:${dutyPhone}`) : undefined)}
        heading={(title) => <h2 className="task-heading">{title}</h2>}
      />
    </section>
  )
}
