import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { openJobFixture, type JobFixture, workbook } from '../../../../test/job-fixture.ts'
import { somebodyWaits } from '../../../../test/lock-waiters.ts'
import { unscoped } from '#db/scope'

let fixture: JobFixture
let kept: number[]

beforeAll(async () => {
  fixture = await openJobFixture()
  await fixture.makeRole('reader', { permissions: ['system:user:list'] })
  kept = (await all().selectFrom('users').select('id').execute()).map(({ id }) => id)
})
afterEach(() => all().deleteFrom('users').where('id', 'not in', kept).execute())
afterAll(() => fixture.close())

const all = () => unscoped(fixture.db, 'test')
const named = (like: string) =>
  all().selectFrom('users').select('username').where('username', 'like', like).orderBy('id').execute()
const commit = (id: number, onlyGood: boolean) => fixture.post('/system/user/import-commit', { id, onlyGood })
const badLines = async (id: number) =>
  (
    (await fixture.get(`/system/user/import-rows?id=${id}&onlyBad=true`)).data as unknown as {
      list: { line: number; reasons: { field: string; message: string }[] }[]
    }
  ).list.map(({ line, reasons }) => [line, ...reasons.map(({ field, message }) => `${field}: ${message}`)])

/** Waits until the job is READY with the counts of a new check. */
const takenBack = async (id: number) => {
  const end = performance.now() + 30_000
  for (;;) {
    const job = await fixture.job(id)
    if (job.state === 'READY' && job.counts['takenBack'] === 1) return job
    if (job.state === 'DONE' || performance.now() > end) throw new Error(JSON.stringify(job))
    await pause(50)
  }
}

/** Locks the user name of a line as a concurrent create does before its commit. */
const holding = async (username: string) => {
  const client = await fixture.pool.connect()
  await client.query('begin')
  await client.query('insert into users (username, nickname, dept_id) values ($1, $1, $2)', [username, fixture.east.id])
  const end = (how: 'commit' | 'rollback') => client.query(how).then(() => client.release())
  return { client, end }
}

const waiting = async () => {
  for (const end = performance.now() + 20_000; !(await somebodyWaits(all())); await pause(20))
    if (performance.now() > end) throw new Error('the import waits for nobody')
}

describe('an import of all lines', () => {
  it('writes nobody when one name was taken meanwhile, names it, and can continue with the good lines', async () => {
    const rows = Array.from({ length: 2500 }, (_, at) => [`all.${at}`, `用户${at}`])
    const { id } = await fixture.check(await workbook(rows))
    await makeUser(fixture.db, { username: 'ALL.2300', deptId: fixture.east.id })
    expect((await commit(id, false)).code).toBe(200)
    const job = await takenBack(id)
    expect(job.counts).toEqual({ create: 2499, update: 0, same: 0, bad: 1, takenBack: 1 })
    expect(await badLines(id)).toEqual([[2302, 'username: 用户账号已经存在']])
    expect(await named('all.%')).toEqual([])
    expect(await commit(id, false)).toMatchObject({ code: codes.importHasBad.code })
    expect((await commit(id, true)).code).toBe(200)
    expect((await fixture.until(id, 'DONE')).counts).toMatchObject({ created: 2499, bad: 1 })
    expect(await named('all.%')).toHaveLength(2499)
  })

  it('rolls back creates and updates for an error found only while writing', async () => {
    const user = await makeUser(fixture.db, { username: 'whole.old', nickname: '旧', deptId: fixture.east.id })
    const other = await makeUser(fixture.db, { username: 'whole.more', nickname: '旧', deptId: fixture.east.id })
    const { id } = await fixture.check(
      await workbook([
        ['whole.new', '新'],
        ['whole.old', '改'],
        ['whole.more', '改'],
      ]),
      'updateSupport=true',
    )
    await all().updateTable('users').set({ pending: true, enabled: false }).where('id', '=', other.id).execute()
    await fixture.db
      .updateTable('importRow')
      .set({ draft: sql`draft || '{"enabled": true}'` })
      .where('jobId', '=', id)
      .where('line', '=', 4)
      .execute()
    await commit(id, false)
    await takenBack(id)
    expect(await named('whole.new')).toEqual([])
    const now = await all().selectFrom('users').select(['nickname', 'version']).where('id', '=', user.id).execute()
    expect(now).toEqual([{ nickname: '旧', version: user.version }])
    expect((await fixture.audits('users', user.id)).length).toBe(0)
    expect(await badLines(id)).toEqual([[4, `username: ${codes.userPending.zh}`]])
  })

  it('locks no role while it writes, can be cancelled in the middle, and then leaves nobody', async () => {
    const { id } = await fixture.check(
      await workbook([
        ['mid.one', '一', null, null, null, null, null, 'reader', null],
        ['mid.two', '二', null, null, null, null, null, 'reader', null],
      ]),
    )
    const other = await holding('mid.two')
    await commit(id, false)
    await waiting()
    const { rows } = await other.client.query("select id from role where code = 'reader' for no key update nowait")
    expect(rows).toHaveLength(1)
    // The locks of an edit of a department.
    await other.client.query('select id from dept for no key update nowait')
    const { rows: locks } = await other.client.query(
      `select distinct mode from pg_locks l join pg_class c on c.oid = l.relation
       where l.locktype = 'relation' and l.pid <> pg_backend_pid() and c.relkind in ('r', 'p') order by 1`,
    )
    expect(locks.map(({ mode }: { mode: string }) => mode)).not.toContain('ShareRowExclusiveLock')
    expect(locks.map(({ mode }: { mode: string }) => mode)).not.toContain('AccessExclusiveLock')
    expect((await fixture.post('/system/job/cancel', { id })).code).toBe(200)
    await other.end('rollback')
    await fixture.restartWorker()
    expect((await fixture.job(id)).state).toBe('CANCELLED')
    expect(await named('mid.%')).toEqual([])
  })

  it('rejects roles that were removed while it wrote', async () => {
    const { id } = await fixture.check(
      await workbook([
        ['role.one', '一', null, null, null, null, null, 'reader', null],
        ['role.two', '二', null, null, null, null, null, null, null],
      ]),
    )
    const other = await holding('role.two')
    await commit(id, false)
    await waiting()
    await other.client.query("update role set enabled = false where code = 'reader'")
    await other.client.query("delete from users where username = 'role.two'")
    await other.end('commit')
    await takenBack(id)
    await fixture.db.updateTable('role').set({ enabled: true }).where('code', '=', 'reader').execute()
    expect(await badLines(id)).toEqual([[2, 'roles: 名字为【reader】的角色已被禁用']])
    expect(await named('role.%')).toEqual([])
  })

  it('rolls back earlier batches when a contact was taken meanwhile', async () => {
    await sql`insert into users (username, nickname, dept_id)
      select 'many.' || n, '旧', ${fixture.east.id} from generate_series(1, 1200) n`.execute(all())
    const rows = Array.from({ length: 1200 }, (_, at) => [`many.${at + 1}`, '新', null, null, String(13900000001 + at)])
    const { id, counts } = await fixture.check(await workbook(rows), 'updateSupport=true')
    expect(counts).toMatchObject({ update: 1200, bad: 0 })
    const taker = await makeUser(fixture.db, { username: 'taker', mobile: '13900001150', deptId: fixture.east.id })
    await commit(id, false)
    await takenBack(id)
    expect(await badLines(id)).toEqual([[1151, 'mobile: 手机号已经存在']])
    const changed = await all().selectFrom('users').select('id').where('nickname', '=', '新').execute()
    expect(changed).toEqual([])
    await all().deleteFrom('users').where('id', '=', taker.id).execute()
    await fixture.post('/system/job/cancel', { id })
  })

  it('rejects the line that leaves no administrator, after the one that leaves one', async () => {
    const boss = { username: 'boss', password: 'Maple-river-42', deptId: fixture.east.id, roles: ['super_admin'] }
    await makeUser(fixture.db, boss)
    const { id } = await fixture.check(
      await workbook([
        ['boss', null, null, null, null, null, '停用', null, null],
        ['admin', null, null, null, null, null, null, 'reader', null],
      ]),
      'updateSupport=true',
    )
    await commit(id, false)
    await takenBack(id)
    expect(await badLines(id)).toEqual([[3, `username: ${codes.lastAdmin.zh}`]])
    expect(await all().selectFrom('users').select('enabled').where('username', '=', 'boss').execute()).toEqual([
      { enabled: true },
    ])
    await fixture.post('/system/job/cancel', { id })
  })
})

describe('a line that was good when it was checked', () => {
  it('is rejected by the field whose value another user took meanwhile', async () => {
    const { id } = await fixture.check(
      await workbook([
        ['field.one', '一', null, null, '13611110001'],
        ['field.two', '二', null, 'two@example.com', null],
        ['field.three', '三'],
        ['field.four', '四'],
      ]),
    )
    await makeUser(fixture.db, { username: 'f.one', mobile: '13611110001', deptId: fixture.east.id })
    await makeUser(fixture.db, { username: 'f.two', email: 'Two@example.com', deptId: fixture.east.id })
    await makeUser(fixture.db, { username: 'FIELD.three', deptId: fixture.east.id })
    await commit(id, true)
    await fixture.until(id, 'DONE')
    expect(await badLines(id)).toEqual([
      [2, 'mobile: 手机号已经存在'],
      [3, 'email: 邮箱已经存在'],
      [4, 'username: 用户账号已经存在'],
    ])
  })
})
