import { codes } from '@tocsin/contract/codes'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { openJobFixture, type JobFixture, workbook } from '../../../../test/job-fixture.ts'
import { unscoped } from '#db/scope'

// No call may remove the last administrator who can sign in, neither of the console nor of the compatibility API.

type User = Awaited<ReturnType<typeof makeUser>>
type As = { token: string }

const password = 'Maple-river-42'
let fixture: JobFixture
let adminRole: number
let guard: As
let count = 0
const all = () => unscoped(fixture.db, 'test')

beforeAll(async () => {
  fixture = await openJobFixture()
  adminRole = await fixture.roleId('super_admin')
  const found = await fixture.db.selectFrom('menu').select('permission').execute()
  const permissions = found.flatMap(({ permission }) => (permission ? [permission] : []))
  // Is no administrator, but has every permission, so may edit administrators.
  await fixture.makeRole('security', { dataScope: 'ALL', permissions })
  await makeUser(fixture.db, { username: 'security', password, roles: ['security'] })
  await fixture.makeRole('reader', { permissions: ['system:user:list'] })
  guard = await fixture.signedIn('security')
})
afterAll(() => fixture.close())

const makeAdmin = () => {
  count += 1
  return makeUser(fixture.db, { username: `chief.${count}`, nickname: '主管', password, roles: ['super_admin'] })
}
const left = async () => {
  const rows = await all()
    .selectFrom('userRole')
    .innerJoin('users', 'users.id', 'userRole.userId')
    .select('users.id')
    .where('userRole.roleId', '=', adminRole)
    .where('users.enabled', '=', true)
    .execute()
  return rows.map(({ id }) => id)
}
/** Removes the administrator role from all other users. */
const only = async (...ids: number[]) => {
  await fixture.db.deleteFrom('userRole').where('roleId', '=', adminRole).where('userId', 'not in', ids).execute()
  fixture.forget()
}

type Way = (user: User, as: As) => Promise<{ code: number | string }>
const send =
  (method: 'PUT' | 'PATCH' | 'DELETE' | 'POST', path: (id: number) => string, body?: (id: number) => object): Way =>
  (user, { token }) =>
    fixture.call(method, path(user.id), { token, ...(body && { body: body(user.id) }) })

const calls: [string, Way][] = [
  [
    'PUT /admin-user/update',
    send(
      'PUT',
      () => '/admin-user/update',
      (id) => ({ id, nickname: '改', status: 1 }),
    ),
  ],
  [
    'PUT /system/user/update',
    send(
      'PUT',
      () => '/system/user/update',
      (id) => ({ id, status: 1 }),
    ),
  ],
  [
    'PUT /system/user/update-status',
    send(
      'PUT',
      () => '/system/user/update-status',
      (id) => ({ id, status: 1 }),
    ),
  ],
  ['PATCH /api/v1/users/{id}/status', send('PATCH', (id) => `/api/v1/users/${id}/status?status=0`)],
  [
    'PUT /system/user/update without roles',
    send(
      'PUT',
      () => '/system/user/update',
      (id) => ({ id, roleIds: [] }),
    ),
  ],
  [
    'PUT /api/v1/users/{id} out of use',
    send(
      'PUT',
      (id) => `/api/v1/users/${id}`,
      () => ({ nickname: '改', status: 0 }),
    ),
  ],
  [
    'PUT /api/v1/users/{id} without roles',
    send(
      'PUT',
      (id) => `/api/v1/users/${id}`,
      () => ({ nickname: '改', roleIds: [] }),
    ),
  ],
  [
    'PUT /api/v1/users/{id} both',
    send(
      'PUT',
      (id) => `/api/v1/users/${id}`,
      () => ({ status: 0, roleIds: [] }),
    ),
  ],
  [
    'POST assign-user-role',
    send(
      'POST',
      () => '/system/permission/assign-user-role',
      (userId) => ({ userId, roleIds: [] }),
    ),
  ],
  ['DELETE /api/v1/users/{ids}', send('DELETE', (id) => `/api/v1/users/${id}`)],
  ['DELETE delete-list', send('DELETE', (id) => `/system/user/delete-list?ids=${id}`)],
  ['DELETE /system/user/delete', send('DELETE', (id) => `/system/user/delete?id=${id}`)],
]

/** Changes the user by a spreadsheet import and waits for its end. */
const imported = async (user: User, as: As, { roles, status, query = '' }: Record<string, string | undefined>) => {
  const row = [user.username, null, null, null, null, null, status ?? null, roles ?? null, null]
  const { id } = await fixture.check(await workbook([row]), 'updateSupport=true', as)
  const answer = await fixture.post('/system/user/import-commit', { id, onlyGood: query !== 'all' }, as)
  return { id, code: answer.code }
}
const ended = async (id: number) => {
  const end = performance.now() + 30_000
  for (;;) {
    const job = await all().selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const over = job.state === 'DONE' || job.state === 'FAILED' || job.counts['takenBack'] === 1
    if (over) return job
    if (performance.now() > end) throw new Error(`the import is ${job.state}`)
    await pause(20)
  }
}
const sheets: [string, Record<string, string>][] = [
  ['out of use', { status: '停用' }],
  ['another role', { roles: 'reader' }],
]

describe('the last administrator', () => {
  let last: User
  beforeEach(async () => {
    last = await makeAdmin()
    await only(last.id)
  })

  it.each(calls)('remains, also when the caller may act on any user: %s', async (_name, way) => {
    const before = await fixture.user(last.id)
    expect(await way(last, guard)).toMatchObject({ code: codes.lastAdmin.code })
    expect(await left()).toEqual([last.id])
    expect(await fixture.user(last.id)).toEqual(before)
  })

  it('remains, with all users of the same deletion', async () => {
    const other = await makeUser(fixture.db, { username: `other.${count}` })
    for (const path of [`/api/v1/users/${other.id},${last.id}`, `/system/user/delete-list?ids=${other.id},${last.id}`])
      expect((await fixture.remove(path, guard)).code).toBe(codes.lastAdmin.code)
    expect(await fixture.user(other.id)).toBeDefined()
    const chief = await makeAdmin()
    expect((await fixture.remove(`/api/v1/users/${chief.id},${last.id}`, guard)).code).toBe(codes.lastAdmin.code)
    expect((await left()).length).toBe(2)
    // Deleting one of two administrators is allowed.
    expect((await fixture.remove(`/api/v1/users/${chief.id}`, guard)).code).toBe(200)
  })

  it.each(sheets.flatMap(([name, sheet]) => ['good', 'all'].map((query) => [name, query, sheet] as const)))(
    'stays when a sheet says %s (%s)',
    async (_name, query, sheet) => {
      const before = await fixture.user(last.id)
      const { id } = await imported(last, guard, { ...sheet, query })
      expect((await ended(id)).counts).toMatchObject({ bad: 1 })
      const { data } = await fixture.get(`/system/user/import-rows?id=${id}&onlyBad=true`, guard)
      expect(data).toMatchObject({
        list: [{ reasons: [{ message: codes.lastAdmin.zh, messageEn: codes.lastAdmin.en }] }],
      })
      expect(await left()).toEqual([last.id])
      expect(await fixture.user(last.id)).toEqual(before)
    },
  )
})

describe('the last two administrators', () => {
  const two = async () => {
    const [item, entry] = [await makeAdmin(), await makeAdmin()]
    await only(item.id, entry.id)
    const [first, second] = [await fixture.signedIn(item.username), await fixture.signedIn(entry.username)]
    // Loads the rights of both into the cache; otherwise the lookups would run one after the other.
    for (const as of [first, second]) expect((await fixture.get('/system/user/page?pageSize=1', as)).code).toBe(200)
    return { one: item, other: entry, first, second }
  }

  it.each(calls)('keep one of the two when both remove each other at the same time by %s', async (_name, way) => {
    for (let round = 0; round < 3; round += 1) {
      const { one, other, first, second } = await two()
      const answers = await Promise.all([way(other, first), way(one, second)])
      expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
      expect(await left()).toHaveLength(1)
    }
  })

  it.each(calls.slice(1).map(([name, way], at) => [calls[at]?.[0] ?? '', name, calls[at]?.[1] ?? way, way] as const))(
    'nor one by %s and the other by %s',
    async (_one, _other, way, otherWay) => {
      const { one, other, first, second } = await two()
      const answers = await Promise.all([way(other, first), otherWay(one, second)])
      expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
      expect(await left()).toHaveLength(1)
    },
  )

  it.each(['good', 'all'])('cannot remove each other by a sheet (%s) and a call', async (query) => {
    const { one, other, first, second } = await two()
    const { id } = await imported(other, first, { status: '停用', query })
    const way = send('PATCH', (userId) => `/api/v1/users/${userId}/status?status=0`)
    const { code } = await way(one, second)
    const job = await ended(id)
    const byCall = code === 200
    expect({ byCall, bySheet: job.state === 'DONE' && job.counts['updated'] === 1 }).toEqual({
      byCall,
      bySheet: !byCall,
    })
    expect(await left()).toEqual([byCall ? other.id : one.id])
  })
})
