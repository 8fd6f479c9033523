import { ArrowLeftOutlined, EnvironmentOutlined, PhoneOutlined } from '@ant-design/icons'
import type { Task } from '@tocsin/contract/alarm/assignment'
import { declineReasons, nextStep } from '@tocsin/contract/alarm/assignment-machine'
import { imageTypes, type StoredFileInfo } from '@tocsin/contract/files/file'
import { Button, Flex, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useHasPermission } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AttachmentInput } from '#ui/attachment/AttachmentInput.tsx'
import { EnumTag } from '#ui/EnumTag.tsx'
import { formatTime } from '#ui/time.ts'
import { TaskChecklist } from '../checklist/TaskChecklist.tsx'
import { formatPlace } from '../desk/format-place.ts'
import { Elapsed, TaskKind } from './TaskCard.tsx'
import { TaskPlan } from './TaskPlan.tsx'
import { ShareRequest } from './TaskSharing.tsx'
import { addStep } from './use-steps.ts'

const POLICE = '110'

const Calls = ({ task }: { task: Task }) => {
  const { t } = useTranslation()
  const { lng, lat, address, schoolName } = task
  const where = lng !== null && lat !== null ? `geo:${lat},${lng}?q=${lat},${lng}` : undefined
  return (
    <div className="task-calls">
      {task.stationPhone && (
        <Button className="task-call" icon={<PhoneOutlined />} href={`tel:${task.stationPhone}`}>
          {t('task.callStation')}
        </Button>
      )}
      {task.dutyPhone && (
        <Button className="task-call" icon={<PhoneOutlined />} href={`tel:${task.dutyPhone}`}>
          {t('task.callSchool')}
        </Button>
      )}
      <Button className="task-call" icon={<PhoneOutlined />} href={`tel:${POLICE}`}>
        {POLICE}
      </Button>
      {where && (
        <Button className="task-call" icon={<EnvironmentOutlined />} href={where} title={address ?? schoolName ?? ''}>
          {t('task.map')}
        </Button>
      )}
    </div>
  )
}

/** The four reasons; one tap each, and a way back. */
const Decline = ({ task, onBack }: { task: Task; onBack: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <Flex vertical gap="small" role="group" aria-label={t('task.declineWhy')}>
      <b>{t('task.declineWhy')}</b>
      {declineReasons.map((reason) => (
        <Button
          key={reason}
          className="task-call"
          block
          onClick={() => addStep({ verb: 'decline', id: task.id, reason })}
        >
          {enumLabel('declineReason', reason, lang)}
        </Button>
      ))}
      <Button type="text" className="task-touch" onClick={onBack}>
        {t('task.notDecline')}
      </Button>
    </Flex>
  )
}

const NOTE_MOST = 500
const PHOTOS_MOST = 9

/** A note from the scene, or a request for more people, which rings at the desk. */
const Report = ({ task }: { task: Task }) => {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [files, setFiles] = useState<readonly StoredFileInfo[]>([])
  const send = (verb: 'report' | 'support') => {
    const fileIds = files.map(({ id }) => id)
    const note = text.trim() || (fileIds.length > 0 && verb === 'report' ? t('task.photos') : null)
    addStep({ verb, id: task.id, note, ...(verb === 'report' && { fileIds }) })
    setText('')
    if (verb === 'report') setFiles([])
  }
  return (
    <Flex vertical gap="small">
      <Input.TextArea
        value={text}
        maxLength={NOTE_MOST}
        autoSize={{ minRows: 2, maxRows: 4 }}
        aria-label={t('task.note')}
        placeholder={t('task.note')}
        onChange={({ target }) => setText(target.value)}
      />
      <AttachmentInput value={files} onChange={setFiles} types={imageTypes} count={PHOTOS_MOST} />
      <div className="task-calls">
        <Button
          className="task-call"
          disabled={text.trim() === '' && files.length === 0}
          onClick={() => send('report')}
        >
          {t('task.sendNote')}
        </Button>
        <Button className="task-call" onClick={() => send('support')}>
          {t(task.supportAt ? 'task.supportAgain' : 'task.support')}
        </Button>
      </div>
    </Flex>
  )
}

const steps = { depart: 'task.depart', arrive: 'task.arrive', clear: 'task.clear' } as const

const Stamps = ({ task }: { task: Task }) => {
  const { t } = useTranslation()
  const known = [
    ['task.assignedAt', task.assignedAt],
    ['task.departedAt', task.departedAt],
    ['task.arrivedAt', task.arrivedAt],
  ] as const
  return (
    <p className="task-minor">
      {known.flatMap(([key, at]) => (at ? [`${t(key)} ${formatTime(at)}`] : [])).join(' · ')}
    </p>
  )
}

/** The assigned unit, and a link to the incident with the caller's number. */
const Incident = ({ task: { situationId, situationNo, unitId, responderName } }: { task: Task }) => {
  const { t } = useTranslation()
  const mayOpen = useHasPermission('police:situation:query')
  if (situationId === null || situationNo === null) return null
  return (
    <p className="task-line">
      {unitId !== null && <span>{t('task.unit', { name: responderName })}</span>}
      {mayOpen ? (
        <Link className="task-link" to={`/police/situation/detail/${situationId}`}>
          {t('task.openIncident', { no: situationNo })}
        </Link>
      ) : (
        <span>{situationNo}</span>
      )}
    </p>
  )
}

/** One task on the whole screen: kind, place, caller, and the next step as the one large button. */
export const TaskSheet = ({ task, onBack }: { task: Task; onBack: () => void }) => {
  const { t } = useTranslation()
  const [isDeclining, setDeclining] = useState(false)
  const mayPlaces = useHasPermission('school:place:query')
  const next = nextStep(task.state)
  const isNew = task.state === 'ASSIGNED' || task.state === 'TIMED_OUT'
  return (
    <article className="task-sheet" data-new={isNew}>
      <header className="task-line">
        <Button
          type="text"
          className="task-touch"
          icon={<ArrowLeftOutlined />}
          aria-label={t('task.back')}
          onClick={onBack}
        />
        <TaskKind task={task} />
        <Elapsed since={task.assignedAt} />
      </header>
      <h1 className="task-where">{formatPlace(task) || t('desk.noPlace')}</h1>
      <p>
        {task.schoolName}
        {task.address && <span className="task-minor"> · {task.address}</span>}
      </p>
      <p>
        <EnumTag kind="assignmentState" value={task.state} /> {task.byName && t('task.sentBy', { name: task.byName })}
      </p>
      {task.summary && <p>{task.summary}</p>}
      {task.note && <p>{task.note}</p>}
      <Incident task={task} />
      <Stamps task={task} />
      <Calls task={task} />
      {mayPlaces && task.placeId !== null && <TaskPlan task={task} placeId={task.placeId} />}
      {!isNew && task.recordId !== null && <TaskChecklist task={task} recordId={task.recordId} />}
      {!isNew && <ShareRequest taskId={task.id} />}
      {!isNew && <Report task={task} />}
      {isDeclining ? (
        <Decline task={task} onBack={() => setDeclining(false)} />
      ) : (
        <footer className="task-foot">
          {next && (
            <Button type="primary" block className="task-next" onClick={() => addStep({ verb: next, id: task.id })}>
              {t(next === 'depart' && task.unitId !== null ? 'task.departUnit' : steps[next])}
            </Button>
          )}
          {next === 'depart' && (
            <Flex gap="small">
              {isNew && (
                <Button className="task-touch" block onClick={() => addStep({ verb: 'receive', id: task.id })}>
                  {t('task.receive')}
                </Button>
              )}
              <Button type="text" block className="task-touch" onClick={() => setDeclining(true)}>
                {t('task.decline')}
              </Button>
            </Flex>
          )}
        </footer>
      )}
    </article>
  )
}
