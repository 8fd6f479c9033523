import { field, inDict } from '@tocsin/contract/field'
import { Checkbox, Input, InputNumber, Select, Switch } from 'antd'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DayPicker } from '../dates/DayPicker.tsx'
import { InstantPicker } from '../dates/InstantPicker.tsx'
import { DictCheckboxes, DictRadio } from '../dict/DictCheckboxes.tsx'
import { DictSelect } from '../dict/DictSelect.tsx'
import { controlFor, DictChoice, filterFor } from './schema-controls.tsx'

const text = (length: number) => field(z.string().max(length), '文本', 'Text')
const word = inDict(z.string().max(20), 'system_user_sex')
const of = (schema: z.ZodType, as?: Parameters<typeof controlFor>[1]['as']) => {
  const { type, props } = controlFor(schema, { as }).control
  return { type, props: props as Record<string, unknown> }
}

describe('controlFor', () => {
  it.each([
    ['a short text', text(20), undefined, Input],
    ['a short text on several lines', text(20), 'multiLine', Input.TextArea],
    ['a long text', text(500), undefined, Input.TextArea],
    ['a long text on one line', text(500), 'oneLine', Input],
    ['a number', z.int(), undefined, InputNumber],
    ['yes or no', z.boolean(), undefined, Switch],
    ['yes or no as a box', z.boolean(), 'checkbox', Checkbox],
    ['a day', z.iso.date(), undefined, DayPicker],
    ['an instant', z.date(), undefined, InstantPicker],
    ['words', z.enum(['A', 'B']).nullable(), undefined, Select],
    ['an entry of a dictionary', word, undefined, DictChoice],
    ['an entry of a dictionary in view', word, 'radio', DictRadio],
    ['entries of a dictionary in view', z.array(word), 'checkbox', DictCheckboxes],
  ] as const)('selects the control of %s', (_, schema, as, control) => {
    expect(of(schema, as).type).toBe(control)
  })

  it('allows as many digits after the point as the schema', () => {
    expect(of(z.int().min(0).max(9)).props).toMatchObject({ min: 0, max: 9, precision: 0 })
    expect(of(z.number().multipleOf(0.001)).props).toMatchObject({ precision: 3 })
    expect(of(z.number()).props).not.toHaveProperty('precision')
  })

  it('offers to clear a choice when there may be none', () => {
    expect(of(word).props).not.toHaveProperty('allowClear')
    expect(of(word.nullable()).props).toMatchObject({ allowClear: true })
    expect(of(z.array(word)).props).toMatchObject({ mode: 'multiple' })
  })
})

describe('filterFor', () => {
  it('selects the control of a number, a day and several words', () => {
    expect(filterFor(z.int().optional()).type).toBe(InputNumber)
    expect(filterFor(z.iso.date().optional()).type).toBe(DayPicker)
    expect(filterFor(z.array(z.enum(['A', 'B'])).optional()).props).toMatchObject({ mode: 'multiple' })
    expect(filterFor(word.optional()).type).toBe(DictSelect)
  })
})
