import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDevice, makeModel } from '../../../../seed/fixtures.ts'
import { type JobFixture, openJobFixture, workbook } from '../../../../test/job-fixture.ts'
import { importJobs } from '#areas/files/import/job'
import { importRoutes } from '#areas/files/import/routes'
import { unscoped } from '#db/scope'
import { runJob } from '#jobs/run'
import { deviceImporter } from './device-importer.ts'

let world: JobFixture
let modelId: number
beforeAll(async () => {
  world = await openJobFixture((db) => importRoutes(db, deviceImporter))
  await world.stopWorker()
  await makeModel(world.db, { productKey: 'listbtn01', vendor: '校安科技', name: 'B1' })
  modelId = (await makeModel(world.db, { productKey: 'listbtn02', vendor: '其他厂商', name: 'B1' })).id
})
afterAll(() => world.close())

const HEADS = ['设备序列号', '型号', '批次', '保修至']
const imported = async (rows: (string | null)[][], query: string) => {
  const file = await workbook(rows, HEADS)
  const { data } = await world.send(file, query, 'admin', '/device/device/import')
  const job = { id: Number(data.id), stopping: new AbortController().signal }
  await runJob(world.db, importJobs(deviceImporter), job)
  return world.job(job.id)
}
const commit = async (id: number, onlyGood: boolean) => {
  expect((await world.post('/device/device/import-commit', { id, onlyGood })).code).toBe(200)
  await runJob(world.db, importJobs(deviceImporter), { id, stopping: new AbortController().signal })
  return world.job(id)
}
const stored = () =>
  unscoped(world.db, 'tests look at every row')
    .selectFrom('device')
    .leftJoin('deviceCredential', 'deviceCredential.deviceId', 'device.id')
    .select(['sn', 'lifecycle', 'batchNo', 'warrantyUntil', 'deviceCredential.id as secret'])
    .orderBy('sn')
    .execute()

describe('the import of devices', () => {
  it('registers a delivery list without secrets, and rejects unknown and ambiguous models', async () => {
    const bad = await imported(
      [
        ['LIST-0001', 'B1', '2026-11', '2029/11/30'],
        ['LIST-0002', '没有的型号', null, null],
        ['坏', '校安科技 B1', null, null],
      ],
      'dryRun=true',
    )
    expect(bad).toMatchObject({ counts: { create: 0, bad: 3 } })
    const good = [
      ['LIST-0001', '校安科技 B1', '2026-11', '2029/11/30'],
      ['LIST-0002', 'listbtn02', null, null],
    ]
    await imported(good, '')
    const device = { lifecycle: 'IN_STOCK', secret: null }
    expect(await stored()).toEqual([
      { ...device, sn: 'LIST-0001', batchNo: '2026-11', warrantyUntil: '2029-11-30' },
      { ...device, sn: 'LIST-0002', batchNo: null, warrantyUntil: null },
    ])
  })

  it('changes existing devices only on request, and never their model', async () => {
    const changed = [['LIST-0002', 'listbtn02', '2026-12', null]]
    expect(await imported(changed, 'dryRun=true')).toMatchObject({ counts: { bad: 1 } })
    await imported(changed, 'updateSupport=true')
    expect((await stored())[1]).toMatchObject({ batchNo: '2026-12' })
    const moved = await imported([['LIST-0002', '校安科技 B1', null, null]], 'updateSupport=true&dryRun=true')
    expect(moved).toMatchObject({ counts: { bad: 1 } })
  })

  it('writes all or nothing in batches, and the other devices when one was registered meanwhile', async () => {
    const rows = ['LIST-0011', 'LIST-0012', 'LIST-0013'].map((sn) => [sn, 'listbtn02', null, null])
    const { id } = (await imported(rows, 'dryRun=true')) as { id: number }
    await makeDevice(world.db, { sn: 'LIST-0012', modelId, key: Buffer.alloc(32) })
    const before = (await stored()).length
    const rolledBack = await commit(id, false)
    expect(rolledBack).toMatchObject({ state: 'READY', counts: { create: 2, bad: 1, takenBack: 1 } })
    expect(await stored()).toHaveLength(before)
    expect(await commit(id, true)).toMatchObject({ state: 'DONE', counts: { created: 2, bad: 1 } })
    const created = (await stored()).map(({ sn }) => sn)
    expect(created).toEqual(expect.arrayContaining(['LIST-0011', 'LIST-0013']))
    const { rows: logged } = await sql`
      select l.verb from device_log l join device d on d.id = l.device_id join device_state s on s.device_id = d.id
      where d.sn in ('LIST-0011', 'LIST-0013')`.execute(world.db)
    expect(logged).toEqual([{ verb: 'create' }, { verb: 'create' }])
  })
})
