import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { field, pattern } from './field.ts'
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

  it('include the length of a text and of a list', () => {
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

  it('name the list, the row and the column of a value inside of a list', () => {
    const mv = field(z.number(), '毫伏', 'Millivolts')
    const model = z.strictObject({
      batteryCurve: field(z.array(z.strictObject({ mv, pct: z.number() })), '电池曲线', 'Battery curve'),
      codes: field(z.array(z.string().min(1)), '报警代码', 'Alarm codes'),
    })
    const given = { batteryCurve: [{ mv: 3000, pct: 1 }, {}], codes: ['PANIC', ''] }
    const { error } = z.safeDecode(model, given as never, { reportInput: true })
    const errors = fieldErrors(model, error?.issues ?? [])
    expect(errors.map((item) => [item.field, issueText(item, 'zh-cn'), issueText(item, 'en')])).toEqual([
      ['batteryCurve.1.mv', '电池曲线第 2 行毫伏不能为空', 'Battery curve, row 2, Millivolts: this is required'],
      ['batteryCurve.1.pct', '电池曲线第 2 行 pct 不能为空', 'Battery curve, row 2, pct: this is required'],
      ['codes.1', '报警代码第 2 项不能为空', 'Alarm codes, item 2: this is required'],
    ])
  })

  it('say what the format asks for, with an example', () => {
    const key = z.string().regex(pattern(/^[A-Z]{3}$/, '3 个大写字母，例如 ABC', '3 capital letters, such as ABC'))
    const coded = z.strictObject({ key: field(key.nullable(), '标识', 'Key'), day: field(z.iso.date(), '日期', 'Day') })
    const errors = fieldErrors(coded, z.safeDecode(coded, { key: 'x', day: '30.11.' }).error?.issues ?? [])
    expect(errors.map((item) => [issueText(item, 'zh-cn'), issueText(item, 'en')])).toEqual([
      ['标识应为 3 个大写字母，例如 ABC', 'Key: enter 3 capital letters, such as ABC'],
      ['日期应为日期，例如 2026-11-30', 'Day: enter a date such as 2026-11-30'],
    ])
  })

  it.each([
    ['tooBig', '2026-11-30 08:00', '窗口结束不能晚于 2026-11-30 08:00', 'Window end may not be after 2026-11-30 08:00'],
    ['tooSmall', '2026-11-30 08:00', '窗口结束应晚于 2026-11-30 08:00', 'Window end must be after 2026-11-30 08:00'],
    ['tooSmall', '2026-11-30', '窗口结束不能早于 2026-11-30', 'Window end may not be before 2026-11-30'],
    ['tooSmall', 3, '窗口结束不能小于 3', 'Window end may not be less than 3'],
  ] as const)('compare a date in the words of dates: %s %s', (rule, bound, zh, en) => {
    const error = { field: 'windowTo', rule, bound, label: { title: '窗口结束', titleEn: 'Window end' } }
    expect([issueText(error, 'zh-cn'), issueText(error, 'en')]).toEqual([zh, en])
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
