import { describe, expect, it } from 'vitest'
import { inputProblem } from './prompt.tsx'

const usual = '输入的数据不合法!'
const asked = { title: 'x', label: 'y' }

describe('what was put in', () => {
  it('is fine when nothing is demanded', () => {
    expect(inputProblem('', asked, usual)).toBeUndefined()
  })

  it('must match the pattern, each time anew', () => {
    const pattern = /^\d+$/g
    expect(inputProblem('12', { ...asked, pattern }, usual)).toBeUndefined()
    expect(inputProblem('12', { ...asked, pattern }, usual)).toBeUndefined()
    expect(inputProblem('1x', { ...asked, pattern }, usual)).toBe(usual)
    expect(inputProblem('1x', { ...asked, pattern, message: '只能是数字' }, usual)).toBe('只能是数字')
  })

  it('must please the validator, which may say why not', () => {
    expect(inputProblem('a', { ...asked, validator: () => true }, usual)).toBeUndefined()
    expect(inputProblem('a', { ...asked, validator: () => false }, usual)).toBe(usual)
    expect(inputProblem('a', { ...asked, validator: () => false, message: '不行' }, usual)).toBe('不行')
    expect(inputProblem('a', { ...asked, validator: () => '太短' }, usual)).toBe('太短')
  })
})
