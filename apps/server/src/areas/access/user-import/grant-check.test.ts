import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { openJobFixture, type JobFixture, workbook } from '../../../../test/job-fixture.ts'
import { unscoped } from '#db/scope'

// No spreadsheet grants more than the importer's own permissions: `local` administers the east, and sees masks.

let fixture: JobFixture
let ownRole: number
let reveal: number
let count = 0
let plain: string
const all = () => unscoped(fixture.db, 'test')

beforeAll(async () => {
  fixture = await openJobFixture()
  ownRole = (await fixture.makeRole('own_role', { permissions: ['system:user:list'] })).id
  await fixture.makeRole('more_role', { permissions: ['system:user:reveal'] })
  // `local` may manage the east and its school, which is a department below it, but not the west.
  await fixture.makeRole('below_role', { dataScope: 'DEPT_AND_CHILD', permissions: ['system:user:list'] })
  reveal = await fixture.menuId('system:user:reveal')
})
beforeEach(async () => {
  count += 1
  plain = `held.${count}`
  await makeUser(fixture.db, { username: plain, nickname: '平', deptId: fixture.east.id, roles: ['own_role'] })
  await all().deleteFrom('roleMenu').where('roleId', '=', ownRole).where('menuId', '=', reveal).execute()
})
afterAll(() => fixture.close())

type Cells = { name: string; dept?: number; status?: string; roles?: string }
const sheet = (rows: readonly Cells[]) =>
  workbook(
    rows.map(({ name, dept, status, roles }) => [
      name,
      name.startsWith('new') ? '新' : null,
      dept ?? null,
      null,
      null,
      null,
      status ?? null,
      roles ?? null,
      null,
    ]),
  )
/** The existing users, with department and roles. */
const rights = async () => ({
  users: await all().selectFrom('users').select(['username', 'deptId', 'enabled', 'version']).orderBy('id').execute(),
  roles: await all().selectFrom('userRole').selectAll().orderBy('userId').orderBy('roleId').execute(),
})
const reasons = async (id: number) => {
  const { data } = await fixture.get(`/system/user/import-rows?id=${id}&pageSize=50`, 'local')
  const { list } = data as unknown as { list: { verdict: string; reasons: { message: string }[] }[] }
  return list.map((row) => [row.verdict, ...row.reasons.map(({ message }) => message)])
}
const { beyondAdmin, moreRights, deptMissing } = codes
const permission = codes.beyondPermission.zh.replace('{permission}', 'system:user:reveal')

type Line = [Omit<Cells, 'name'> & { of: 'new' | 'plain' | 'strong' | 'local' }, string]
const lines = (): Line[] => [
  [{ of: 'new', dept: fixture.east.id, roles: 'super_admin' }, beyondAdmin.zh],
  [{ of: 'new', dept: fixture.east.id, roles: 'more_role' }, permission],
  [{ of: 'new', dept: fixture.east.id, roles: 'own_role,more_role' }, permission],
  [{ of: 'new', dept: fixture.west.id, roles: 'own_role' }, deptMissing.zh],
  [{ of: 'plain', roles: 'super_admin' }, beyondAdmin.zh],
  [{ of: 'plain', roles: 'own_role,more_role' }, permission],
  [{ of: 'plain', dept: fixture.west.id }, deptMissing.zh],
  [{ of: 'plain', dept: fixture.eastSchool.deptId, roles: 'more_role' }, permission],
  [{ of: 'strong', roles: 'own_role' }, moreRights.zh],
  [{ of: 'strong', status: '停用' }, moreRights.zh],
  [{ of: 'strong', dept: fixture.eastSchool.deptId }, moreRights.zh],
  [{ of: 'local', roles: 'super_admin' }, beyondAdmin.zh],
]

/** The lines, each for its own user. */
const rowOf = async ({ of, ...cells }: Line[0], at: number): Promise<Cells> => {
  const name = of === 'local' ? of : `${of}.${at}`
  const roles = [of === 'plain' ? 'own_role' : 'more_role']
  if (of === 'plain' || of === 'strong') await makeUser(fixture.db, { username: name, deptId: fixture.east.id, roles })
  return { name, ...cells }
}

describe('a spreadsheet grants nobody more than its importer has', () => {
  it('line by line, after a check or at once, by both APIs', async () => {
    const given = lines()
    const rows = await Promise.all(given.map(([line], at) => rowOf(line, at)))
    const messages = given.map(([, message]) => message)
    const [before, bytes] = [await rights(), await sheet(rows)]
    const { id } = await fixture.check(bytes, 'updateSupport=true', 'local')
    expect(await reasons(id)).toEqual(messages.map((message) => ['BAD', message]))
    const { data } = await fixture.send(bytes, 'updateSupport=true', 'local')
    const failed = Object.fromEntries(rows.map(({ name }, at) => [name, messages[at]]))
    expect(data).toMatchObject({ createUsernames: [], updateUsernames: [], failureUsernames: failed })
    // The import of the compatibility API rejects the same lines.
    const { code, data: text } = await fixture.send(bytes, '', 'local', '/api/v1/users/import')
    expect([code, String(text)]).toEqual([200, expect.stringContaining(`成功0条，失败${rows.length}条`)])
    for (const message of [beyondAdmin.zh, permission, deptMissing.zh]) expect(String(text)).toContain(message)
    expect(await rights()).toEqual(before)
  })

  it.each([true, false])('by the roles as they are while it is written (only good ones: %s)', async (onlyGood) => {
    const made = `new.held.${count}`
    const bytes = await sheet([
      { name: made, dept: fixture.east.id, roles: 'own_role' },
      { name: 'local', roles: 'local_admin,own_role' },
    ])
    const { id } = await fixture.check(bytes, 'updateSupport=true', 'local')
    expect(await reasons(id)).toEqual([['CREATE'], ['UPDATE']])
    const before = await rights()
    await all().insertInto('roleMenu').values({ roleId: ownRole, menuId: reveal }).execute()
    expect((await fixture.post('/system/user/import-commit', { id, onlyGood }, 'local')).code).toBe(200)
    await expect
      .poll(() => reasons(id), { timeout: 20_000 })
      .toEqual([
        ['BAD', permission],
        ['BAD', permission],
      ])
    expect(await rights()).toEqual(before)
  })

  it('but the importer grants the own permissions', async () => {
    const bytes = await sheet([
      { name: `new.held.${count}`, dept: fixture.east.id, roles: 'own_role,below_role' },
      { name: plain, dept: fixture.eastSchool.deptId, roles: 'below_role' },
    ])
    const { id } = await fixture.check(bytes, 'updateSupport=true', 'local')
    expect(await reasons(id)).toEqual([['CREATE'], ['UPDATE']])
    expect((await fixture.post('/system/user/import-commit', { id, onlyGood: false }, 'local')).code).toBe(200)
    expect((await fixture.until(id, 'DONE', 'local')).counts).toMatchObject({ created: 1, updated: 1, bad: 0 })
  })
})
