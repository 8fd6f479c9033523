import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { field } from './field.ts'
import { fieldErrors, issueText } from './issue.ts'

const schema = z.strictObject({ name: field(z.string(), '名称', 'Name') })
// Wraps bad input, so that it differs from the schema's input.
const refused = (given: unknown) =>
  fieldErrors(schema, z.safeDecode(schema, given as never, { reportInput: true }).error?.issues ?? [])

describe('the rejected fields of a response', () => {
  it('have their labels', () => {
    expect(refused({ name: 7 })).toEqual([
      { field: 'name', rule: 'type', label: { title: '名称', titleEn: 'Name' }, message: '名称格式不正确' },
    ])
  })

  it('are the whole input when it is missing', () => {
    expect(refused(null)).toEqual([{ field: '', rule: 'required', message: '该项为必填项' }])
  })

  it('name the allowed decimal digits of a number', () => {
    const price = z.strictObject({ price: field(z.number().multipleOf(0.01), '价格', 'Price') })
    const { error } = z.safeDecode(price, { price: 0.015 }, { reportInput: true })
    expect(fieldErrors(price, error?.issues ?? [])).toMatchObject([{ rule: 'step', message: '价格必须是 0.01 的倍数' }])
  })

  it('count the characters of a text and the entries of a list', () => {
    const sized = z.strictObject({
      note: field(z.string().min(2).max(4), '说明', 'Note'),
      rooms: field(z.array(z.string()).min(2).max(4), '房间', 'Rooms'),
    })
    const said = (note: string, rooms: string[]) => {
      const errors = fieldErrors(sized, z.safeDecode(sized, { note, rooms }).error?.issues ?? [])
      return errors.map((error) => [issueText(error, 'zh-cn'), issueText(error, 'en')])
    }
    expect(said('一', ['a'])).toEqual([
      ['说明不能少于 2 个字符', 'Note: at least 2 characters'],
      ['房间不能少于 2 个', 'Rooms: at least 2'],
    ])
    expect(said('一二三四五', [...'abcde'])).toEqual([
      ['说明不能超过 4 个字符', 'Note may have at most 4 characters'],
      ['房间不能超过 4 个', 'Rooms may have at most 4'],
    ])
  })

  it.each(['toString', 'constructor', 'hasOwnProperty', 'valueOf'])(
    'may have any name that a caller chooses: %s',
    (name) => {
      expect(refused({ name: 'x', [name]: 1 })).toEqual([
        { field: name, rule: 'unknown', message: `不支持的参数：${name}` },
      ])
    },
  )
})
