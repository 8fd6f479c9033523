import { useQuery } from '@tanstack/react-query'
import {
  LEAD_PERMISSION,
  REOPEN_DAYS,
  resolveDispositions,
  falseDispositions,
  SHELVE_MAX_SEC,
} from '@tocsin/contract/alarm/state-machine'
import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { AutoComplete, Input, Radio, Select } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineErrorText } from '#api/error-display.ts'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel, enumOptions, enumValues } from '#texts/enum-labels.ts'
import { AttachmentInput } from '#ui/attachment/AttachmentInput.tsx'
import { toAttachmentDrafts } from '#ui/attachment/attachment-drafts.ts'
import { Field } from '#ui/Field.tsx'
import { useQueue } from '../queue/use-queue.ts'
import { formatPlace } from '../format-place.ts'
import { mergeTargets } from './merge-targets.ts'
import { needsOverride, type PersonVerb } from './available-actions.ts'
import { ResponderPicker } from './ResponderPicker.tsx'
import { useNumberKeys } from './use-number-keys.ts'
import { formatTime } from '#ui/time.ts'
import { useServerTime } from '#ui/RelativeTime.tsx'

const MAX_MINUTES = SHELVE_MAX_SEC / 60
const minutes = [15, 30, 60, 120, 240, MAX_MINUTES]

/** Durations, each with its end time; the value is that time by the server's clock. */
const ShelveUntil = ({ value, onChange }: { value?: Date; onChange?: (until: Date) => void }) => {
  const { t } = useTranslation()
  const now = useServerTime()
  const [chosen, setChosen] = useState<number>()
  const choose = (n: number) => {
    setChosen(n)
    onChange?.(new Date(now + n * 60_000))
  }
  const text = (n: number) => (n < 60 ? t('desk.minutes', { n }) : t('desk.hours', { n: n / 60 }))
  return (
    <>
      <Radio.Group
        className="desk-until"
        optionType="button"
        value={chosen}
        options={minutes.map((n) => ({ value: n, label: text(n) }))}
        onChange={({ target }) => choose(Number(target.value))}
      />
      {value && <div className="desk-hint">{t('desk.shelvedUntil', { time: formatTime(value) })}</div>}
    </>
  )
}

type Props = { record: WarnRecordRow }

/** Elements, not components: the form item passes its value to the element itself. */
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

const Verify = () => {
  const lang = useLang()
  const list = useRef<HTMLDivElement>(null)
  useNumberKeys(list, 'radio')
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

/** Photos and files as evidence. */
const Evidence = ({ of }: { of: 'note' | 'resolve' | 'close' }) => (
  <Field of={warnRecords[of].body} name="attachments" toSent={toAttachmentDrafts}>
    <AttachmentInput />
  </Field>
)

const upper = (text: string | undefined) => text?.toUpperCase()

const Cause = ({ of }: { of: 'resolve' | 'false' }) => {
  const lang = useLang()
  const options = enumValues('cause').map((value) => ({ value, label: `${enumLabel('cause', value, lang)}  ${value}` }))
  const input = (
    <AutoComplete
      allowClear
      options={options}
      showSearch={{ filterOption: (typed, value) => (value?.label ?? '').toUpperCase().includes(typed.toUpperCase()) }}
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
      <Evidence of="resolve" />
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
  // A room may have two open records: its name alone would not distinguish them.
  const named = (row: WarnRecordRow) => `${row.no}  ${formatPlace(row)} · ${enumLabel('alarmCode', row.code, lang)}`
  const options = mergeTargets(record, list).map((mergeTarget) => ({
    value: mergeTarget.id,
    label: named(mergeTarget),
  }))
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
  // "No data" is true only for a loaded list.
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

/** The fields of a verb, with labels, limits and required marks from its contract. */
export const Fields = ({ verb, record }: Props & { verb: PersonVerb }) => {
  switch (verb) {
    case 'verify':
      return <Verify />
    case 'dispatch':
    case 'sendMore':
      return <ResponderPicker record={record} of={verb} />
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
        <>
          <Field of={warnRecords[verb].body} name="note">
            {longText}
          </Field>
          <Evidence of={verb} />
        </>
      )
    default:
      return null
  }
}
