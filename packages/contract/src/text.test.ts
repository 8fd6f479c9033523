import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldErrors } from './issue.ts'
import { field } from './field.ts'
import { z } from 'zod'
import { findUnseen, foldName, normalizeCode, normalizePhone, normalizeText, trimText } from './text.ts'
import { nameText } from './text-fields.ts'
import { MobileOrMask } from './access/user-contact.ts'

const FAMILY = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'
const ENGLAND = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'

describe('normalizeText', () => {
  it.each([
    ['YJ20260001\u0020', 'YJ20260001'],
    ['\u3000\u00A0\u200B张三\uFEFF\u202C\n', '张三'],
    ['e\u0301', '\u00E9'],
    ['a  b', 'a  b'],
    ['\u200B\u2800', ''],
    [ENGLAND, ENGLAND],
  ])('reads %j as %j', (text, read) => {
    expect(normalizeText(text)).toBe(read)
  })

  it.each([normalizeText, normalizeCode, normalizePhone, trimText, foldName])(
    'gives the same when it is applied twice (%o)',
    (normalize) => {
      const text = fc.string({ unit: 'binary' })
      fc.assert(fc.property(text, (given) => normalize(normalize(given)) === normalize(given)))
    },
  )
})

describe('normalizeCode', () => {
  it('folds width and removes invisible marks', () => {
    expect(normalizeCode('\u202DＹＪ２０２６－０１\u200B\u3000x\u202C')).toBe('YJ2026-01 x')
  })
})

describe('normalizePhone', () => {
  it.each([
    '13800002001',
    '+8613800002001',
    '+86 138 0000 2001',
    '86-13800002001',
    '138-0000-2001',
    '138\u20110000\u20132001',
    '１３８００００２００１',
    '\u202D13800002001\u202C',
    '13800002001\u200B',
    "'13800002001",
    '\u300013800002001',
    'tel:13800002001',
    '0086 13800002001',
    '(+86) 138.0000.2001',
  ])('reads %j as the mobile number', (text) => {
    expect(normalizePhone(text)).toBe('13800002001')
    expect(MobileOrMask.parse(text)).toBe('13800002001')
  })

  it('keeps other numbers and masks unchanged', () => {
    expect(normalizePhone('010-8888 8888')).toBe('01088888888')
    expect(normalizePhone('+86 10 8888 8888')).toBe('+861088888888')
    expect(MobileOrMask.parse('+86 138****2001')).toBe('138****2001')
    expect(MobileOrMask.safeParse('+1 13800002001').success).toBe(false)
  })
})

describe('a name', () => {
  const Named = z.strictObject({ name: field(nameText(10), '名称', 'Name') })
  const errorsOf = (name: string) => {
    const result = z.safeDecode(Named, { name }, { reportInput: true })
    return result.success ? result.data.name : fieldErrors(Named, result.error.issues).map(({ message }) => message)
  }

  it.each(['阿卜杜·热西提', '𠮷田𠀀', '张　三', 'A1', FAMILY, ENGLAND, '\u2764\uFE0F', '葛\u{E0100}', '-'])(
    'may be %j',
    (name) => {
      expect(errorsOf(` ${name}\u3000`)).toBe(name)
    },
  )

  it.each([
    ['张\u200B三', 'U+200B'],
    ['\u202E张三', 'U+202E'],
    ['李\r\n四', 'U+000D'],
    ['a\u2028b', 'U+2028'],
    ['a\u200Db', 'U+200D'],
    ['a\u00ADb', 'U+00AD'],
    ['\u200B\u200B', 'U+200B'],
  ])('of %j names what cannot be seen', (name, code) => {
    expect(errorsOf(name)).toEqual([`名称含有看不见的字符 ${code}`])
  })

  it('needs a visible character', () => {
    for (const name of ['', ' ', '\u3000', '\u2800', '\u0301']) expect(errorsOf(name)).toEqual(['名称不能为空'])
  })

  it('is compared by its appearance', () => {
    expect(foldName('Ａbc　\u200BD')).toBe(foldName('abcd'))
    expect(foldName('甲')).not.toBe(foldName('乙'))
    expect(findUnseen('可见')).toBeUndefined()
  })
})
