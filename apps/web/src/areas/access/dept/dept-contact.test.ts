import type { DeptRow } from '@tocsin/contract/access/dept'
import { maskEmail, maskPhone } from '@tocsin/contract/access/user-contact'
import { expect, it } from 'vitest'
import { fieldErrorTexts } from '#ui/form.ts'
import { contactSchema } from './dept-contact.ts'

const dept: DeptRow = {
  id: 1,
  name: '东湖派出所',
  nameEn: null,
  code: null,
  parentId: null,
  kind: 'POLICE_STATION',
  sort: 1,
  leaderUserId: null,
  leaderName: null,
  phone: maskPhone('13812345678'),
  email: maskEmail('li.ming@example.com'),
  status: true,
  createTime: new Date(),
  version: 1,
}
const issues = (of: DeptRow | undefined, name: 'phone' | 'email', value: unknown) =>
  fieldErrorTexts(contactSchema(of), name, value, 'zh-cn')

it('sends back the masks that the user may not see through, and none for a new department', () => {
  for (const name of ['phone', 'email'] as const) {
    expect(issues(dept, name, dept[name])).toEqual([])
    expect(issues(dept, name, '')).toEqual([])
    expect(issues(dept, name, 'x')).toHaveLength(1)
    expect(issues(undefined, name, dept[name])).toHaveLength(1)
  }
  expect(issues(dept, 'phone', maskPhone('010-1234'))).toEqual([])
})
