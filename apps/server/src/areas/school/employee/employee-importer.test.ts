import { afterAll, beforeAll, expect, it } from 'vitest'
import { type JobFixture, openJobFixture, workbook } from '../../../../test/job-fixture.ts'
import { importJobs } from '#areas/files/import/job'
import { importRoutes } from '#areas/files/import/routes'
import { unscoped } from '#db/scope'
import { runJob } from '#jobs/run'
import { employeeImporter } from './employee-importer.ts'

let fixture: JobFixture
beforeAll(async () => {
  fixture = await openJobFixture((db) => importRoutes(db, employeeImporter))
  await fixture.stopWorker()
})
afterAll(() => fixture.close())

const HEADS = ['工号', '姓名', '类别', '学校', '手机', '证件到期']
const imported = async (rows: (string | null)[][], query: string) => {
  const { data } = await fixture.send(await workbook(rows, HEADS), query, 'admin', '/school/employee/import')
  const job = { id: Number(data.id), stopping: new AbortController().signal }
  await runJob(fixture.db, importJobs(employeeImporter), job)
  return fixture.job(job.id)
}
const stored = () =>
  unscoped(fixture.db, 'tests look at every row')
    .selectFrom('employee')
    .select(['employeeNo', 'name', 'kind', 'deptId', 'mobile', 'certExpiresOn'])
    .orderBy('id')
    .execute()

it('previews a register, writes it with numbers per school, and changes existing rows on request', async () => {
  const [east, west] = [fixture.eastSchool, fixture.westSchool]
  const bad = [
    ['BA-1', '张三', '保安', '没有的学校', null, null],
    ['BA-2', '李四', '厨师', east.name, null, null],
    ['BA-3', '王五', 'Guard', east.code, '123', null],
  ]
  expect(await imported(bad, 'dryRun=true')).toMatchObject({ counts: { create: 0, bad: 3 } })
  const good = [
    ['BA-1', '张三', '保安', east.name, '13812340001', '2027/6/30'],
    ['BA-1', '李四', 'Guard', west.code, null, null],
  ]
  expect(await imported(good, 'dryRun=true')).toMatchObject({ counts: { create: 2, bad: 0 } })
  expect(await stored()).toEqual([])
  await imported(good, '')
  const guard = { employeeNo: 'BA-1', kind: 'GUARD' }
  expect(await stored()).toEqual([
    { ...guard, name: '张三', deptId: east.deptId, mobile: '13812340001', certExpiresOn: '2027-06-30' },
    { ...guard, name: '李四', deptId: west.deptId, mobile: null, certExpiresOn: null },
  ])
  await imported([['BA-1', '张三丰', '安全员', east.name, null, null]], 'updateSupport=true')
  expect((await stored())[0]).toMatchObject({ name: '张三丰', kind: 'SAFETY_OFFICER', mobile: '13812340001' })
})
