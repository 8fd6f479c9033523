import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unscoped } from '../../src/db/scope.ts'
import { startWorkerThread, type WorkerThread } from '../../src/jobs/thread.ts'
import type { WorkerData } from '../../src/worker.ts'
import { openJobFixture, type JobFixture, workbook } from '../job-fixture.ts'

let fixture: JobFixture
let thread: WorkerThread
const said: string[] = []
const note = (text: string) => void said.push(text)

beforeAll(async () => {
  fixture = await openJobFixture()
  await fixture.stopWorker()
  const { host, port, user, password, database } = fixture.pool.options
  const connection = { host, port, user, password, database } as WorkerData['connection']
  const { dataDir, masterKey } = fixture
  const place = { timeZone: 'Asia/Shanghai', s3Url: undefined, regions: '', origin: undefined }
  const data: WorkerData = { connection, dataDir, masterKey, ...place }
  const file = new URL('../../src/worker.ts', import.meta.url)
  thread = startWorkerThread({ file, data, log: { info: note, warn: note, error: note } })
})
afterAll(async () => {
  await thread.stop()
  await fixture.close()
})

const rows = 20_000
const sheet = () => workbook(Array.from({ length: rows }, (_, at) => [`kill.${at}`, `用户${at}`, fixture.east.id]))

const beyond = async (id: number, done: number) => {
  const end = performance.now() + 60_000
  while ((await fixture.job(id)).done <= done && performance.now() < end) await pause(20)
  return (await fixture.job(id)).done
}

describe('a worker killed in the middle', () => {
  it('of an import leaves nothing half written, and another worker continues there', async () => {
    const { id } = await fixture.check(await sheet())
    await fixture.post('/system/user/import-commit', { id, onlyGood: true })
    const first = await beyond(id, 0)
    await mkdir(join(fixture.sheets, 'export-left'))
    await thread.crash()
    const stood = (await fixture.job(id)).done
    expect(stood).toBeGreaterThanOrEqual(first)
    expect(stood).toBeLessThan(rows)
    const users = () =>
      unscoped(fixture.db, 'test')
        .selectFrom('users')
        .select(['id', 'username'])
        .where('username', 'like', 'kill.%')
        .execute()
    // Whole batches: each user with an activation code and a marked line.
    expect((await users()).length).toBe(stood)
    expect(await fixture.until(id, 'DONE')).toMatchObject({ done: rows, counts: { created: rows, bad: 0 } })
    expect(new Set((await users()).map(({ username }) => username)).size).toBe(rows)
    expect(said).toContain('the worker ended; another is started')
    expect(await readdir(fixture.sheets)).toEqual([])
    const notices = await unscoped(fixture.db, 'test').selectFrom('notice').select('jobId').execute()
    expect(notices).toEqual([{ jobId: id }])
    const lines = await fixture.download(`/system/user/import-result?id=${id}`)
    const codes = lines.slice(1).map((line) => line[1])
    expect(codes.every((code) => code?.length === 16)).toBe(true)
    expect(new Set(codes).size).toBe(rows)
  }, 120_000)

  it('of an import of all lines leaves no user, and another worker writes all of them', async () => {
    const file = await workbook(Array.from({ length: rows }, (_, at) => [`whole.${at}`, `用户${at}`, fixture.east.id]))
    const { id } = await fixture.check(file)
    const written = async () =>
      (
        await unscoped(fixture.db, 'test')
          .selectFrom('users')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .where('username', 'like', 'whole.%')
          .executeTakeFirstOrThrow()
      ).n
    await fixture.post('/system/user/import-commit', { id, onlyGood: false })
    expect(await beyond(id, 0)).toBeGreaterThan(0)
    expect(await written()).toBe(0)
    await thread.crash()
    expect(await written()).toBe(0)
    expect(await fixture.until(id, 'DONE')).toMatchObject({ done: rows, counts: { created: rows, bad: 0 } })
    expect(await written()).toBe(rows)
  }, 120_000)
})
