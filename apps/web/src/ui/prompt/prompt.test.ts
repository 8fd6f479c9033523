import { describe, expect, it } from 'vitest'
import { inputProblem } from './prompt.tsx'

const usual = '输入的数据不合法!'
const value = { title: 'x', label: 'y' }

describe('validating the input of a prompt', () => {
  it('accepts anything without a rule', () => {
    expect(inputProblem('', value, usual)).toBeUndefined()
  })

  it('matches the pattern, independent of earlier matches', () => {
    const pattern = /^\d+$/g
    expect(inputProblem('12', { ...value, pattern }, usual)).toBeUndefined()
    expect(inputProblem('12', { ...value, pattern }, usual)).toBeUndefined()
    expect(inputProblem('1x', { ...value, pattern }, usual)).toBe(usual)
    expect(inputProblem('1x', { ...value, pattern, message: '只能是数字' }, usual)).toBe('只能是数字')
  })

  it('calls the validator, which may give a reason', () => {
    expect(inputProblem('a', { ...value, validator: () => true }, usual)).toBeUndefined()
    expect(inputProblem('a', { ...value, validator: () => false }, usual)).toBe(usual)
    expect(inputProblem('a', { ...value, validator: () => false, message: '不行' }, usual)).toBe('不行')
    expect(inputProblem('a', { ...value, validator: () => '太短' }, usual)).toBe('太短')
  })
})
