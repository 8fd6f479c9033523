import { assignments, type MyTasks, type Task } from '@tocsin/contract/alarm/assignment'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Flex } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { startSound, testSound } from '../desk/sound/player.ts'
import { SoundBand } from './SoundBand.tsx'
import { TaskCard, UnclaimedCard } from './TaskCard.tsx'
import { TaskSheet } from './TaskSheet.tsx'
import { SharingMark } from './TaskSharing.tsx'
import { applySteps } from './step-queue.ts'
import { useKeptSteps, useStepQueue } from './use-steps.ts'
import { useTaskRing } from './use-task-ring.ts'
import './task.css'

/** Polls because a live connection may be lost unnoticed. */
const POLL_MS = 10_000

const Duty = ({ onDuty }: Pick<MyTasks, 'onDuty'>) => {
  const { t } = useTranslation()
  const { mutate, isPending } = useApiMutation(assignments.duty)
  const change = () => {
    if (!onDuty) void startSound()
    mutate({ body: { onDuty: !onDuty } })
  }
  return (
    <Button className="task-touch" type={onDuty ? 'default' : 'primary'} loading={isPending} onClick={change}>
      {t(onDuty ? 'task.endDuty' : 'task.startDuty')}
    </Button>
  )
}

const NoTasks = () => {
  const { t } = useTranslation()
  return (
    <Flex vertical gap="middle" align="center" className="task-empty">
      <p>{t('task.none')}</p>
      <Button className="task-touch" onClick={() => void startSound().then(testSound)}>
        {t('task.test')}
      </Button>
    </Flex>
  )
}

const Done = ({ list }: { list: readonly Task[] }) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (list.length === 0) return null
  return (
    <section>
      <Button type="text" className="task-touch" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('task.done', { n: list.length })}
      </Button>
      {isOpen && list.map((task) => <TaskCard key={task.id} task={task} />)}
    </section>
  )
}

type Shown = { tasks: MyTasks; onOpen: (id: number) => void; open: readonly Task[] }

const TaskList = ({ tasks, open, onOpen }: Shown) => {
  const { t } = useTranslation()
  const { onDuty, unclaimed, done } = tasks
  const going = useStepQueue(({ items }) => items)
  const free = unclaimed.filter(({ recordId }) => !going.some(({ verb, id }) => verb === 'go' && id === recordId))
  return (
    <>
      <Flex justify="space-between" align="center" gap="small">
        <span role="status">{t(onDuty ? 'task.onDuty' : 'task.offDuty')}</span>
        <Duty onDuty={onDuty} />
      </Flex>
      {open.map((task) => (
        <TaskCard key={task.id} task={task} onOpen={() => onOpen(task.id)} />
      ))}
      {free.length > 0 && <h2 className="task-heading">{t('task.unclaimed', { n: free.length })}</h2>}
      {free.map((item) => (
        <UnclaimedCard key={item.recordId} task={item} />
      ))}
      {open.length === 0 && free.length === 0 && <NoTasks />}
      <Done list={done} />
    </>
  )
}

const isNew = ({ state }: Pick<Task, 'state'>): boolean => state === 'ASSIGNED' || state === 'TIMED_OUT'
const isOver = ({ state }: Pick<Task, 'state'>): boolean =>
  state === 'CLEARED' || state === 'DECLINED' || state === 'RECALLED'

const none: readonly Task[] = []

/** The user's own tasks: a new one rings and fills the screen, one button takes the next step. */
export const TaskPage = () => {
  const { t } = useTranslation()
  useKeptSteps()
  const query = useQuery({ ...inlineQuery(assignments.mine), refetchInterval: POLL_MS })
  const { items: steps, isFailing } = useStepQueue()
  const open = (query.data?.open ?? none).map((task) => applySteps(task, steps)).filter((task) => !isOver(task))
  const waiting = open.filter(isNew)
  useTaskRing(waiting)
  const [chosen, choose] = useState<number | undefined>()
  const [left, leave] = useState<readonly number[]>([])
  const shown = open.find(({ id }) => id === chosen) ?? [...waiting, ...open].find(({ id }) => !left.includes(id))
  const back = () => {
    choose(undefined)
    leave(open.map(({ id }) => id))
  }
  return (
    <Flex vertical gap="middle" className="task">
      <SoundBand />
      <SharingMark openIds={query.data && open.map(({ id }) => id)} />
      {steps.length > 0 && isFailing && (
        <Alert type="warning" showIcon role="status" title={t('task.unsent', { n: steps.length })} />
      )}
      {shown ? (
        <TaskSheet key={shown.id} task={shown} onBack={back} />
      ) : (
        <QueryResult query={query}>{(tasks) => <TaskList tasks={tasks} open={open} onOpen={choose} />}</QueryResult>
      )}
    </Flex>
  )
}
