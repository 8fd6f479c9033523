import { useQuery } from '@tanstack/react-query'
import {
  LEAD_PERMISSION,
  REOPEN_DAYS,
  resolveDispositions,
  falseDispositions,
} from '@tocsin/contract/alarm/state-machine'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { AutoComplete, Input, Radio, Select } from 'antd'
import { type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineErrorText } from '#api/error-display.ts'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel, enumOptions, enumValues } from '#texts/enum-labels.ts'
import { Field } from '#ui/Field.tsx'
import { useQueue } from '../queue/use-queue.ts'
import { formatPlace } from '../format-place.ts'
import { mergeTargets } from './merge-targets.ts'
import { needsOverride, type PersonVerb } from './available-actions.ts'
import { ShelveUntil } from './ShelveUntil.tsx'

type Props = { record: WarnRecordRow }

/** Elements, not components: the form item hands its value to the element itself. */
const longText = <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} />

const Reason = ({ of }: { of: 'escalate' | 'returned' | 'refuseFalse' | 'reject' | 'reopen' }) => (
  <Field of={warnRecords[of].body} name="reason">
    {longText}
  </Field>
)

const Reopen = () => {
  const { t } = useTranslation()
  return (
    <>
      <p className="desk-hint">{t('desk.reopenHint', { n: REOPEN_DAYS })}</p>
      <Reason of="reopen" />
    </>
  )
}

const isTextInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'radio')

/** Selects a verification by keys 1 (worst) to 5, except while the user is typing. */
const useVerificationKeys = (list: RefObject<HTMLDivElement | null>) => {
  useEffect(() => {
    const select = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTextInput(event.target)) return
      const radio = list.current?.querySelectorAll<HTMLInputElement>('input[type=radio]')[Number(event.key) - 1]
      if (!radio) return
      event.preventDefault()
      radio.click()
      radio.focus()
    }
    document.addEventListener('keydown', select)
    return () => document.removeEventListener('keydown', select)
  }, [list])
}

const Verify = () => {
  const lang = useLang()
  const list = useRef<HTMLDivElement>(null)
  useVerificationKeys(list)
  const { body } = warnRecords.verify
  return (
    <div ref={list}>
      <Field of={body} name="validation">
        <Radio.Group
          className="desk-radios"
          options={enumValues('validation')
            .toReversed()
            .map((level, i) => ({ value: Number(level), label: `${i + 1} ${enumLabel('validation', level, lang)}` }))}
        />
      </Field>
      <Field of={body} name="note">
        {longText}
      </Field>
    </div>
  )
}

const Dispatch = () => {
  const { body } = warnRecords.dispatch
  return (
    <>
      <Field of={body} name="guards">
        <Input />
      </Field>
      <Field of={body} name="note">
        {longText}
      </Field>
    </>
  )
}

const upper = (text: string | undefined) => text?.toUpperCase()

const Cause = ({ of }: { of: 'resolve' | 'false' }) => {
  const lang = useLang()
  const options = enumValues('cause').map((value) => ({ value, label: `${enumLabel('cause', value, lang)}  ${value}` }))
  const input = (
    <AutoComplete
      allowClear
      options={options}
      showSearch={{ filterOption: (typed, one) => (one?.label ?? '').toUpperCase().includes(typed.toUpperCase()) }}
    />
  )
  return of === 'resolve' ? (
    <Field of={warnRecords.resolve.body} name="causeCode" normalize={upper}>
      {input}
    </Field>
  ) : (
    <Field of={warnRecords.false.body} name="causeCode" normalize={upper}>
      {input}
    </Field>
  )
}

const Resolve = ({ record }: Props) => {
  const lang = useLang()
  const { t } = useTranslation()
  const lead = useHasPermission(LEAD_PERMISSION)
  const { body } = warnRecords.resolve
  return (
    <>
      <Field of={body} name="disposition">
        <Radio.Group className="desk-radios" options={enumOptions('disposition', resolveDispositions, lang)} />
      </Field>
      <Cause of="resolve" />
      <Field of={body} name="note">
        {longText}
      </Field>
      {needsOverride(record) && lead && (
        <Field
          of={body}
          name="overrideReason"
          required
          extra={t('desk.overrideHint')}
          rules={[{ required: true, whitespace: true, message: t('desk.overrideHint') }]}
        >
          {longText}
        </Field>
      )}
    </>
  )
}

const MarkFalse = ({ record }: Props) => {
  const lang = useLang()
  const { t } = useTranslation()
  const { body } = warnRecords.false
  return (
    <>
      {record.level <= 2 && <p className="desk-hint">{t('desk.falseHint')}</p>}
      <Field of={body} name="disposition">
        <Radio.Group className="desk-radios" options={enumOptions('disposition', falseDispositions, lang)} />
      </Field>
      <Cause of="false" />
      <Field of={body} name="note">
        {longText}
      </Field>
    </>
  )
}

const Merge = ({ record }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const list = useQueue().data?.list ?? []
  // One room may have called for two things: its name alone would not tell them apart.
  const named = (one: WarnRecordRow) => `${one.no}  ${formatPlace(one)} · ${enumLabel('alarmCode', one.code, lang)}`
  const options = mergeTargets(record, list).map((one) => ({ value: one.id, label: named(one) }))
  return (
    <Field of={warnRecords.merge.body} name="intoId">
      <Select showSearch={{ optionFilterProp: 'label' }} options={options} placeholder={t('list.choose')} />
    </Field>
  )
}

const Reassign = ({ record }: Props) => {
  const { t } = useTranslation()
  const { body } = warnRecords.reassign
  const lang = useLang()
  const { data, error, isPending } = useQuery(inlineQuery(warnRecords.assignees, { query: { id: record.id } }))
  // "No data" is true only of a list that was read.
  const unknown = error ? inlineErrorText(error, lang) : t('shell.loading')
  const options = data?.filter(({ id }) => id !== record.ownerId).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <Field of={body} name="userId">
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          loading={isPending}
          options={options ?? []}
          {...(!data && { notFoundContent: unknown })}
          placeholder={t('list.choose')}
        />
      </Field>
      <Field of={body} name="reason">
        {longText}
      </Field>
    </>
  )
}

const Shelve = () => {
  const { body } = warnRecords.shelve
  return (
    <>
      <Field of={body} name="until">
        <ShelveUntil />
      </Field>
      <Field of={body} name="reason">
        {longText}
      </Field>
    </>
  )
}

/** The questions a verb asks, with labels, limits and requiredness from its contract. */
export const Fields = ({ verb, record }: Props & { verb: PersonVerb }) => {
  switch (verb) {
    case 'verify':
      return <Verify />
    case 'dispatch':
      return <Dispatch />
    case 'escalate':
    case 'returned':
    case 'refuseFalse':
    case 'reject':
      return <Reason of={verb} />
    case 'reopen':
      return <Reopen />
    case 'resolve':
      return <Resolve record={record} />
    case 'false':
      return <MarkFalse record={record} />
    case 'merge':
      return <Merge record={record} />
    case 'reassign':
      return <Reassign record={record} />
    case 'shelve':
      return <Shelve />
    case 'note':
    case 'close':
      return (
        <Field of={warnRecords[verb].body} name="note">
          {longText}
        </Field>
      )
    default:
      return null
  }
}
