import type { CalendarPost } from '@tocsin/contract/security/shift'
import { expect, it } from 'vitest'
import { listOwners } from './list-owners.ts'

const post = (id: number, owner: Pick<CalendarPost, 'schoolId' | 'deptId' | 'ownerName'>): CalendarPost => ({
  id,
  name: `岗位${id}`,
  type: owner.deptId === null ? 'GATE' : 'SEAT',
  headcount: 1,
  weekdays: 127,
  fromMin: 0,
  toMin: 480,
  ...owner,
})

it('offers each school and each department once when their posts are mixed, also with the same number', () => {
  const school = { schoolId: 7, deptId: null, ownerName: '东湖一小' }
  const centre = { schoolId: null, deptId: 7, ownerName: '指挥中心' }
  const owners = listOwners([post(1, school), post(2, centre), post(3, school), post(4, centre)])
  expect(owners).toMatchObject([school, centre])
  expect(new Set(owners.map(({ key }) => key)).size).toBe(2)
  expect(listOwners([])).toEqual([])
})
