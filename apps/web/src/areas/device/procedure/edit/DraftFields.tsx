import { warnClasses } from '@tocsin/contract/alarm-class'
import { ProcedureDraft, workKinds } from '@tocsin/contract/device/procedure/procedure'
import { labelIn } from '@tocsin/contract/field'
import { placeKinds } from '@tocsin/contract/school/place'
import { formatMinute, MINUTES_PER_DAY } from '@tocsin/contract/security/hours'
import { Form, Input, Select } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { enumLabel, enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { MinutePicker } from '#ui/dates/MinutePicker.tsx'

type Name = 'name' | 'nameEn' | 'class' | 'levels' | 'placeKinds' | 'fromMin' | 'toMin' | 'work'
type Props = { draft: ProcedureDraft; isChecked: boolean; onChange: (change: Partial<ProcedureDraft>) => void }

type ItemProps = { name: Name; label?: string | undefined; error?: string | undefined; children: ReactNode }

const Item = ({ name, label, error, children }: ItemProps) => {
  const lang = useLang()
  return (
    <Form.Item
      label={label ?? labelIn(lang, ProcedureDraft.shape[name])}
      htmlFor={`procedure-${name}`}
      {...(error !== undefined && { validateStatus: 'error', help: error })}
    >
      {children}
    </Form.Item>
  )
}

const ALL_DAY = -1
const HALF_DAY = 12 * 60
const HOUR = 60
const hours = Array.from({ length: MINUTES_PER_DAY / HOUR }, (_, at) => at * HOUR)

/** The hours of a plan: all day, or from one time until another, also over midnight. */
const Hours = ({ draft: { fromMin, toMin }, onChange }: Omit<Props, 'isChecked'>) => {
  const { t } = useTranslation()
  const starts = fromMin === null || hours.includes(fromMin) ? hours : [...hours, fromMin]
  const choose = (value: number) =>
    onChange(
      value === ALL_DAY
        ? { fromMin: null, toMin: null }
        : { fromMin: value, toMin: toMin === null || toMin === value ? (value + HALF_DAY) % MINUTES_PER_DAY : toMin },
    )
  return (
    <>
      <Item name="fromMin" label={fromMin === null ? t('procedure.hours') : undefined}>
        <Select
          id="procedure-fromMin"
          value={fromMin ?? ALL_DAY}
          options={[
            { value: ALL_DAY, label: t('procedure.allDay') },
            ...starts.map((value) => ({ value, label: formatMinute(value) })),
          ]}
          onChange={choose}
        />
      </Item>
      {fromMin !== null && (
        <Item name="toMin">
          <MinutePicker
            id="procedure-toMin"
            {...(toMin !== null && { value: toMin })}
            onChange={(value) => value !== fromMin && onChange({ toMin: value })}
          />
        </Item>
      )}
    </>
  )
}

const ResponseScope = ({ draft, onChange }: Omit<Props, 'isChecked'>) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <>
      <Item name="class">
        <Select
          id="procedure-class"
          value={draft.class}
          options={enumOptions('warnClass', warnClasses, lang)}
          onChange={(of) => onChange({ class: of })}
        />
      </Item>
      <Item name="levels">
        <Select
          id="procedure-levels"
          mode="multiple"
          placeholder={t('procedure.everyLevel')}
          value={draft.levels}
          options={[1, 2, 3, 4].map((value) => ({ value, label: enumLabel('level', value, lang) }))}
          onChange={(levels) => onChange({ levels })}
        />
      </Item>
      <Item name="placeKinds">
        <Select
          id="procedure-placeKinds"
          mode="multiple"
          placeholder={t('procedure.everyPlace')}
          value={draft.placeKinds}
          options={enumOptions('placeKind', placeKinds, lang)}
          onChange={(kinds) => onChange({ placeKinds: kinds })}
        />
      </Item>
      <Hours draft={draft} onChange={onChange} />
    </>
  )
}

/** Name and scope of a procedure. */
export const DraftFields = ({ draft, isChecked, onChange }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const missing = (text: string) => (isChecked && text.trim() === '' ? t('procedure.nameMissing') : undefined)
  return (
    <Form layout="vertical" component="div">
      <div className="procedure-scope">
        <Item name="name" error={missing(draft.name)}>
          <Input
            id="procedure-name"
            maxLength={64}
            value={draft.name}
            onChange={({ target }) => onChange({ name: target.value })}
          />
        </Item>
        <Item name="nameEn" error={missing(draft.nameEn)}>
          <Input
            id="procedure-nameEn"
            maxLength={64}
            value={draft.nameEn}
            onChange={({ target }) => onChange({ nameEn: target.value })}
          />
        </Item>
        {draft.kind === 'RESPONSE' ? (
          <ResponseScope draft={draft} onChange={onChange} />
        ) : (
          <Item name="work">
            <Select
              id="procedure-work"
              value={draft.work}
              options={enumOptions('workKind', workKinds, lang)}
              onChange={(work) => onChange({ work })}
            />
          </Item>
        )}
      </div>
    </Form>
  )
}
