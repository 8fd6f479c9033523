import { codes } from '@tocsin/contract/codes'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { openJobFixture, type JobFixture, workbook } from '../../../../test/job-fixture.ts'
import { somebodyWaits } from '../../../../test/lock-waiters.ts'
import { unscoped } from '#db/scope'
import { loadActor } from '#http/session-auth'
import { claim } from './claim.ts'

// An all-or-nothing import locks every changed user until its end (docs/decisions/022).

let fixture: JobFixture
const password = 'Maple-river-42'
const all = () => unscoped(fixture.db, 'test')
const heads = ['登录名称', '用户名称', '用户邮箱', '手机号码', '账号状态', '角色']

beforeAll(async () => {
  fixture = await openJobFixture()
  await fixture.makeRole('watch', {
    dataScope: 'DEPT_AND_CHILD',
    permissions: ['warn:record:claim', 'warn:record:query'],
  })
  await fixture.makeRole('reader', { permissions: ['system:user:list'] })
})
const ends: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(ends.splice(0).map((end) => end())))
afterAll(() => fixture.close())

const person = (username: string, roles: string[] = []) =>
  makeUser(fixture.db, { username, nickname: '旧', password, deptId: fixture.east.id, roles })
const waits = () => somebodyWaits(all())
const until = async (isSo: () => Promise<boolean>) => {
  for (const end = performance.now() + 20_000; !(await isSo()); await pause(20))
    if (performance.now() > end) throw new Error('that never happened')
}
/** All changes of the sheet, up to the point where `holding` stops it. */
const held = async (rows: (string | null)[][], holding: string) => {
  const { id } = await fixture.check(await workbook(rows, heads), 'updateSupport=true')
  const client = await fixture.pool.connect()
  let open = true
  const end = async (how: 'commit' | 'rollback') => {
    if (!open) return
    open = false
    await client.query(how)
    client.release()
  }
  ends.push(() => end('rollback'))
  await client.query('begin')
  await client.query(holding)
  await fixture.post('/system/user/import-commit', { id, onlyGood: false })
  await until(waits)
  return { id, client, end }
}
const sessions = (userId: number) =>
  fixture.db.selectFrom('session').select('endReason').where('userId', '=', userId).execute()

it('allows claims and sign-ins while an import holds their users, and rejects edits of them', async () => {
  const [guard, off] = [await person('held.guard', ['watch']), await person('held.off')]
  await person('held.last')
  await fixture.signedIn('held.guard')
  await fixture.signedIn('held.off')
  const record = await makeRecord(fixture.db, { deptId: fixture.eastSchool.deptId, schoolId: fixture.eastSchool.id })
  const { id, end } = await held(
    [
      ['held.guard', '新', 'guard@example.com', '13700000021', null, null],
      ['held.off', '停', null, null, '停用', null],
      ['held.last', null, null, null, null, 'reader'],
    ],
    "select id from role where code = 'reader' for no key update",
  )
  for (const { id: userId } of [guard, off])
    await expect(
      fixture.pool.query('select from users where id = $1 for no key update nowait', [userId]),
    ).rejects.toMatchObject({ code: '55P03' })
  const [session] = await fixture.db.selectFrom('session').select('id').where('userId', '=', guard.id).execute()
  const actor = await loadActor(fixture.db, guard.id, session?.id ?? 0)
  if (!actor) throw new Error('he may still act')
  expect(await claim(fixture.db, actor, { id: record.id })).toMatchObject({ state: 'CLAIMED' })
  const now = await fixture.signedIn('held.guard')
  await fixture.signedIn('held.off')
  const chosen = { theme: 'dark' }
  expect(await fixture.put('/system/user/profile/update-preferences', chosen, now)).toMatchObject({ code: 200 })
  const edit = { id: guard.id, nickname: '别的', username: 'held.guard' }
  expect(await fixture.put('/system/user/update', edit)).toMatchObject({ code: codes.userHeld.code })
  await end('rollback')
  expect((await fixture.until(id, 'DONE')).counts).toMatchObject({ updated: 3, bad: 0 })
  expect(await fixture.user(guard.id)).toMatchObject({ nickname: '新', mobile: '13700000021', version: 2 })
  expect(await sessions(guard.id)).toEqual([{ endReason: null }, { endReason: null }])
  expect(await sessions(off.id)).toEqual([{ endReason: 'DISABLED' }, { endReason: 'DISABLED' }])
  await expect(fixture.signedIn('held.off')).rejects.toThrow(codes.badLogin.zh)
  const claimed = await all()
    .selectFrom('warnRecord')
    .select(['state', 'ownerId'])
    .where('id', '=', record.id)
    .execute()
  expect(claimed).toEqual([{ state: 'CLAIMED', ownerId: guard.id }])
})

it('waits for a sign-in that meets the end of an import which disables its user, and ends that session', async () => {
  const off = await person('late.off')
  const { id, client, end } = await held(
    [['late.off', null, null, null, '停用', null]],
    // The lock that a sign-in holds until its commit.
    `select from users where id = ${off.id} for key share`,
  )
  await client.query(
    `insert into session (user_id, ip, user_agent, idle_expires_at, expires_at)
     values ($1, '127.0.0.1', 'late', now() + interval '1 hour', now() + interval '1 hour')`,
    [off.id],
  )
  await end('commit')
  await fixture.until(id, 'DONE')
  expect(await sessions(off.id)).toEqual([{ endReason: 'DISABLED' }])
})
