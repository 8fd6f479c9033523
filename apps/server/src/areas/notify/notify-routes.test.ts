import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AdminFixture, openAdminFixture, password } from '../../../test/admin-fixture.ts'
import { makeUser } from '../../../seed/fixtures.ts'
import { unscoped } from '#db/scope'
import { planDeliveries } from './plan.ts'
import { findRecipients, findTargetUsers } from './targets.ts'
import { findPolicy } from './policy/find-policy.ts'
import { deliveryRoutes } from './delivery-list.ts'
import { policyRoutes } from './policy/routes.ts'
import { seedPolicies } from './policy/policy-seed.ts'

let site: AdminFixture
let colleague: { id: number }
let guard: { id: number }
let lead: { token: string }
let guardSession: { token: string }
beforeAll(async () => {
  site = await openAdminFixture((db) => [...deliveryRoutes({ db }), ...policyRoutes({ db })])
  await seedPolicies(site.db)
  const person = (username: string, deptId: number, roles: string[]) =>
    makeUser(site.db, { username, password, deptId, roles })
  // Created first, so that the order of ids is not the order of duty.
  colleague = await person('guard8', site.eastSchool.deptId, ['guard'])
  guard = await person('guard9', site.eastSchool.deptId, ['guard'])
  await person('lead9', site.eastSchool.deptId, ['school_admin'])
  await person('west9', site.westSchool.deptId, ['school_admin'])
  lead = await site.signedIn('lead9')
  guardSession = await site.signedIn('guard9')
})
afterAll(() => site.close())

const plan = (key: string) =>
  site.db.transaction().execute((trx) =>
    planDeliveries(trx, {
      subject: { type: 'RECORD', id: 5 },
      schoolId: site.eastSchool.id,
      deptId: site.eastSchool.deptId,
      level: 1,
      title: '一级 紧急报警',
      body: '304 教室',
      userIds: [guard.id],
      channels: ['INAPP', 'SMS'],
      key,
    }),
  )
type Row = { id: number; channel: string; state: string; address: string | null }
const list = async (as: { token: string }, filter = '') =>
  (await site.get(`/notify/delivery/page?pageSize=50${filter}`, as)).data.list as unknown as Row[]

describe('deliveries', () => {
  it('are listed only to users who see the school', async () => {
    await plan('a')
    expect((await list(lead)).map(({ channel, state }) => `${channel} ${state}`).toSorted()).toEqual([
      'INAPP SENT',
      'SMS SUPPRESSED',
    ])
    expect(await list(await site.signedIn('west9'))).toEqual([])
    expect((await site.get('/notify/delivery/page', guardSession)).code).toBe(codes.forbidden.code)
    expect(await list(lead, '&state=SUPPRESSED&channel=SMS')).toHaveLength(1)
    expect(await list(lead, '&reason=CLAIMED')).toEqual([])
  })

  it('are sent again as a new delivery with audit, and not when there is no address', async () => {
    const rows = await list(lead)
    const inApp = rows.find(({ channel }) => channel === 'INAPP')
    const again = await site.post('/notify/delivery/resend', { id: inApp?.id }, lead)
    expect(again.code).toBe(200)
    const newId = Number(again.data)
    expect(await site.audits('delivery', newId)).toMatchObject([{ action: 'notify:delivery:resend' }])
    const copy = (await list(lead)).find(({ id }) => id === newId)
    expect(copy).toMatchObject({ state: 'SENT', resendOfId: inApp?.id })
    expect((await site.post('/notify/delivery/resend', { id: inApp?.id }, await site.signedIn('west9'))).code).toBe(
      codes.notFound.code,
    )
  })

  it('are in the inbox of the recipient, who confirms only the own ones', async () => {
    const mine = (await site.get('/notify/my-delivery/list', guardSession)).data as unknown as Row[]
    expect(mine.length).toBeGreaterThan(0)
    await site.post('/notify/my-delivery/read', { ids: mine.map(({ id }) => id) }, lead)
    expect((await site.get('/notify/my-delivery/list', guardSession)).data).toHaveLength(mine.length)
    await site.post('/notify/my-delivery/read', { ids: mine.map(({ id }) => id) }, guardSession)
    expect((await site.get('/notify/my-delivery/list', guardSession)).data).toEqual([])
  })
})

const draft = {
  name: '欺凌策略',
  enabled: true,
  class: 'BULLY',
  level: 1,
  steps: [{ afterSec: 0, targets: [{ kind: 'ROLE', roleCode: 'guard' }], channels: ['INAPP'] }],
  loops: 1,
  fallback: { targets: [{ kind: 'STATION' }], channels: ['VOICE'] },
}

/** A shift of the guard at a gate, from `from` until `to` hours from now. */
const putOnShift = async (from: number, to: number) => {
  const all = unscoped(site.db, 'test data')
  const { eastSchool } = site
  const employee = await all
    .insertInto('employee')
    .values({
      schoolId: eastSchool.id,
      deptId: eastSchool.deptId,
      employeeNo: 'G9',
      name: 'guard9',
      kind: 'GUARD',
      userId: guard.id,
    })
    .onConflict((conflict) => conflict.constraint('employee_user_key').doUpdateSet({ name: 'guard9' }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const post = await all
    .insertInto('securityPost')
    .values({ schoolId: eastSchool.id, name: 'gate', type: 'GATE', fromMin: 0, toMin: 0, checkCode: randomUUID() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const hours = (count: number) => sql<Date>`now() + make_interval(hours => ${count})`
  await all
    .insertInto('shift')
    .values({
      postId: post.id,
      schoolId: eastSchool.id,
      employeeId: employee.id,
      fromAt: hours(from),
      toAt: hours(to),
      publishedAt: hours(from - 1),
    })
    .execute()
}

describe('escalation policies', () => {
  it('reach the users whose shift at a post of the type goes on, of this school only', async () => {
    const at = { schoolId: site.eastSchool.id, deptId: site.eastSchool.deptId }
    const find = (postType: 'GATE' | 'DORM', place = at) =>
      findTargetUsers(site.db, [{ kind: 'POST', postType }], place)
    await putOnShift(2, 4)
    expect(await find('GATE')).toEqual([])
    await putOnShift(-1, 1)
    expect(await find('GATE')).toEqual([guard.id])
    expect(await find('DORM')).toEqual([])
    expect(await find('GATE', { schoolId: site.westSchool.id, deptId: site.westSchool.deptId })).toEqual([])
  })

  it('are created, changed and deleted with audit, event and version', async () => {
    const { data: id } = await site.post('/notify/policy/create', draft)
    expect((await site.post('/notify/policy/create', { ...draft, name: '另一策略' })).code).toBe(
      codes.policyTarget.code,
    )
    const { data: row } = await site.get(`/notify/policy/get?id=${id}`)
    expect(row).toMatchObject(draft)
    await site.put('/notify/policy/update', { id, version: row.version, loops: 3 })
    expect((await site.put('/notify/policy/update', { id, version: row.version, loops: 2 })).code).toBe(
      codes.stale.code,
    )
    expect((await site.get(`/notify/policy/get?id=${id}`)).data).toMatchObject({ loops: 3, steps: draft.steps })
    await site.remove(`/notify/policy/delete?id=${id}`)
    expect((await site.audits('notify_policy', Number(id))).map(({ action }) => action)).toEqual([
      'notify:policy:create',
      'notify:policy:update',
      'notify:policy:delete',
    ])
    expect((await site.told()).filter(({ type }) => type === 'policy.changed')).toHaveLength(3)
  })

  it('of the nearest department apply, before those for everywhere, and of a class before those for every class', async () => {
    const { id: schoolId, deptId } = site.eastSchool
    const { parentId } = await site.db
      .selectFrom('dept')
      .select('parentId')
      .where('id', '=', deptId)
      .executeTakeFirstOrThrow()
    const loops = async (at: { schoolId: number; deptId: number }, of: 'BULLY' | 'FIRE' | null = 'BULLY') =>
      (await findPolicy(site.db, { ...at, class: of, level: 4 })).loops
    const add = async (name: string, more: object) =>
      expect((await site.post('/notify/policy/create', { ...draft, level: 4, name, ...more })).code).toBe(200)
    await add('region', { deptId: parentId, class: null, loops: 2 })
    expect(await loops({ schoolId, deptId })).toBe(2)
    await add('school', { deptId, class: 'BULLY', loops: 3 })
    expect([await loops({ schoolId, deptId }), await loops({ schoolId, deptId }, 'FIRE')]).toEqual([3, 2])
    expect(await loops({ schoolId, deptId }, null)).toBe(2)
    const { id: west, deptId: westDept } = site.westSchool
    expect(await loops({ schoolId: west, deptId: westDept })).toBe(0)
    const seenBy = async (username: string) =>
      (await site.get('/notify/policy/page?keyword=school', await site.signedIn(username))).data.list
    expect(await seenBy('lead9')).toMatchObject([{ name: 'school' }])
    expect(await seenBy('west9')).toEqual([])
  })

  it('reject two steps at one moment and missing users, naming the field', async () => {
    const same = await site.post('/notify/policy/create', { ...draft, steps: [draft.steps[0], draft.steps[0]] })
    expect(same.data.errors).toMatchObject([{ field: 'steps' }])
    const step = { ...draft.steps[0], targets: [{ kind: 'USER', userId: 999_999 }] }
    const unknown = await site.post('/notify/policy/create', { ...draft, steps: [step] })
    expect(unknown.data.errors).toMatchObject([{ field: 'steps', rule: 'choice' }])
  })

  it('send a test to the caller by a configured channel only', async () => {
    expect((await site.post('/notify/policy/test', { channel: 'INAPP' })).code).toBe(200)
    expect((await site.post('/notify/policy/test', { channel: 'SMS' })).code).toBe(codes.channelNotConfigured.code)
    expect((await site.post('/notify/policy/test', { channel: 'INAPP' }, lead)).code).toBe(codes.forbidden.code)
  })
})

describe('findRecipients', () => {
  const all = () => unscoped(site.db, 'test data')
  const guards = { kind: 'ROLE', roleCode: 'guard' } as const
  const find = (...more: Parameters<typeof findRecipients>[1][number][]) => {
    const { id: schoolId, deptId } = site.eastSchool
    return findRecipients(site.db, [guards, ...more], { schoolId, deptId })
  }
  const checkIn = () =>
    all()
      .updateTable('shift')
      .set({ state: 'CHECKED_IN', checkedInAt: new Date() })
      .where('fromAt', '<=', new Date())
      .execute()
  beforeEach(() => all().deleteFrom('shift').execute())

  it('lets nobody wait when no shift is planned or nobody has checked in', async () => {
    const everybody = { userIds: [colleague.id, guard.id], onDuty: [], waiting: [] }
    expect(await find()).toEqual(everybody)
    await putOnShift(-1, 1)
    expect(await find()).toEqual(everybody)
    await checkIn()
    await all().updateTable('shift').set({ state: 'DONE', checkedOutAt: new Date() }).execute()
    expect(await find()).toEqual(everybody)
  })

  it('names people on duty first, and lets those wait whom only a role names', async () => {
    await putOnShift(-1, 1)
    await checkIn()
    expect(await find()).toEqual({ userIds: [guard.id, colleague.id], onDuty: [guard.id], waiting: [colleague.id] })
    expect(await find({ kind: 'USER', userId: colleague.id })).toMatchObject({ onDuty: [guard.id], waiting: [] })
    const operator = await makeUser(site.db, { username: 'centre9', roles: ['command_operator'] })
    expect(await find({ kind: 'ROLE', roleCode: 'command_operator' })).toEqual({
      userIds: [guard.id, colleague.id, operator.id],
      onDuty: [guard.id],
      waiting: [colleague.id],
    })
  })

  it('lets nobody wait for a person on duty whose account is disabled, or who stands at another school', async () => {
    await putOnShift(-1, 1)
    await checkIn()
    const setEnabled = (enabled: boolean) =>
      all().updateTable('users').set({ enabled }).where('id', '=', guard.id).execute()
    await setEnabled(false)
    expect(await find()).toEqual({ userIds: [colleague.id], onDuty: [], waiting: [] })
    await setEnabled(true)
    await all().updateTable('shift').set({ schoolId: site.westSchool.id }).execute()
    expect(await find()).toMatchObject({ onDuty: [], waiting: [] })
  })
})
