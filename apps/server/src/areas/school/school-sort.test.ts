import { sortNames } from '@tocsin/contract/page'
import { SchoolQuery } from '@tocsin/contract/school/school'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDept, makeDevice, makeInstallation, makeModel, makePlace, makeSchool } from '../../../seed/fixtures.ts'
import { type AdminServer, pageIn, startAdminServer } from '../../../test/admin-server.ts'
import { schoolRoutes } from './school.ts'

let site: AdminServer
beforeAll(async () => {
  site = await startAdminServer((db) => schoolRoutes({ db }))
  const { db } = site.site
  const model = await makeModel(db, { productKey: 'sortbtn01' })
  // Each school is first in another order.
  const given = [
    { name: 'sort a', code: 'SORT-3', studentCount: 20, district: '二区', devices: 2, alarms: 0, readiness: 90 },
    { name: 'sort b', code: 'SORT-1', studentCount: 30, district: '三区', devices: 1, alarms: 2, readiness: 40 },
    { name: 'sort c', code: 'SORT-2', studentCount: 10, district: '一区', devices: 0, alarms: 1, readiness: null },
  ]
  for (const { district, devices, alarms, readiness, ...school } of given) {
    const dept = await makeDept(db, { kind: 'EDU_BUREAU', name: district, parentId: site.here.deptId })
    const { id, deptId } = await makeSchool(db, { ...school, eduDeptId: dept.id })
    const place = await makePlace(db, { schoolId: id })
    for (let n = 0; n < devices; n += 1) {
      const { device } = await makeDevice(db, { sn: `${school.code}-${n}`, modelId: model.id, key: Buffer.alloc(32) })
      await makeInstallation(db, device, place)
    }
    for (let n = 0; n < alarms; n += 1)
      await site.pool.query(
        `insert into warn_record (no, class, code, dedup_key, level, mode, dept_id, school_id, first_at, last_at)
         values ($1, 'PANIC', 'PANIC', $1, 1, 'LIVE', $2, $3, now(), now())`,
        [`${school.code}-${n}`, deptId, id],
      )
    if (readiness !== null)
      await site.pool.query(
        `insert into school_readiness (school_id, score, devices, low, reasons) values ($1, $2, 1, 0, '[]')`,
        [id, readiness],
      )
  }
})
afterAll(() => site.end())

const order = async (sort?: string, token = site.adminToken) => {
  const answer = await site.call(
    'GET',
    `/school/school/page?keyword=SORT-${sort ? `&orderBy=${sort}` : ''}`,
    undefined,
    token,
  )
  return pageIn(answer)
    .list.map(({ name }) => String(name).at(-1))
    .join('')
}

it('sorts schools by each column in both directions, empty values last, and the least ready first by default', async () => {
  const found = await Promise.all(
    sortNames(SchoolQuery).map(async (name) => [name, await order(name), await order(`-${name}`)]),
  )
  expect(found).toEqual([
    ['name', 'abc', 'cba'],
    ['code', 'bca', 'acb'],
    ['eduDeptName', expect.stringMatching(/^[abc]{3}$/), expect.stringMatching(/^[abc]{3}$/)],
    ['studentCount', 'cab', 'bac'],
    ['deviceCount', 'cba', 'abc'],
    ['openAlarmCount', 'acb', 'bca'],
    ['readiness', 'bac', 'abc'],
  ])
  expect(found[2]?.[1]).toBe([...(found[2]?.[2] ?? '')].toReversed().join(''))
  expect(await order()).toBe('bac')
})

it('tells nothing of alarms by the order to readers without alarms', async () => {
  const clerk = await site.clerk('school:school:query')
  await site.pool.query(`update role set data_scope = 'ALL' where code like 'clerk%'`)
  expect([await order('openAlarmCount', clerk.token), await order('-openAlarmCount', clerk.token)]).toEqual([
    'abc',
    'cba',
  ])
})
