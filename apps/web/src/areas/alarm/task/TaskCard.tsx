import type { Task, UnclaimedTask } from '@tocsin/contract/alarm/assignment'
import { CATEGORY_DICT } from '@tocsin/contract/police/situation'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { formatElapsed } from '../desk/clock.ts'
import { formatPlace } from '../desk/format-place.ts'
import { addStep } from './use-steps.ts'

/** Running time since it waits. */
export const Elapsed = ({ since }: { since: Date }) => (
  <time className="task-clock" dateTime={since.toISOString()}>
    {formatElapsed(useServerTime() - since.getTime())}
  </time>
)

/** Level and kind: the code of an alarm, the category of an incident. */
export const TaskKind = ({ task }: { task: UnclaimedTask | Task }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const kind = 'category' in task && task.situationNo !== null ? task.category : undefined
  return (
    <>
      <EnumTag kind="level" value={task.level} />
      {kind === undefined ? (
        <b>{task.code && enumLabel('alarmCode', task.code, lang)}</b>
      ) : (
        <b>
          {t('task.incident')} {kind && <DictTag type={CATEGORY_DICT} value={kind} />}
        </b>
      )}
      {task.mode !== 'LIVE' && <EnumTag kind="mode" value={task.mode} />}
    </>
  )
}

const Facts = ({ task }: { task: UnclaimedTask | Task }) => {
  const { t } = useTranslation()
  return (
    <>
      <span className="task-line">
        <TaskKind task={task} />
      </span>
      <strong className="task-place">{formatPlace(task) || t('desk.noPlace')}</strong>
      <span className="task-minor">{task.schoolName ?? t('desk.noSchool')}</span>
    </>
  )
}

/** A task in the list; without `onOpen` it is over. */
export const TaskCard = ({ task, onOpen }: { task: Task; onOpen?: () => void }) => {
  const content = (
    <>
      <Facts task={task} />
      <span className="task-line">
        <EnumTag kind="assignmentState" value={task.state} />
        {onOpen && <Elapsed since={task.assignedAt} />}
      </span>
    </>
  )
  if (!onOpen) return <div className="task-card">{content}</div>
  return (
    <button type="button" className="task-card" data-new={task.state === 'ASSIGNED'} onClick={onOpen}>
      {content}
    </button>
  )
}

/** An unowned alarm: one tap claims it and starts the way there. */
export const UnclaimedCard = ({ task }: { task: UnclaimedTask }) => {
  const { t } = useTranslation()
  return (
    <div className="task-card" data-new>
      <Facts task={task} />
      <span className="task-line">
        <EnumTag kind="recordState" value={task.recordState} />
        <Elapsed since={task.firstAt} />
      </span>
      <Button
        type="primary"
        block
        className="task-call"
        onClick={() => addStep({ verb: 'go', id: task.recordId })}
        aria-label={`${t('task.claimAndGo')} ${formatPlace(task)}`}
      >
        {t('task.claimAndGo')}
      </Button>
    </div>
  )
}
