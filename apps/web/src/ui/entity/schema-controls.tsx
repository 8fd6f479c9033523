import { dictTypeOf, unwrap, labelKindOf } from '@tocsin/contract/field'
import { Checkbox, Input, InputNumber, Radio, type RadioGroupProps, Select, Skeleton, Switch } from 'antd'
import { type ComponentProps, type ReactElement, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { type EnumKind, enumOptions, hasEnumKind } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { isRequired } from '../form.ts'
import { StatusSelect, StatusTag } from '../cell/Status.tsx'
import { YesNoText } from '../cell/YesNoText.tsx'
import { DayPicker } from '../dates/DayPicker.tsx'
import { InstantPicker } from '../dates/InstantPicker.tsx'
import { DictCheckboxes, DictRadio } from '../dict/DictCheckboxes.tsx'
import { DictSelect } from '../dict/DictSelect.tsx'
import { DictTag } from '../dict/DictTag.tsx'
import { EnumLabel } from '../EnumTag.tsx'
import { EnumTags } from '../EnumTags.tsx'
import { EnumSelect, YesNo } from '../list/filters.tsx'
import { LongText } from '../LongText.tsx'
import { lazyComponent } from '../lazy/lazy-component.tsx'
import type { RichTextProps } from './RichTextControl.tsx'

/** A text of this length or more is written on several lines. */
const MULTI_LINE = 200

/** So many words are all in view. */
const FEW = 3

const coreOf = (schema: z.ZodType): z.ZodType => {
  const inner = unwrap(schema)
  return inner ? coreOf(inner) : schema
}

type Core = {
  def: {
    type: string
    format?: string
    element?: z.ZodType
    entries?: Record<string, string>
    checks?: readonly { _zod: { def: { check: string; value?: number } } }[]
  }
  isInt?: boolean
  maxLength?: number | null
  minValue?: number | null
  maxValue?: number | null
}
// The classes of zod have these; which one a schema is, its `def.type` says.
const describe = (schema: z.ZodType): Core => coreOf(schema) as unknown as Core

const isMultiLine = ({ maxLength }: Core): boolean => (maxLength ?? 0) >= MULTI_LINE

const enumKind = (schema: z.ZodType): EnumKind | undefined => {
  const kind = labelKindOf(schema)
  return kind !== undefined && hasEnumKind(kind) ? kind : undefined
}

const wordsOf = ({ def }: Core): string[] =>
  Object.values((def.element ? describe(def.element).def.entries : def.entries) ?? {})

type EnumProps = Omit<ComponentProps<typeof Select>, 'options'> & { kind: EnumKind; values: readonly string[] }

const EnumChoice = ({ kind, values, ...rest }: EnumProps) => (
  <Select options={enumOptions(kind, values, useLang())} {...rest} />
)

const EnumRadio = ({ kind, values, ...rest }: RadioGroupProps & { kind: EnumKind; values: readonly string[] }) => (
  <Radio.Group options={enumOptions(kind, values, useLang())} {...rest} />
)

const bounds = ({ minValue, maxValue }: Core) => ({
  ...(Number.isSafeInteger(minValue) && minValue !== Number.MIN_SAFE_INTEGER && { min: Number(minValue) }),
  ...(Number.isSafeInteger(maxValue) && maxValue !== Number.MAX_SAFE_INTEGER && { max: Number(maxValue) }),
})

/** Digits after the point; undefined for any number of them. */
const decimalsOf = ({ def: { checks = [] }, isInt }: Core): number | undefined => {
  if (isInt) return 0
  const step = checks.find(({ _zod }) => _zod.def.check === 'multiple_of')?._zod.def.value
  // A small step is printed with an exponent otherwise.
  return step?.toFixed(10).replace(/0+$/, '').split('.')[1]?.length
}

const isClearable = (schema: z.ZodType): boolean => schema.safeParse(null).success

/** Another control than the usual one of a schema. */
export type ControlKind = 'radio' | 'checkbox' | 'oneLine' | 'multiLine' | 'richText'
export type ControlProps = {
  disabled?: boolean
  autoFocus?: boolean
  placeholder?: string
  as?: ControlKind | undefined
}
/** A control, and the property of it that holds the value where that is not `value`. */
export type Control = { control: ReactElement; valuePropName?: string }

/** The sanitizer of its HTML is loaded with the first text that is one. */
const RichTextControl = lazyComponent<RichTextProps>(
  async () => (await import('./RichTextControl.tsx')).RichTextControl,
  { before: <Skeleton active /> },
)

/** In a form, nothing chosen does not mean all. */
export const DictChoice = (props: ComponentProps<typeof DictSelect>) => (
  <DictSelect placeholder={useTranslation().t('list.choose')} {...props} />
)

const wordsControl = (schema: z.ZodType, core: Core, { as, ...given }: ControlProps): ReactElement => {
  const kind = enumKind(schema)
  const values = wordsOf(core)
  const options = values.map((value) => ({ value, label: value }))
  const clear = isClearable(schema) && { allowClear: true }
  const { placeholder: _placeholder, ...plain } = given
  if (kind && (as === 'radio' || (isRequired(schema) && values.length <= FEW)))
    return <EnumRadio kind={kind} values={values} {...plain} />
  if (as === 'radio') return <Radio.Group options={options} {...plain} />
  if (kind) return <EnumChoice kind={kind} values={values} {...clear} {...given} />
  return <Select options={options} {...clear} {...given} />
}

const dictControl = (type: string, schema: z.ZodType, { as, autoFocus, ...given }: ControlProps): ReactElement => {
  const disabled = given.disabled ?? false
  if (as === 'radio') return <DictRadio type={type} disabled={disabled} />
  if (as === 'checkbox') return <DictCheckboxes type={type} disabled={disabled} />
  const several = describe(schema).def.type === 'array' && { mode: 'multiple' as const }
  const first = autoFocus !== undefined && { autoFocus }
  return (
    <DictChoice type={type} {...several} {...(isClearable(schema) && { allowClear: true })} {...first} {...given} />
  )
}

/** The control of a form that a schema asks for. */
export const controlFor = (schema: z.ZodType, { as, ...given }: ControlProps): Control => {
  const core = describe(schema)
  const kind = enumKind(schema)
  const dict = dictTypeOf(schema)
  if (dict !== undefined) return { control: dictControl(dict, schema, { as, ...given }) }
  switch (core.def.type) {
    case 'boolean': {
      const { placeholder: _placeholder, ...plain } = given
      return { control: as === 'checkbox' ? <Checkbox {...plain} /> : <Switch {...plain} />, valuePropName: 'checked' }
    }
    case 'number': {
      const decimals = decimalsOf(core)
      const precision = decimals !== undefined && { precision: decimals }
      return { control: <InputNumber {...bounds(core)} {...precision} style={{ width: '100%' }} {...given} /> }
    }
    case 'date':
      return { control: <InstantPicker /> }
    case 'array':
      return kind
        ? { control: <EnumSelect kind={kind} values={wordsOf(core)} {...given} /> }
        : { control: <Select mode="tags" tokenSeparators={[',', '，']} {...given} /> }
    case 'enum':
      return { control: wordsControl(schema, core, { as, ...given }) }
    default:
      if (core.def.format === 'date') return { control: <DayPicker /> }
      if (as === 'richText') return { control: <RichTextControl of={schema} disabled={given.disabled ?? false} /> }
      return textControl(core, { as, ...given })
  }
}

const textControl = (core: Core, { as, ...given }: ControlProps): Control => {
  const limit = core.maxLength ? { maxLength: core.maxLength } : {}
  return as === 'multiLine' || (as !== 'oneLine' && isMultiLine(core))
    ? { control: <Input.TextArea {...limit} showCount autoSize={{ minRows: 2 }} {...given} /> }
    : { control: <Input {...limit} {...given} /> }
}

const filterWords = (schema: z.ZodType, core: Core): ReactElement => {
  const kind = enumKind(schema)
  const values = wordsOf(core)
  const several = core.def.type === 'array'
  if (kind && several) return <EnumSelect kind={kind} values={values} />
  if (kind) return <EnumChoice kind={kind} values={values} allowClear />
  const options = values.map((value) => ({ value, label: value }))
  return <Select allowClear {...(several && { mode: 'multiple' as const })} options={options} />
}

/** The control of a filter; none chosen means all. */
export const filterFor = (schema: z.ZodType): ReactElement => {
  const core = describe(schema)
  const { type, format } = core.def
  const dict = dictTypeOf(schema)
  if (labelKindOf(schema) === 'enabled') return <StatusSelect allowClear />
  if (dict !== undefined) return <DictSelect type={dict} allowClear {...(type === 'array' && { mode: 'multiple' })} />
  if (type === 'boolean') return <YesNo />
  if (wordsOf(core).length > 0) return filterWords(schema, core)
  if (type === 'date') return <InstantPicker />
  if (format === 'date') return <DayPicker />
  if (type === 'number') return <InputNumber {...bounds(core)} style={{ width: '100%' }} />
  return <Input allowClear {...(core.maxLength && { maxLength: core.maxLength })} />
}

/** How a value is shown in a list; undefined: as any other column. */
export const cellFor = (
  schema: z.ZodType,
  draft: z.ZodType | undefined,
): ((value: unknown) => ReactNode) | undefined => {
  const core = describe(schema)
  const kind = enumKind(schema)
  if (labelKindOf(schema) === 'enabled') return (value) => <StatusTag enabled={value === true} />
  const dict = dictTypeOf(schema)
  if (dict !== undefined) return (value) => <DictTag type={dict} value={value as string | readonly string[] | null} />
  if (kind && core.def.type === 'array') return (value) => <EnumTags kind={kind} values={value as string[]} />
  if (kind) return (value) => <EnumLabel kind={kind} value={value as string | null} />
  if (core.def.type === 'boolean') return (value) => <YesNoText yes={value as boolean | null} />
  if (draft && core.def.type === 'string' && isMultiLine(describe(draft)))
    return (value) => <LongText text={value as string | null} />
  // All values of one column with the same number of digits.
  const decimals = draft && core.def.type === 'number' ? decimalsOf(describe(draft)) : undefined
  if (decimals) return (value) => (typeof value === 'number' ? value.toFixed(decimals) : '–')
  return undefined
}

/** A number that is compared with those above and below. */
export const isFigure = (name: string, schema: z.ZodType): boolean =>
  describe(schema).def.type === 'number' && !/(?:^i|I)d$/.test(name)
