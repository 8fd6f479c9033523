import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { assignments, type Responder, suggestResponder } from '@tocsin/contract/alarm/assignment'
import { useQuery } from '@tanstack/react-query'
import { Alert, Checkbox, Form, Input } from 'antd'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { Field } from '#ui/Field.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { useNumberKeys } from './use-number-keys.ts'

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
const People = ({ list, of }: { list: readonly Responder[]; of: 'dispatch' | 'sendMore' }) => {
  const form = Form.useFormInstance()
  const box = useRef<HTMLDivElement>(null)
  useNumberKeys(box, 'checkbox')
  const first = suggestResponder(list)?.id
  useEffect(() => {
    if (first !== undefined && form.getFieldValue('responderIds') === undefined)
      form.setFieldsValue({ responderIds: [first] })
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
      {of === 'dispatch' ? (
        <Field of={warnRecords.dispatch.body} name="responderIds" required>
          {group}
        </Field>
      ) : (
        <Field of={warnRecords.sendMore.body} name="responderIds">
          {group}
        </Field>
      )}
    </div>
  )
}

/** For a school without responders: records who was called by telephone, so that the alarm can continue. */
const Nobody = () => {
  const { t } = useTranslation()
  return (
    <>
      <Alert type="warning" showIcon className="desk-changed" title={t('desk.nobodyToSend')} />
      <Field of={warnRecords.dispatch.body} name="guards" required>
        <Input />
      </Field>
    </>
  )
}

const note = <Input.TextArea autoSize={{ minRows: 1, maxRows: 6 }} />

/** The list arrives after the form has opened. The focus moves to it, so that Enter sends and digits select. */
const Choices = ({ list, of }: { list: readonly Responder[]; of: 'dispatch' | 'sendMore' }) => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const panel = box.current?.closest('.desk-panel')
    if (panel?.contains(document.activeElement))
      box.current?.querySelector<HTMLElement>('input:enabled,textarea')?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={box}>
      {list.length === 0 ? <Nobody /> : <People list={list} of={of} />}
      <Field of={warnRecords[of].body} name="note">
        {note}
      </Field>
    </div>
  )
}

export const ResponderPicker = ({ record, of }: { record: WarnRecordRow; of: 'dispatch' | 'sendMore' }) => {
  const query = useQuery(inlineQuery(assignments.responders, { query: { id: record.id } }))
  return <QueryResult query={query}>{(list) => <Choices list={list} of={of} />}</QueryResult>
}
