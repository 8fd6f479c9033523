import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unscoped } from '../../src/db/scope.ts'
import { openJobFixture, type JobFixture, workbook } from '../job-fixture.ts'

let fixture: JobFixture
beforeAll(async () => {
  fixture = await openJobFixture()
})
afterAll(() => fixture.close())

const all = () => unscoped(fixture.db, 'test')

describe('a sheet of 20,000 rows', () => {
  const rows = 20_000
  const file = (prefix: string) =>
    workbook(Array.from({ length: rows }, (_, at) => [`${prefix}.${at}`, `用户${at}`, fixture.east.id]))
  const made = async (prefix: string) =>
    (
      await all()
        .selectFrom('users')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('username', 'like', `${prefix}.%`)
        .executeTakeFirstOrThrow()
    ).n

  it('continues after its worker was stopped repeatedly, and writes nobody twice', async () => {
    const { id } = await fixture.check(await file('bulk'))
    await fixture.post('/system/user/import-commit', { id, onlyGood: true })
    const seen = new Set<number>()
    for (let stops = 0; stops < 2; stops += 1) {
      const end = performance.now() + 20_000
      while ((await fixture.job(id)).done <= Math.max(0, ...seen) && performance.now() < end) await pause(20)
      await fixture.restartWorker()
      seen.add((await fixture.job(id)).done)
    }
    expect(Math.max(...seen)).toBeLessThan(rows)
    expect(await fixture.until(id, 'DONE')).toMatchObject({ done: rows, counts: { created: rows, bad: 0 } })
    expect(await made('bulk')).toBe(rows)
    const codes = await fixture.db.selectFrom('activationCode').select('userId').execute()
    expect(codes).toHaveLength(rows)
    const audited = await all()
      .selectFrom('auditLog')
      .select('subjectId')
      .where('action', '=', 'system:user:create')
      .execute()
    expect(new Set(audited.map(({ subjectId }) => subjectId)).size).toBe(audited.length)
  }, 300_000)

  it('stops where it is when cancelled; what was written stays complete', async () => {
    const { id } = await fixture.check(await file('more'))
    await fixture.post('/system/user/import-commit', { id, onlyGood: true })
    const end = performance.now() + 20_000
    while ((await fixture.job(id)).done === 0 && performance.now() < end) await pause(20)
    expect((await fixture.post('/system/job/cancel', { id })).code).toBe(200)
    const { done, state } = await fixture.job(id)
    await fixture.restartWorker()
    expect(state).toBe('CANCELLED')
    expect(done).toBeLessThan(rows)
    expect(await made('more')).toBe(done)
  }, 180_000)
})
