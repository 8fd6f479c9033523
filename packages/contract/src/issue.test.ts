import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { field } from './field.ts'
import { fieldErrors } from './issue.ts'

const schema = z.strictObject({ name: field(z.string(), '名称', 'Name') })
// Bad input is no input of the schema.
const refused = (given: unknown) =>
  fieldErrors(schema, z.safeDecode(schema, given as never, { reportInput: true }).error?.issues ?? [])

describe('the fields an answer names as refused', () => {
  it('carry their labels', () => {
    expect(refused({ name: 7 })).toEqual([
      { field: 'name', rule: 'type', label: { title: '名称', titleEn: 'Name' }, message: '名称格式不正确' },
    ])
  })

  it('are the whole input where that is missing', () => {
    expect(refused(null)).toEqual([{ field: '', rule: 'required', message: '该项为必填项' }])
  })

  it('say how fine a number may be', () => {
    const price = z.strictObject({ price: field(z.number().multipleOf(0.01), '价格', 'Price') })
    const { error } = z.safeDecode(price, { price: 0.015 }, { reportInput: true })
    expect(fieldErrors(price, error?.issues ?? [])).toMatchObject([{ rule: 'step', message: '价格必须是 0.01 的倍数' }])
  })

  it.each(['toString', 'constructor', 'hasOwnProperty', 'valueOf'])('may be called %s by a caller', (name) => {
    expect(refused({ name: 'x', [name]: 1 })).toEqual([
      { field: name, rule: 'unknown', message: `不支持的参数：${name}` },
    ])
  })
})
