import { labelIn } from '@tocsin/contract/field'
import { DatePicker, Form, Select, type SelectProps } from 'antd'
import type { Dayjs } from 'dayjs'
import { createContext, type ReactNode, use } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { serverNow } from '#api/server-clock.ts'
import { useLang } from '#texts/i18n.ts'
import { type EnumKind, enumOptions } from '#texts/enum-labels.ts'
import { useTimePickerProps } from '../dates/use-time-picker-props.tsx'
import { fromWallClock, toWallClock } from '../dates/wall-clock.ts'

type FilterProps<S extends z.ZodObject> = { of: S; name: keyof S['shape'] & string; children: ReactNode }

type SurroundingForm = {
  /** The prefix of its field ids. */
  name: string
  /** The filters that have a value. */
  active: readonly string[]
}

export const FilterForm = createContext<SurroundingForm>({ name: '', active: [] })

/**
 * One filter with its label inside, named by the contract's query. antd's Form.Item would measure the window for its columns and reserve
 * room for errors, which a filter does not have.
 */
export const Filter = <S extends z.ZodObject>({ of, name, children }: FilterProps<S>) => {
  const lang = useLang()
  const form = use(FilterForm)
  return (
    <div className="filter" data-active={form.active.includes(name)}>
      {/* See ui/form.ts fieldIssues for the type. */}
      <label htmlFor={`${form.name}_${name}`}>{labelIn(lang, of.shape[name] as z.ZodType)}</label>
      <Form.Item name={String(name)} noStyle>
        {children}
      </Form.Item>
    </div>
  )
}

type WordsProps = { kind: EnumKind; values: readonly string[] } & SelectProps

/** Several values of an enum; none chosen means all. */
export const EnumSelect = ({ kind, values, ...rest }: WordsProps) => {
  const lang = useLang()
  const { t } = useTranslation()
  return (
    <Select
      mode="multiple"
      allowClear
      maxTagCount="responsive"
      placeholder={t('list.all')}
      options={enumOptions(kind, values, lang)}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}

export const YesNo = (rest: SelectProps<boolean, { value: boolean; label: string }>) => {
  const { t } = useTranslation()
  const options = [
    { value: true, label: t('list.yes') },
    { value: false, label: t('list.no') },
  ]
  return (
    <Select<boolean, { value: boolean; label: string }>
      allowClear
      placeholder={t('list.all')}
      options={options}
      {...rest}
    />
  )
}

type PeriodValue = { from?: Date | undefined; to?: Date | undefined }
type PeriodProps = { value?: PeriodValue; onChange?: (value: PeriodValue) => void; id?: string }

const days = (n: number): [Dayjs, Dayjs] => {
  const now = toWallClock(serverNow())
  return [now.subtract(n, 'day').startOf('day'), now.endOf('day')]
}

const instant = (wall: Dayjs | null | undefined, passing: 'first' | 'last') =>
  wall ? fromWallClock(wall, passing) : undefined

const PeriodPicker = ({ value, onChange, id }: PeriodProps) => {
  const { t } = useTranslation()
  const times = useTimePickerProps()
  return (
    <DatePicker.RangePicker
      {...(id && { id })}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      {...times}
      allowEmpty={[true, true]}
      presets={[1, 7, 30, 91].map((n) => ({
        label: n === 1 ? t('list.today') : t('list.lastDays', { n }),
        // Evaluated when chosen: a console stays open over midnight.
        value: () => days(n - 1),
      }))}
      value={[value?.from ? toWallClock(value.from) : null, value?.to ? toWallClock(value.to) : null]}
      onChange={(range) => onChange?.({ from: instant(range?.[0], 'first'), to: instant(range?.[1], 'last') })}
      style={{ width: '100%' }}
    />
  )
}

/** The filters `from` and `to` as one range. */
export const DateRangeFilter = ({ label, hint }: { label: string; hint: string }) => {
  const form = use(FilterForm)
  return (
    <div className="filter wide-filter" data-active={form.active.includes('period')} title={hint}>
      <label htmlFor={`${form.name}_period`}>{label}</label>
      <Form.Item name="period" noStyle>
        <PeriodPicker />
      </Form.Item>
    </div>
  )
}

/** A form holds a period, the query its two ends. */
export const toFormValues = ({ from, to, ...rest }: Record<string, unknown>) => ({ ...rest, period: { from, to } })
export const fromFormValues = ({ period, ...rest }: Record<string, unknown>) => ({
  ...rest,
  ...(period as PeriodValue),
})
