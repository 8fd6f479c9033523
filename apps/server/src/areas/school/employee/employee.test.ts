import { localDay } from '@tocsin/contract/security/hours'
import { codes } from '@tocsin/contract/codes'
import {
  type EmployeeStatus,
  type EmployeeVerb,
  employeeRule,
  employeeVerbNames,
  whyNotEmployeeVerb,
} from '@tocsin/contract/school/employee-lifecycle'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDept, makeSchool, makeUser } from '../../../../seed/fixtures.ts'
import { type AdminServer, errorFields, pageIn, startAdminServer } from '../../../../test/admin-server.ts'
import type { ApiResponse } from '../../../../test/console.ts'
import { employeeRoutes } from './routes.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

const E = '/school/employee'
const every = ['query', 'create', 'update', 'delete', 'leave', 'account', 'export'].map(
  (verb) => `school:employee:${verb}`,
)

let site: AdminServer
let school: { id: number; deptId: number; name: string }
let other: { id: number; deptId: number }
/** Maintains the register of the first school; sees masks. */
let keeper: { token: string; userId: number }
/** Maintains that of the other. */
let stranger: string
beforeAll(async () => {
  site = await startAdminServer((db) => employeeRoutes({ db }))
  school = await makeSchool(site.site.db, { name: '湖滨小学' })
  other = await makeSchool(site.site.db)
  const inSchool = async (clerk: { token: string; userId: number }, deptId: number) => {
    await site.all.updateTable('users').set({ deptId }).where('id', '=', clerk.userId).execute()
    return clerk
  }
  keeper = await inSchool(await site.clerk(...every), school.deptId)
  stranger = (await inSchool(await site.clerk(...every), other.deptId)).token
})
afterAll(() => site.end())

let made = 0
const draft = (more: object = {}) => {
  made += 1
  return { employeeNo: `T-${made}`, name: `张三${made}`, kind: 'GUARD', schoolId: school.id, ...more }
}
const create = async (more: object = {}, token = site.adminToken): Promise<number> => {
  const answer = await site.call('POST', `${E}/create`, draft(more), token)
  expect(answer).toMatchObject({ code: 200 })
  return answer.data as unknown as number
}
const get = async (id: number, token = site.adminToken) =>
  (await site.call('GET', `${E}/get?id=${id}`, undefined, token)).data
const act = async (verb: string, id: number, more: object = {}, token = site.adminToken): Promise<ApiResponse> => {
  const { version } = await site.all
    .selectFrom('employee')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return site.call(
    verb === 'update' || verb === 'link-account' ? 'PUT' : 'POST',
    `${E}/${verb}`,
    { id, version, ...more },
    token,
  )
}

describe('people', () => {
  it('are created in the department of their school, changed and deleted, with audit and events', async () => {
    const channels = [
      { channel: 'SMS', quietFrom: '22:00', quietTo: '06:30' },
      { channel: 'VOICE', quietFrom: null, quietTo: null },
    ]
    const id = await create({ mobile: '13812340001', channels, schoolIds: [other.id] })
    expect(await get(id)).toMatchObject({
      deptId: school.deptId,
      schoolName: '湖滨小学',
      status: 'ACTIVE',
      channels,
      schoolIds: [other.id],
      certDue: false,
    })
    expect(await act('update', id, { post: '门卫', schoolIds: [] })).toMatchObject({ code: 200 })
    expect(await get(id)).toMatchObject({ post: '门卫', schoolIds: [], channels })
    const stale = await site.call('PUT', `${E}/update`, { id, version: 1, post: '巡查' })
    expect(stale).toMatchObject({ code: codes.stale.code, data: { current: { post: '门卫' } } })
    expect(await site.call('DELETE', `${E}/delete?id=${id}`)).toMatchObject({ code: 200 })
    expect(await site.audited('employee', id)).toEqual(
      expect.arrayContaining(['school:employee:create', 'school:employee:update', 'school:employee:delete']),
    )
    expect((await site.events('employee.changed')).filter(({ ref }) => ref === id)).toHaveLength(3)
  })

  it('name the invalid field', async () => {
    const reject = async (more: object, token = site.adminToken) =>
      errorFields(await site.call('POST', `${E}/create`, draft(more), token))
    expect(await reject({ mobile: '1234' })).toEqual(['mobile'])
    expect(await reject({ schoolId: other.id }, keeper.token)).toEqual(['schoolId'])
    expect(await reject({ schoolIds: [other.id] }, keeper.token)).toEqual(['schoolIds'])
    const half = [{ channel: 'SMS', quietFrom: '22:00', quietTo: null }]
    expect(await reject({ channels: half })).toEqual(['channels'])
    const number = draft()
    await site.call('POST', `${E}/create`, number)
    expect(await site.call('POST', `${E}/create`, number)).toMatchObject({
      code: codes.duplicate.code,
      msg: expect.stringContaining('工号'),
    })
  })

  it('are invisible to users of another school, in the list, by id, in selects and for changes', async () => {
    const id = await create({}, keeper.token)
    expect(pageIn(await site.call('GET', `${E}/page?keyword=T-`, undefined, stranger)).total).toBe(0)
    expect(await site.call('GET', `${E}/get?id=${id}`, undefined, stranger)).toMatchObject({ code: 404 })
    expect(await site.call('GET', `${E}/named-as?id=${id}`, undefined, stranger)).toMatchObject({ code: 404 })
    expect((await site.call('GET', `${E}/simple-list?ids=${id}`, undefined, stranger)).data).toEqual([])
    expect(await act('update', id, { post: '巡查' }, stranger)).toMatchObject({ code: 404 })
    expect(await act('leave', id, { reason: '辞职' }, stranger)).toMatchObject({ code: 404 })
    const listed = await site.call('GET', `${E}/simple-list?schoolId=${school.id}`, undefined, keeper.token)
    expect(listed.data).toContainEqual(expect.objectContaining({ id, kind: 'GUARD' }))
  })

  it('show their number to users with the permission, audited, and masked to others', async () => {
    const id = await create({ mobile: '13812349876' })
    expect(await get(id)).toMatchObject({ mobile: '13812349876' })
    expect(await site.audited('employee', id)).toContain('school:employee:reveal')
    expect(await get(id, keeper.token)).toMatchObject({ mobile: '138****9876' })
    const found = async (text: string) =>
      pageIn(await site.call('GET', `${E}/page?keyword=${encodeURIComponent(text)}`, undefined, keeper.token)).total
    expect([await found('13812349876'), await found('9876'), await found('12349')]).toEqual([1, 1, 0])
    const sheet = await site.site.app.inject({
      url: `/admin-api${E}/export?format=csv`,
      headers: { authorization: `Bearer ${keeper.token}` },
    })
    expect(sheet.body).toContain('138****9876')
    expect(sheet.body).not.toContain('13812349876')
  })

  it('keep a number whose mask is sent back, and mark another as unverified', async () => {
    const id = await create({ mobile: '13812345555' })
    await site.all.updateTable('employee').set({ mobileVerifiedAt: new Date() }).where('id', '=', id).execute()
    expect(await act('update', id, { mobile: '138****5555' }, keeper.token)).toMatchObject({ code: 200 })
    expect(await get(id)).toMatchObject({ mobile: '13812345555', mobileVerifiedAt: expect.any(Number) })
    expect(errorFields(await act('update', id, { mobile: '139****5555' }, keeper.token))).toEqual(['mobile'])
    expect(await act('update', id, { mobile: '13912345555' }, keeper.token)).toMatchObject({ code: 200 })
    expect(await get(id)).toMatchObject({ mobile: '13912345555', mobileVerifiedAt: null })
  })

  it('are warned thirty days before their certificate expires', async () => {
    const day = (days: number) => localDay(new Date(Date.now() + days * 86_400_000))
    const near = await create({ certExpiresOn: day(20), name: '临期甲' })
    const far = await create({ certExpiresOn: day(60), name: '临期乙' })
    expect(await get(near)).toMatchObject({ certDue: true })
    expect(await get(far)).toMatchObject({ certDue: false })
    const { list } = pageIn(await site.call('GET', `${E}/page?keyword=${encodeURIComponent('临期')}&certDue=true`))
    expect(list).toEqual([expect.objectContaining({ id: near })])
  })
})

describe('accounts of people', () => {
  it('are created with the role of the kind, and disabled in the transaction of leaving', async () => {
    const id = await create({ mobile: '13812347777', kind: 'GUARD' })
    const password = 'Maple-river-77'
    const answer = await act('create-account', id, { username: 'guard77', password })
    const userId = answer.data as unknown as number
    expect(await get(id)).toMatchObject({ userId, username: 'guard77', accountEnabled: true })
    const roles = await site.site.db
      .selectFrom('userRole')
      .innerJoin('role', 'role.id', 'userRole.roleId')
      .select('code')
      .where('userId', '=', userId)
      .execute()
    expect(roles).toEqual([{ code: 'guard' }])
    expect(await act('create-account', id, { username: 'guard78', password })).toMatchObject({
      code: codes.employeeHasAccount.code,
    })
    expect(await site.call('DELETE', `${E}/delete?id=${id}`)).toMatchObject({ code: codes.employeeDeleteLinked.code })
    // The only alarm recipient there.
    expect((await site.call('GET', `${E}/named-as?id=${id}`)).data).toEqual([
      { what: 'LAST_RECIPIENT', where: '湖滨小学', schoolId: school.id },
    ])
    expect(await act('leave', id, { reason: '辞职' })).toMatchObject({ code: codes.employeeLastRecipient.code })
    expect(await get(id)).toMatchObject({ status: 'ACTIVE', accountEnabled: true })
    await makeUser(site.site.db, { deptId: school.deptId, roles: ['guard'] })
    const admin = await makeUser(site.site.db, { deptId: school.deptId, roles: ['school_admin'] })
    const contacts = [{ role: 'GUARD_ROOM', name: '保安室', phone: '138-1234-7777' }]
    await site.all
      .updateTable('school')
      .set({ emergencyContacts: JSON.stringify(contacts) as never })
      .where('id', '=', school.id)
      .execute()
    expect(await act('leave', id, { reason: '辞职' })).toMatchObject({ code: 200 })
    expect(await get(id)).toMatchObject({ status: 'LEFT', accountEnabled: false })
    expect(await site.audited('users', userId)).toContain('system:user:update-status')
    const notices = await site.all
      .selectFrom('noticeUser')
      .innerJoin('notice', 'notice.id', 'noticeUser.noticeId')
      .select(['userId', 'content'])
      .execute()
    expect(notices).toEqual([{ userId: admin.id, content: expect.stringContaining('应急联系人') }])
    expect((await site.call('GET', `${E}/simple-list?keyword=T-`)).data).not.toContainEqual(
      expect.objectContaining({ id }),
    )
  })

  it('tells every school that names a leaving person, and its district', async () => {
    const district = await makeDept(site.site.db, { kind: 'EDU_BUREAU', name: '北区教育局' })
    const named = await makeSchool(site.site.db, { name: '北山小学', eduDeptId: district.id })
    const admin = await makeUser(site.site.db, { deptId: named.deptId, roles: ['school_admin'] })
    const bureau = await makeUser(site.site.db, { deptId: district.id, roles: ['edu_bureau'] })
    const id = await create({ schoolId: null, deptId: site.here.deptId, kind: 'POLICE', mobile: '13812348100' })
    await site.all
      .updateTable('school')
      .set({ legalViceHeadId: id, dutyPhone: '138-1234-8100' })
      .where('id', '=', named.id)
      .execute()
    expect(await act('leave', id, { reason: '调离' })).toMatchObject({ code: 200 })
    const told = await site.all
      .selectFrom('noticeUser')
      .innerJoin('notice', 'notice.id', 'noticeUser.noticeId')
      .select(['userId', 'content'])
      .where('userId', 'in', [admin.id, bureau.id])
      .orderBy('userId')
      .execute()
    const content = expect.stringContaining('北山小学 法治副校长；北山小学 值班电话')
    expect(told).toEqual([
      { userId: admin.id, content },
      { userId: bureau.id, content },
    ])
  })

  it('get no more permissions than the creator has', async () => {
    const id = await create({}, keeper.token)
    const answer = await act('create-account', id, { username: 'guard90', password: 'Maple-river-90' }, keeper.token)
    const roles = await site.site.db
      .selectFrom('userRole')
      .select('roleId')
      .where('userId', '=', answer.data as unknown as number)
      .execute()
    expect({ code: answer.code, roles }).toEqual({ code: 200, roles: [] })
  })

  /** A person of the first school whose account has the role of the kind. */
  const createLinked = async (username: string, more: object = {}) => {
    const id = await create(more)
    const answer = await act('create-account', id, { username, password: 'Maple-river-55' })
    return { id, userId: answer.data as unknown as number }
  }
  const account = (id: number) =>
    site.all.selectFrom('users').select(['deptId', 'mobile']).where('id', '=', id).executeTakeFirstOrThrow()

  it('get the new number of their person, and its owner is told', async () => {
    const { id, userId } = await createLinked('teacher60', { kind: 'TEACHER', mobile: '13812346001' })
    expect(await act('update', id, { mobile: '13812346002' }, keeper.token)).toMatchObject({ code: 200 })
    expect(await account(userId)).toMatchObject({ mobile: '13812346002' })
    expect(await site.audited('users', userId)).toContain('system:user:update')
    const told = await site.all
      .selectFrom('noticeUser')
      .innerJoin('notice', 'notice.id', 'noticeUser.noticeId')
      .select('content')
      .where('userId', '=', userId)
      .execute()
    expect(told).toEqual([{ content: expect.stringContaining('138****6002') }])
    const boss = await createLinked('guard61', { mobile: '13812346003' })
    expect(await act('update', boss.id, { mobile: '13812346004' }, keeper.token)).toMatchObject({
      code: codes.moreRights.code,
    })
    expect(await account(boss.userId)).toMatchObject({ mobile: '13812346003' })
  })

  it('move with their person to another school, whose administrators can then mark them as left', async () => {
    const { id, userId } = await createLinked('guard62')
    expect(await act('update', id, { schoolId: null, deptId: site.here.deptId })).toMatchObject({
      code: codes.employeeAccountOfSchool.code,
    })
    expect(await act('update', id, { schoolId: other.id })).toMatchObject({ code: 200 })
    expect(await account(userId)).toMatchObject({ deptId: other.deptId })
    const profile = site.all.selectFrom('merchantProfile').select('schoolId').where('userId', '=', userId)
    expect(await profile.executeTakeFirst()).toEqual({ schoolId: other.id })
    // The only alarm recipient there.
    expect(await act('update', id, { schoolId: school.id })).toMatchObject({ code: codes.employeeLastRecipient.code })
    await site.all.deleteFrom('userRole').where('userId', '=', userId).execute()
    expect(await act('leave', id, { reason: '辞职' }, stranger)).toMatchObject({ code: 200 })
    expect(await get(id)).toMatchObject({ status: 'LEFT', accountEnabled: false })
  })

  it('are linked within the organization, each to one person', async () => {
    const [first, second] = [await create(), await create()]
    const user = await makeUser(site.site.db, { deptId: school.deptId })
    const outside = await makeUser(site.site.db, { deptId: other.deptId })
    expect(errorFields(await act('link-account', first, { userId: outside.id }))).toEqual(['userId'])
    expect(await act('link-account', first, { userId: user.id })).toMatchObject({ code: 200 })
    expect(await act('link-account', second, { userId: user.id })).toMatchObject({
      code: codes.employeeAccountTaken.code,
    })
    expect(await act('link-account', first, { userId: null })).toMatchObject({ code: 200 })
  })

  it('are offered when they are enabled, of the organization and nobody has them, the same name first', async () => {
    const id = await create({ name: '可关联人' })
    const account = (more: object) => makeUser(site.site.db, { deptId: school.deptId, ...more })
    const near = await account({ username: 'link.b', nickname: '可关联甲' })
    const same = await account({ username: 'link.c', nickname: '可关联人' })
    await account({ username: 'link.d', nickname: '可关联停用', enabled: false })
    await account({ username: 'link.e', nickname: '可关联外校', deptId: other.deptId })
    const taken = await account({ username: 'link.f', nickname: '可关联乙' })
    expect(await act('link-account', await create(), { userId: taken.id })).toMatchObject({ code: 200 })
    const offered = (keyword: string, token = keeper.token) =>
      site.call('GET', `${E}/accounts?id=${id}&keyword=${encodeURIComponent(keyword)}`, undefined, token)
    const row = ({ id: userId, username, nickname }: typeof near) => ({ id: userId, username, nickname })
    expect((await offered('可关联')).data).toEqual([row(same), row(near)])
    expect((await offered('LINK.B')).data).toEqual([row(near)])
    expect(await offered('', stranger)).toMatchObject({ code: 404 })
    const reader = await site.clerk('school:employee:query')
    expect(await offered('', reader.token)).toMatchObject({ code: 403 })
  })
})

type Model = { status: EmployeeStatus }
class Verb implements fc.AsyncCommand<Model, number> {
  readonly verb: EmployeeVerb
  constructor(verb: EmployeeVerb) {
    this.verb = verb
  }
  check = () => true
  toString = () => this.verb
  async run(model: Model, id: number) {
    const { to, asksReason } = employeeRule(this.verb)
    const why = whyNotEmployeeVerb(this.verb, model.status)
    const answer = await act(this.verb, id, asksReason ? { reason: '辞职' } : {})
    expect(answer.code).toBe(why?.code ?? 200)
    if (!why) model.status = to
    const { status, leftAt } = (await get(id)) as unknown as { status: EmployeeStatus; leftAt: number | null }
    expect({ status, hasLeft: leftAt !== null }).toEqual({ status: model.status, hasLeft: status === 'LEFT' })
  }
}

it('stays within the table of states for any sequence of verbs', async () => {
  const commands = fc.commands(
    employeeVerbNames.map((verb) => fc.constant(new Verb(verb))),
    { maxCommands: 8 },
  )
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const id = await create()
      await fc.asyncModelRun(
        (): { model: Model; real: number } => ({ model: { status: 'ACTIVE' }, real: id }),
        sequence,
      )
    }),
    { numRuns: sampleSize(10) },
  )
})
