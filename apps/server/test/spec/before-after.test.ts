import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../seed/fixtures.ts'
import { unscoped } from '../../src/db/scope.ts'
import { startFullServer, PASSWORD, type FullServer } from '../full-server.ts'

// The operation log contains every change of a user before and after, field by field, without secrets.

let site: FullServer
let token = ''
let someone = 0
const kept: Record<string, number> = {}

type Write = {
  call: string
  body?: object
  keep?: string
  subject: string
  /** The name under which the row's id is stored. */
  of: string
  before: object | null
  after: object | null
}

const make = (of: string, subject: string, [call, body]: [string, object]): Write => {
  const { password: _password, status: _status, ...disclosure } = body as Record<string, unknown>
  return { call: `POST ${call}`, body, keep: of, subject, of, before: null, after: disclosure }
}
const change = (write: Omit<Write, 'before' | 'after'>, before: object | null, after: object | null): Write => ({
  ...write,
  before,
  after,
})
const gone = (call: string, of: string, subject: string, before: object): Write =>
  change({ call: `DELETE ${call}`, of, subject }, before, null)

const users: Write[] = [
  make('user', 'users', ['/system/user/create', { username: 'audited', nickname: '甲', password: PASSWORD }]),
  change(
    {
      call: 'PUT /system/user/update',
      body: { id: '{{user}}', nickname: '乙', remark: '备' },
      of: 'user',
      subject: 'users',
    },
    { nickname: '甲', remark: null },
    { nickname: '乙', remark: '备' },
  ),
  change(
    { call: 'PUT /system/user/update-status', body: { id: '{{user}}', status: 1 }, of: 'user', subject: 'users' },
    { enabled: true },
    { enabled: false },
  ),
  change(
    {
      call: 'PUT /system/user/update-password',
      body: { id: '{{user}}', password: 'Other-brook-43' },
      of: 'user',
      subject: 'users',
    },
    { mustChangePassword: true },
    { mustChangePassword: true },
  ),
  make('role', 'role', ['/system/role/create', { name: '甲', code: 'audited', sort: 1 }]),
  change(
    {
      call: 'POST /system/permission/assign-user-role',
      body: { userId: '{{user}}', roleIds: ['{{role}}'] },
      of: 'user',
      subject: 'users',
    },
    { roleIds: [] },
    { roleIds: [expect.any(Number)] },
  ),
  change(
    {
      call: 'POST /system/permission/assign-role-menu',
      body: { roleId: '{{role}}', menuIds: [1] },
      of: 'role',
      subject: 'role',
    },
    { menuIds: [] },
    { menuIds: [1] },
  ),
  change(
    {
      call: 'POST /system/permission/assign-role-data-scope',
      body: { roleId: '{{role}}', dataScope: 5 },
      of: 'role',
      subject: 'role',
    },
    { dataScope: 'DEPT' },
    { dataScope: 'SELF' },
  ),
  change(
    { call: 'PUT /system/role/update', body: { id: '{{role}}', name: '乙' }, of: 'role', subject: 'role' },
    { name: '甲' },
    { name: '乙' },
  ),
  change(
    { call: 'PUT /system/role/update-status', body: { id: '{{role}}', status: 1 }, of: 'role', subject: 'role' },
    { enabled: true },
    { enabled: false },
  ),
  gone('/system/user/delete?id={{user}}', 'user', 'users', { username: 'audited', roleIds: [expect.any(Number)] }),
  gone('/system/role/delete?id={{role}}', 'role', 'role', { code: 'audited', menuIds: [1] }),
]

const trees: Write[] = (['dept', 'menu'] as const).flatMap((tree) => {
  const more = tree === 'dept' ? {} : { type: 1, path: 'x' }
  const top = tree === 'dept' ? { parentId: 1 } : { parentId: 0 }
  const path = tree === 'dept' ? {} : { path: '/audited' }
  const below = (name: string, sort: number) => ({ name, sort, parentId: '{{top}}', ...more })
  const toFields = ({ name, sort }: { name: string; sort: number }) => ({ name, sort })
  const add = (of: string, sort: number): Write => ({
    ...make(of, tree, [`/system/${tree}/create`, below(of, sort)]),
    after: toFields({ name: of, sort }),
  })
  return [
    {
      ...make('top', tree, [`/system/${tree}/create`, { name: '顶', sort: 9, ...more, ...top, ...path }]),
      after: { name: '顶' },
    },
    add('first', 1),
    add('second', 2),
    change(
      { call: `PUT /system/${tree}/update`, body: { id: '{{first}}', name: '改' }, of: 'first', subject: tree },
      { name: 'first' },
      { name: '改' },
    ),
    change(
      {
        call: `PUT /system/${tree}/move`,
        body: { id: '{{second}}', parentId: '{{top}}', beforeId: '{{first}}' },
        of: 'second',
        subject: tree,
      },
      { sort: 2 },
      { sort: 1 },
    ),
    // Moved by the same call to make room.
    change({ call: '', of: 'first', subject: tree }, { sort: 1 }, { sort: 2 }),
    gone(`/system/${tree}/delete?id={{first}}`, 'first', tree, { name: '改', sort: 2 }),
  ]
})

const rest: Write[] = [
  make('type', 'dict_type', ['/system/dict-type/create', { name: '甲', type: 'audited', status: 0 }]),
  change(
    { call: 'PUT /system/dict-type/update', body: { id: '{{type}}', name: '乙' }, of: 'type', subject: 'dict_type' },
    { name: '甲' },
    { name: '乙' },
  ),
  make('data', 'dict_data', [
    '/system/dict-data/create',
    { dictType: 'audited', label: '甲', value: '1', sort: 1, status: 0 },
  ]),
  change(
    { call: 'PUT /system/dict-data/update', body: { id: '{{data}}', label: '乙' }, of: 'data', subject: 'dict_data' },
    { label: '甲' },
    { label: '乙' },
  ),
  gone('/system/dict-data/delete?id={{data}}', 'data', 'dict_data', { label: '乙', value: '1' }),
  gone('/system/dict-type/delete?id={{type}}', 'type', 'dict_type', { name: '乙' }),
  make('setting', 'config', [
    '/infra/config/create',
    { category: 'custom', name: '甲', key: 'audited.key', value: 'x', visible: true },
  ]),
  change(
    { call: 'PUT /infra/config/update', body: { id: '{{setting}}', value: 'y' }, of: 'setting', subject: 'config' },
    { value: 'x' },
    { value: 'y' },
  ),
  gone('/infra/config/delete?id={{setting}}', 'setting', 'config', { key: 'audited.key', value: 'y' }),
  { ...make('notice', 'notice', ['/system/notice/create', { title: '甲', type: '1', content: '<p>x</p>' }]) },
  change(
    { call: 'PUT /system/notice/update', body: { id: '{{notice}}', title: '乙' }, of: 'notice', subject: 'notice' },
    { title: '甲' },
    { title: '乙' },
  ),
  change(
    { call: 'POST /system/notice/push?id={{notice}}', of: 'notice', subject: 'notice' },
    { state: 'DRAFT' },
    { state: 'PUBLISHED' },
  ),
  change(
    { call: 'PATCH /api/v1/notices/{{notice}}/revoke', of: 'notice', subject: 'notice' },
    { state: 'PUBLISHED' },
    { state: 'REVOKED' },
  ),
  gone('/system/notice/delete?id={{notice}}', 'notice', 'notice', { title: '乙' }),
]

beforeAll(async () => {
  site = await startFullServer()
  token = await site.session(site.admin)
  someone = (await makeUser(site.db, { username: 'own', password: PASSWORD, mustChangePassword: false })).id
})
afterAll(() => site.close())

const filled = (text: string) =>
  text.replaceAll(/"?\{\{(\w+)\}\}"?/g, (_, name: string) => String(kept[name] ?? `no ${name}`))

const rows = (subject: string, id: number) =>
  unscoped(site.db, 'tests look at every row')
    .selectFrom('auditLog')
    .select(['action', 'before', 'after', 'userId', 'ip', 'result'])
    .where('subject', '=', subject)
    .where('subjectId', '=', id)
    .orderBy('id', 'desc')
    .execute()

const send = async (call: string, body?: object, as = token) => {
  const [method = '', path = ''] = filled(call).split(' ')
  const payload = body && { payload: JSON.parse(filled(JSON.stringify(body))) as object }
  const { text } = await site.call(method, path, { token: as, ...payload })
  return JSON.parse(text) as { code: number; msg: string; data: unknown }
}

describe('a write', () => {
  it.each([...users, ...trees, ...rest])('$call of $of logs before $before and after $after', async (write) => {
    if (write.call) {
      const { code, msg, data } = await send(write.call, write.body)
      expect({ code, msg }).toEqual({ code: 200, msg: '' })
      if (write.keep) kept[write.keep] = Number(data)
    }
    const [last] = await rows(write.subject, kept[write.of] ?? 0)
    expect(last).toMatchObject({ userId: site.admin, ip: '127.0.0.1', result: 200 })
    if (write.before) expect(last?.before).toMatchObject(write.before)
    else expect(last?.before).toBeNull()
    if (write.after) expect(last?.after).toMatchObject(write.after)
    else expect(last?.after).toBeNull()
  })

  it('to the own account is logged alike', async () => {
    const own = await site.session(someone)
    const last = async () => (await rows('users', someone))[0]
    expect((await send('PUT /profile/update', { sex: 2 }, own)).code).toBe(200)
    expect(await last()).toMatchObject({ before: { sex: expect.any(String) }, after: { sex: 'FEMALE' } })
    const change = { oldPassword: PASSWORD, newPassword: 'Other-brook-43' }
    expect((await send('PUT /profile/update-password', change, own)).code).toBe(200)
    expect(await last()).toMatchObject({
      before: { mustChangePassword: false },
      after: { mustChangePassword: false },
    })
  })

  it('leaves no secret behind', async () => {
    const all = unscoped(site.db, 'tests look at every row')
    const states = await all.selectFrom('auditLog').select(['before', 'after']).execute()
    expect(states.length).toBeGreaterThan(40)
    const text = JSON.stringify(states)
    const hashes = await all.selectFrom('users').select('passwordHash').execute()
    const secrets = [PASSWORD, 'Other-brook-43', '$argon2', ...hashes.flatMap(({ passwordHash }) => passwordHash ?? [])]
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    expect(text).not.toMatch(/"(password|passwordHash|codeHash|secret|token\w*)":/i)
  })
})
