import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { assignments, type Responder, suggestResponder } from '@tocsin/contract/alarm/assignment'
import { useQuery } from '@tanstack/react-query'
import { Alert, Checkbox, Flex, Form, type FormItemProps, Input } from 'antd'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { Field } from '#ui/Field.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { useNumberKeys } from './use-number-keys.ts'

type Rule = NonNullable<FormItemProps['rules']>[number]
type Of = { of: 'dispatch' | 'sendMore' }

const Person = ({ person, at }: { person: Responder; at: number }) => {
  const { t } = useTranslation()
  const { id, name, roleNames, state, busyNo, isHere, missed } = person
  return (
    <Checkbox value={id} disabled={isHere} className="desk-responder">
      <kbd>{at < 9 ? at + 1 : ''}</kbd> <b>{name}</b> <span className="desk-minor">{roleNames}</span>{' '}
      <EnumTag kind="responderState" value={state} /> {missed && <EnumTag kind="assignmentState" value={missed} />}{' '}
      {isHere ? t('desk.sentAlready') : busyNo && <span className="desk-minor">{busyNo}</span>}
    </Checkbox>
  )
}

/**
 * Selects responders: free ones first with the first one preselected, busy ones with their activity, last those who did
 * not answer this alarm. Digit keys select.
 */
const People = ({ list, of }: Of & { list: readonly Responder[] }) => {
  const form = Form.useFormInstance()
  const box = useRef<HTMLDivElement>(null)
  useNumberKeys(box, 'checkbox')
  const first = suggestResponder(list)?.id
  useEffect(() => {
    // A draft may name only somebody who was told by telephone.
    const isUntouched = form.getFieldValue('responderIds') === undefined && !form.getFieldValue('toldName')
    if (first !== undefined && isUntouched) form.setFieldsValue({ responderIds: [first] })
  }, [form, first])
  const group = (
    <Checkbox.Group className="desk-responders">
      {list.map((person, at) => (
        <Person key={person.id} person={person} at={at} />
      ))}
    </Checkbox.Group>
  )
  return (
    <div ref={box}>
      <Field of={warnRecords[of].body} name="responderIds" normalize={emptyToNothing}>
        {group}
      </Field>
    </div>
  )
}

/** Nobody chosen: then somebody was told by telephone. */
const emptyToNothing = (ids: readonly number[] | undefined) => (ids?.length ? ids : undefined)

/** Somebody who is not in the system; `isOnly`: the school has nobody else, and the alarm must continue. */
const Told = ({ of, isOnly }: Of & { isOnly: boolean }) => {
  const { t } = useTranslation()
  const { body } = warnRecords[of]
  const neededWith =
    (other: 'toldName' | 'toldPhone'): Rule =>
    ({ getFieldValue }) => ({ required: isOnly || Boolean(getFieldValue(other)), message: t('desk.toldNeeded') })
  return (
    <Flex gap="small" wrap>
      <Field
        of={body}
        name="toldName"
        required={isOnly}
        dependencies={['toldPhone']}
        rules={[neededWith('toldPhone')]}
        className="desk-told"
      >
        <Input autoComplete="off" />
      </Field>
      <Field
        of={body}
        name="toldPhone"
        required={isOnly}
        dependencies={['toldName']}
        rules={[neededWith('toldName')]}
        className="desk-told"
      >
        <Input type="tel" autoComplete="off" />
      </Field>
    </Flex>
  )
}

const note = <Input.TextArea autoSize={{ minRows: 1, maxRows: 6 }} />

/** The list arrives after the form has opened. The focus moves to it, so that Enter sends and digits select. */
const Choices = ({ list, of }: Of & { list: readonly Responder[] }) => {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const panel = box.current?.closest('.desk-panel')
    if (panel?.contains(document.activeElement))
      box.current?.querySelector<HTMLElement>('input:enabled,textarea')?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={box}>
      {list.length === 0 ? (
        <Alert type="warning" showIcon className="desk-changed" title={t('desk.nobodyToSend')} />
      ) : (
        <People list={list} of={of} />
      )}
      <Told of={of} isOnly={list.length === 0} />
      <Field of={warnRecords[of].body} name="note">
        {note}
      </Field>
    </div>
  )
}

export const ResponderPicker = ({ record, of }: Of & { record: WarnRecordRow }) => {
  const query = useQuery(inlineQuery(assignments.responders, { query: { id: record.id } }))
  return <QueryResult query={query}>{(list) => <Choices list={list} of={of} />}</QueryResult>
}
