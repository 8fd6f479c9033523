import { expect, it } from 'vitest'
import { errorMessage } from './codes/code.ts'
import { codes, codeMessage } from './codes.ts'

it.each([
  [codes.roleDisabled, { name: '值班员' }, 'The role 值班员 is disabled'],
  [codes.deptChildren, { which: '朝阳分局' }, '朝阳分局: It has departments below and cannot be deleted'],
  [codes.referred, { what: '部门', which: '#7' }, '#7: The department is in use and cannot be deleted'],
  [codes.wrongState, { state: 'RESOLVED' }, 'Not possible in the state For review'],
])('a refusal of the wire is said in English: %j %j', (of, params, english) => {
  expect(codeMessage({ code: of.code, msg: errorMessage(of, params, 'zh-cn'), params }, 'en')).toBe(english)
})

it('decodes the Chinese state name of an error message to its code', () => {
  expect(errorMessage(codes.wrongState, { state: 'RESOLVED' }, 'zh-cn')).toBe('当前状态（待审核）不能执行该操作')
})

it('keeps an unknown message unchanged', () => {
  expect(codeMessage({ code: 1002, msg: '没有人写过', params: { which: '甲' } }, 'en')).toBe('没有人写过')
})
