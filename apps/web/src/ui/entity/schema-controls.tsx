import { unwrap, labelKindOf } from '@tocsin/contract/field'
import { Input, InputNumber, Radio, type RadioGroupProps, Select, Switch } from 'antd'
import { type ComponentProps, type ReactElement, type ReactNode } from 'react'
import type { z } from 'zod'
import { type EnumKind, enumOptions, hasEnumKind } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { isRequired } from '../form.ts'
import { StatusSelect, StatusTag } from '../cell/Status.tsx'
import { YesNoText } from '../cell/YesNoText.tsx'
import { DayPicker } from '../dates/DayPicker.tsx'
import { InstantPicker } from '../dates/InstantPicker.tsx'
import { EnumLabel } from '../EnumTag.tsx'
import { EnumTags } from '../EnumTags.tsx'
import { EnumSelect, YesNo } from '../list/filters.tsx'
import { LongText } from '../LongText.tsx'

/** A text of this length or more is written on several lines. */
const MULTI_LINE = 200

/** So many words are all in view. */
const FEW = 3

const coreOf = (schema: z.ZodType): z.ZodType => {
  const inner = unwrap(schema)
  return inner ? coreOf(inner) : schema
}

type Core = {
  def: { type: string; format?: string; element?: z.ZodType; entries?: Record<string, string> }
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

export type ControlProps = { disabled?: boolean; autoFocus?: boolean }
/** A control, and the property of it that holds the value where that is not `value`. */
export type Control = { control: ReactElement; valuePropName?: string }

/** The control of a form that a schema asks for. */
export const controlFor = (schema: z.ZodType, given: ControlProps): Control => {
  const core = describe(schema)
  const kind = enumKind(schema)
  switch (core.def.type) {
    case 'boolean':
      return { control: <Switch {...given} />, valuePropName: 'checked' }
    case 'number':
      return { control: <InputNumber {...bounds(core)} precision={0} style={{ width: '100%' }} {...given} /> }
    case 'date':
      return { control: <InstantPicker /> }
    case 'array':
      return kind
        ? { control: <EnumSelect kind={kind} values={wordsOf(core)} {...given} /> }
        : { control: <Select mode="tags" tokenSeparators={[',', '，']} {...given} /> }
    case 'enum':
      if (kind && isRequired(schema) && wordsOf(core).length <= FEW)
        return { control: <EnumRadio kind={kind} values={wordsOf(core)} {...given} /> }
      return kind
        ? { control: <EnumChoice kind={kind} values={wordsOf(core)} {...given} /> }
        : { control: <Select options={wordsOf(core).map((value) => ({ value, label: value }))} {...given} /> }
    default:
      if (core.def.format === 'date') return { control: <DayPicker /> }
      return textControl(core, given)
  }
}

const textControl = (core: Core, given: ControlProps): Control => {
  const limit = core.maxLength ? { maxLength: core.maxLength } : {}
  return isMultiLine(core)
    ? { control: <Input.TextArea {...limit} showCount autoSize={{ minRows: 2 }} {...given} /> }
    : { control: <Input {...limit} {...given} /> }
}

/** The control of a filter; none chosen means all. */
export const filterFor = (schema: z.ZodType): ReactElement => {
  const core = describe(schema)
  const kind = enumKind(schema)
  if (labelKindOf(schema) === 'enabled') return <StatusSelect allowClear />
  if (core.def.type === 'boolean') return <YesNo />
  if (core.def.type === 'array' && kind) return <EnumSelect kind={kind} values={wordsOf(core)} />
  if (core.def.type === 'enum' && kind) return <EnumChoice kind={kind} values={wordsOf(core)} allowClear />
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
  if (kind && core.def.type === 'array') return (value) => <EnumTags kind={kind} values={value as string[]} />
  if (kind) return (value) => <EnumLabel kind={kind} value={value as string | null} />
  if (core.def.type === 'boolean') return (value) => <YesNoText yes={value as boolean | null} />
  if (draft && core.def.type === 'string' && isMultiLine(describe(draft)))
    return (value) => <LongText text={value as string | null} />
  return undefined
}

/** A number that is compared with those above and below. */
export const isFigure = (name: string, schema: z.ZodType): boolean =>
  describe(schema).def.type === 'number' && !/(?:^i|I)d$/.test(name)
