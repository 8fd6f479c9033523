import { MoreOutlined } from '@ant-design/icons'
import { assignments, type AssignmentRow } from '@tocsin/contract/alarm/assignment'
import { type ResponderVerb, whyNotStep } from '@tocsin/contract/alarm/assignment-machine'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { confirm } from '#ui/confirm.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { DropMenu } from '#ui/overlay/DropMenu.tsx'
import { formatTime } from '#ui/time.ts'
import { makeStepKey } from '#api/wire/step-key.ts'
import type { Actions } from '../actions/use-actions.ts'
import { usePerson } from '../actions/use-person.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'
import { formatElapsed } from '../clock.ts'

const Stamp = ({ label, at }: { label: string; at: Date | null }) => (
  <span data-reached={at !== null}>
    {label} <time>{at ? formatTime(at) : '–'}</time>
  </span>
)

const Waiting = ({ since }: { since: Date }) => (
  <b className="desk-sent-wait">{formatElapsed(useServerTime() - since.getTime())}</b>
)

/** Steps that a desk reports for an assignee without a phone, and the recall. */
const behalfTexts = {
  receive: 'behalf_receive',
  depart: 'behalf_depart',
  arrive: 'behalf_arrive',
  clear: 'behalf_clear',
} as const

const onBehalf = ['receive', 'depart', 'arrive', 'clear'] as const satisfies readonly ResponderVerb[]

const useSteps = (row: AssignmentRow) => {
  const { t } = useTranslation()
  const person = usePerson()
  const calls = {
    receive: useApiMutation(assignments.receive),
    depart: useApiMutation(assignments.depart),
    arrive: useApiMutation(assignments.arrive),
    clear: useApiMutation(assignments.clear),
    recall: useApiMutation(assignments.recall),
  }
  const run = (verb: keyof typeof calls) => calls[verb].mutate({ body: { id: row.id, stepKey: makeStepKey() } })
  const recall = async () => {
    if (await confirm({ title: t('desk.recallAsk', { name: row.responderName }), yes: t('desk.recall') })) run('recall')
  }
  const isPossible = (verb: keyof typeof calls) => whyNotStep(verb, row, person) === undefined
  return [
    ...onBehalf
      .filter(isPossible)
      .map((verb) => ({ key: verb, label: t(`desk.${behalfTexts[verb]}`), onClick: () => run(verb) })),
    ...(isPossible('recall') ? [{ key: 'recall', label: t('desk.recall'), onClick: () => void recall() }] : []),
  ]
}

const Row = ({ row }: { row: AssignmentRow }) => {
  const { t } = useTranslation()
  const items = useSteps(row)
  const waits = row.state === 'ASSIGNED' || row.state === 'TIMED_OUT'
  return (
    <li className="desk-sent" data-state={row.state}>
      <b>{row.responderName}</b>
      <EnumTag kind="assignmentState" value={row.state} />
      {row.declineReason && <EnumTag kind="declineReason" value={row.declineReason} />}
      <span className="desk-sent-steps">
        <Stamp label={t('desk.sentAt')} at={row.assignedAt} />
        <Stamp label={t('desk.receivedAt')} at={row.receivedAt} />
        <Stamp label={t('desk.departedAt')} at={row.departedAt} />
        <Stamp label={t('desk.arrivedAt')} at={row.arrivedAt} />
        {waits && <Waiting since={row.assignedAt} />}
      </span>
      {items.length > 0 && (
        <DropMenu menu={{ items }}>
          <Button type="text" icon={<MoreOutlined />} aria-label={t('desk.stepsOf', { name: row.responderName })} />
        </DropMenu>
      )}
    </li>
  )
}

/** Nobody else is on the way: offers the next person by one click. */
const Suggest = ({ record, actions }: { record: WarnRecordRow; actions: Actions }) => {
  const { t } = useTranslation()
  return (
    <Button type="primary" onClick={() => actions.run('sendMore', record)}>
      {t('desk.sendAnother')}
    </Button>
  )
}

const moving = new Set(['ASSIGNED', 'RECEIVED', 'EN_ROUTE', 'ON_SCENE', 'CLEARED'])

/** The assignees of the record, each with a running timeline. */
export const SentPeople = ({ record, actions }: { record: WarnRecordRow; actions: Actions }) => {
  const { t } = useTranslation()
  const { data = [] } = useQuery(inlineQuery(assignments.list, { query: { recordId: record.id } }))
  if (data.length === 0) return null
  const isNobodyGoing = record.open && !data.some(({ state }) => moving.has(state))
  return (
    <section className="desk-section" aria-label={t('desk.sentPeople')}>
      <h3>{t('desk.sentPeople')}</h3>
      <ul className="desk-sents">
        {data.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
      {isNobodyGoing && <Suggest record={record} actions={actions} />}
    </section>
  )
}
