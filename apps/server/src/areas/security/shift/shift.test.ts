import { codes } from '@tocsin/contract/codes'
import { addDays, startOfWeek } from '@tocsin/contract/security/hours'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorFields, pageIn } from '../../../../test/admin-server.ts'
import { type DutyServer, startDutyServer } from '../../../../test/duty-server.ts'
import type { Row } from '#db/tables'
import { tellGaps } from '../gap/gap-notices.ts'
import { shiftTimerHandlers } from './shift-timers.ts'

let site: DutyServer
let postId: number
let ma: { id: number; token: string }
let du: { id: number; token: string }
beforeAll(async () => {
  site = await startDutyServer()
  await site.all.updateTable('school').set({ lng: 120.1, lat: 30.1 }).where('id', '=', site.schoolId).execute()
  postId = await site.post()
  ma = await site.guard('马军')
  du = await site.guard('杜伟')
})
afterAll(() => site.end())

const S = '/security/shift'
const HOUR = 3_600_000
const MINUTE = 60_000
/** A Monday far ahead; each test plans weeks of its own. */
const monday = (week: number) => addDays(startOfWeek(new Date()), 7 * week).getTime()
const plan = (employeeId: number, from: number, hours = 8, more: object = {}) =>
  site.call('POST', `${S}/create`, { postId, employeeId, fromAt: from, toAt: from + hours * HOUR, ...more })
const idOf = ({ data }: { data: unknown }) => data as number
const row = (id: number) => site.all.selectFrom('shift').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const publish = (week: number) => site.call('POST', `${S}/publish`, { week, schoolId: site.schoolId, reason: '已安排' })
/** A published shift with these bounds, as if planned earlier. */
const publishedShift = async (
  employeeId: number,
  from: number,
  to: number,
  state: Row<'shift'>['state'] = 'PLANNED',
) => {
  const { id } = await site.all
    .insertInto('shift')
    .values({
      postId,
      schoolId: site.schoolId,
      employeeId,
      fromAt: new Date(from),
      toAt: new Date(to),
      state,
      publishedAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const verb = (path: string, id: number, more: object, token?: string) =>
  site.call('POST', `${S}/${path}`, { id, ...more }, token)
const clear = () => site.all.deleteFrom('shift').execute()

describe('planning', () => {
  it('rejects a double shift, too little rest, an invalid certificate, and people of another owner', async () => {
    const start = monday(2) + 7 * HOUR
    const first = idOf(await plan(ma.id, start))
    expect((await plan(ma.id, start + HOUR)).code).toBe(codes.shiftDouble.code)
    expect((await plan(ma.id, start + 15 * HOUR)).code).toBe(codes.shiftRest.code)
    expect((await plan(ma.id, start - 15 * HOUR)).code).toBe(codes.shiftRest.code)
    expect((await plan(ma.id, start + 16 * HOUR)).code).toBe(200)
    expect(errorFields(await plan(ma.id, start, 0))).toEqual(['toAt'])
    expect((await plan(ma.id, start, 25)).code).toBe(codes.shiftLong.code)
    const expired = await site.guard('过期', { certNo: '1', certExpiresOn: '2026-01-01' })
    expect((await plan(expired.id, start)).code).toBe(codes.shiftCertificate.code)
    const away = await site.guard('休假', { status: 'LEAVE' })
    expect((await plan(away.id, start)).code).toBe(codes.shiftInactive.code)
    const other = await site.guard('外校', { schoolId: site.otherSchoolId })
    expect((await plan(other.id, start)).code).toBe(codes.notFound.code)
    // Moving a shift compares it with every other shift, not with itself.
    const edit = { id: first, fromAt: start + HOUR, toAt: start + 9 * HOUR }
    expect((await site.call('PUT', `${S}/update`, edit)).code).toBe(codes.shiftRest.code)
    expect((await site.call('PUT', `${S}/update`, { ...edit, toAt: start + 8 * HOUR, version: 1 })).code).toBe(200)
    expect((await site.call('PUT', `${S}/update`, { ...edit, version: 1 })).code).toBe(codes.stale.code)
    await clear()
  })

  it('fills a week in rotation, copies it to the next, and publishes it with audit and event', async () => {
    const fill = await site.call('POST', `${S}/fill-week`, { week: monday(4), postId, employeeIds: [ma.id, du.id] })
    expect(fill.data).toEqual({ created: 14, skipped: 0 })
    const copied = await site.call('POST', `${S}/copy-week`, { week: monday(5), schoolId: site.schoolId })
    expect(copied.data).toEqual({ created: 14, skipped: 0 })
    const again = await site.call('POST', `${S}/copy-week`, { week: monday(5), schoolId: site.schoolId })
    expect(again.code).toBe(codes.shiftNoneCreated.code)
    // The days of a week that are over stay empty.
    const past = await site.call('POST', `${S}/fill-week`, { week: monday(-1), postId, employeeIds: [ma.id, du.id] })
    expect(past.code).toBe(codes.shiftNoneCreated.code)
    expect((await publish(monday(5))).data).toBe(14)
    expect((await publish(monday(5))).code).toBe(codes.shiftNothing.code)
    const calendar = await site.call('GET', `${S}/calendar?from=${monday(5)}&schoolId=${site.schoolId}`)
    const { shifts, posts } = calendar.data as unknown as {
      shifts: { id: number; publishedAt: number }[]
      posts: unknown[]
    }
    expect([posts.length, shifts.length]).toEqual([1, 14])
    expect(shifts.every(({ publishedAt }) => publishedAt > 0)).toBe(true)
    expect(await site.audited('shift', shifts[0]?.id ?? 0)).toEqual(['security:shift:create', 'security:shift:publish'])
    await clear()
  })

  it('hides shifts of other schools, and rejects changes of them', async () => {
    const id = idOf(await plan(ma.id, monday(2)))
    const { token } = await site.clerk('security:shift:query', 'security:shift:update', 'security:shift:gap')
    await site.all.updateTable('role').set({ dataScope: 'SELF' }).where('code', 'like', 'clerk%').execute()
    const read = async (path: string) => (await site.call('GET', path, undefined, token)).data
    expect(await read(`${S}/calendar?from=${monday(2)}`)).toMatchObject({ posts: [], shifts: [] })
    expect(await read(`${S}/page?from=${monday(2)}&to=${monday(3)}`)).toMatchObject({ list: [] })
    expect(await read('/security/gap/page')).toMatchObject({ list: [] })
    expect((await verb('excuse', id, { reason: '病假' }, token)).code).toBe(codes.notFound.code)
    expect((await site.call('DELETE', `${S}/delete?id=${id}`, undefined, token)).code).toBe(codes.notFound.code)
    await clear()
  })
})

describe('check-in', () => {
  it('accepts the person by code or position, and others only manually with a reason', async () => {
    const now = Date.now()
    const id = await publishedShift(ma.id, now - MINUTE, now + HOUR)
    const { data } = await site.call('GET', `/security/post/check-code?id=${postId}`)
    expect((await verb('check-in', id, { method: 'QR', code: 'x' }, ma.token)).code).toBe(codes.shiftWrongCode.code)
    expect((await verb('check-in', id, { method: 'QR', code: data['checkCode'] }, du.token)).code).toBe(
      codes.shiftNotYours.code,
    )
    const far = { method: 'POSITION', lng: 120.11, lat: 30.1 }
    expect((await verb('check-in', id, far, ma.token)).code).toBe(codes.shiftFar.code)
    expect((await verb('check-in', id, { method: 'HAND' })).code).toBe(codes.reasonNeeded.code)
    expect((await verb('check-in', id, { method: 'POSITION', lng: 120.1005, lat: 30.1 }, ma.token)).code).toBe(200)
    expect(await row(id)).toMatchObject({ state: 'CHECKED_IN', checkInMethod: 'POSITION', checkInDistance: 48 })
    expect((await verb('check-out', id, {}, du.token)).code).toBe(codes.shiftNotYours.code)
    expect((await verb('check-out', id, {}, ma.token)).code).toBe(codes.shiftNotOver.code)
    expect((await verb('check-out', id, { reason: '就医' }, ma.token)).code).toBe(200)
    expect((await row(id)).state).toBe('LEFT_EARLY')
    await clear()
  })

  it('rejects a shift that is unpublished, too early or over', async () => {
    const now = Date.now()
    const early = await publishedShift(ma.id, now + HOUR, now + 2 * HOUR)
    const over = await publishedShift(du.id, now - 2 * HOUR, now - HOUR)
    const unpublished = idOf(await plan(du.id, monday(3)))
    const byHand = { method: 'HAND', reason: '补签' }
    expect((await verb('check-in', early, byHand)).code).toBe(codes.shiftTooEarly.code)
    expect((await verb('check-in', over, byHand)).code).toBe(codes.shiftOver.code)
    expect((await verb('check-in', unpublished, byHand)).code).toBe(codes.shiftUnpublished.code)
    await clear()
  })

  it('takes a reason in place of the position when neither the post nor the school has one', async () => {
    const locate = (lng: number | null, lat: number | null) =>
      site.all.updateTable('school').set({ lng, lat }).where('id', '=', site.schoolId).execute()
    await locate(null, null)
    const id = await publishedShift(ma.id, Date.now() - MINUTE, Date.now() + HOUR)
    const fromPhone = { method: 'POSITION', lng: 120.1, lat: 30.1 }
    const refused = await verb('check-in', id, fromPhone, ma.token)
    expect([refused.code, refused.msg]).toEqual([codes.shiftNoPosition.code, codes.shiftNoPosition.zh])
    expect((await verb('check-in', id, { ...fromPhone, reason: '岗位无坐标' }, ma.token)).code).toBe(200)
    const stored = { checkInMethod: 'HAND', checkInReason: '岗位无坐标', checkInDistance: null }
    expect(await row(id)).toMatchObject({ state: 'CHECKED_IN', ...stored })
    await locate(120.1, 30.1)
    await clear()
  })

  it('makes the person available to be sent until the shift ends, unless the person says off duty', async () => {
    const { userId } = await site.all
      .selectFrom('employee')
      .select('userId')
      .where('id', '=', ma.id)
      .executeTakeFirstOrThrow()
    const duty = () =>
      site.all
        .selectFrom('responderDuty')
        .select('onDuty')
        .where('userId', '=', userId ?? 0)
    const isAvailable = async () => (await duty().executeTakeFirst())?.onDuty
    const sayDuty = (onDuty: boolean) => site.all.updateTable('responderDuty').set({ onDuty }).execute()
    const start = (id: number) => verb('check-in', id, { method: 'HAND', reason: '补签' })
    const left = await publishedShift(ma.id, Date.now() - MINUTE, Date.now() + HOUR)
    expect([(await start(left)).code, await isAvailable()]).toEqual([200, true])
    expect((await site.events('assignment.changed')).length).toBeGreaterThan(0)
    await sayDuty(false)
    expect([(await start(left)).code, await isAvailable()]).toEqual([codes.shiftState.code, false])
    await sayDuty(true)
    expect((await verb('check-out', left, { reason: '就医' }, ma.token)).code).toBe(200)
    expect(await isAvailable()).toBe(false)
    await clear()
    await sayDuty(true)
    const forgotten = await publishedShift(ma.id, Date.now() - HOUR, Date.now() - MINUTE, 'CHECKED_IN')
    const end = { kind: 'shift', subjectId: forgotten, step: 'END', epoch: 1 }
    await site.site.db.transaction().execute((trx) => shiftTimerHandlers.shift.execute(trx, [end]))
    expect([(await row(forgotten)).state, await isAvailable()]).toEqual(['DONE', false])
    await clear()
  })
})

describe('the equipment of a post', () => {
  it('is counted at the check-in, stored with the shift and the post, and told when something is gone', async () => {
    const items = [
      { name: '头盔', required: 2, present: 2 },
      { name: '钢叉', required: 2, present: 1 },
    ]
    const armed = await site.post({ name: '北门', equipment: items })
    const now = Date.now()
    const id = await publishedShift(ma.id, now - MINUTE, now + HOUR)
    await site.all.updateTable('shift').set({ postId: armed }).where('id', '=', id).execute()
    const start = (name: string, present: number) =>
      verb('check-in', id, { method: 'HAND', reason: '补签', equipment: [{ name, present }] }, ma.token)
    expect(errorFields(await start('无人机', 1))).toEqual(['equipment'])
    const clerk = await site.clerk('security:post:update')
    await site.all.updateTable('users').set({ deptId: site.here.deptId }).where('id', '=', clerk.userId).execute()
    expect((await start('头盔', 1)).code).toBe(200)
    const found = [{ ...items[0], present: 1 }, items[1]]
    expect((await row(id)).equipmentCheck).toEqual(found)
    const post = (await site.call('GET', `/security/post/get?id=${armed}`)).data
    expect(post).toMatchObject({ equipment: found, missing: 2, equipmentCheckedAt: expect.any(Number) })
    expect(await site.audited('security_post', armed)).toEqual([
      'security:post:create',
      'security:post:check-equipment',
    ])
    const notices = site.all.selectFrom('notice').innerJoin('noticeUser', 'noticeUser.noticeId', 'notice.id')
    const rows = await notices.select('notice.content').where('notice.title', '=', '装备缺少：北门').execute()
    expect(rows.map(({ content }) => content?.includes('头盔 1/2'))).toContain(true)
    await clear()
  })
})

describe('absence', () => {
  it('marks a person late, then absent, and lets another stand in', async () => {
    const now = Date.now()
    const id = await publishedShift(ma.id, now - 31 * MINUTE, now + 8 * HOUR)
    const { execute } = shiftTimerHandlers.shift
    const run = (step: string) =>
      site.site.db.transaction().execute((trx) => execute(trx, [{ kind: 'shift', subjectId: id, step, epoch: 1 }]))
    await run('ABSENT')
    expect((await row(id)).state).toBe('PLANNED')
    await run('LATE')
    expect((await row(id)).state).toBe('LATE')
    await run('ABSENT')
    expect((await row(id)).state).toBe('ABSENT')
    const query = `postId=${postId}&fromAt=${now}&toAt=${now + 8 * HOUR}`
    const free = (await site.call('GET', `${S}/free?${query}`)).data as unknown as { name: string }[]
    expect(free.map(({ name }) => name)).toContain('杜伟')
    const stand = await site.call('POST', `${S}/stand-in`, { shiftId: id, employeeId: du.id })
    expect(await row(idOf(stand))).toMatchObject({ standInFor: id, employeeId: du.id, state: 'PLANNED' })
    // The shift began long ago, but the stand-in is expected from now on.
    const timers = site.all.selectFrom('timer').select(['step', 'dueAt']).where('subjectId', '=', idOf(stand))
    const due = Object.fromEntries((await timers.execute()).map(({ step, dueAt }) => [step, dueAt.getTime() - now]))
    expect(due['LATE']).toBeGreaterThan(4 * MINUTE)
    expect(due['ABSENT']).toBeGreaterThan(29 * MINUTE)
    expect((await site.call('POST', `${S}/stand-in`, { shiftId: idOf(stand), employeeId: ma.id })).code).toBe(
      codes.shiftState.code,
    )
    await clear()
  })
})

describe('a late check-in to a missed shift', () => {
  it('is rejected when the person got another shift at that time, or with too little rest after it', async () => {
    const now = Date.now()
    const byHand = { method: 'HAND', reason: '迟到' }
    const id = await publishedShift(ma.id, now - 2 * HOUR, now + 2 * HOUR, 'ABSENT')
    const next = await publishedShift(ma.id, now + 9 * HOUR, now + 12 * HOUR)
    const refused = await verb('check-in', id, byHand, ma.token)
    expect(refused.code).toBe(codes.shiftRest.code)
    expect(refused.msg).toContain('马军')
    await site.all
      .updateTable('shift')
      .set({ fromAt: new Date(now + HOUR) })
      .where('id', '=', next)
      .execute()
    expect((await verb('check-in', id, byHand, ma.token)).code).toBe(codes.shiftDouble.code)
    await site.all.deleteFrom('shift').where('id', '=', next).execute()
    expect((await verb('check-in', id, byHand, ma.token)).code).toBe(200)
    await clear()
  })
})

/** Titles of the notices to a person since the last call. */
const newNotices = async ({ id }: { id: number }) => {
  const rows = await site.all
    .selectFrom('noticeUser')
    .innerJoin('notice', 'notice.id', 'noticeUser.noticeId')
    .innerJoin('employee', 'employee.userId', 'noticeUser.userId')
    .select(['notice.title', 'notice.content'])
    .where('employee.id', '=', id)
    .where('notice.title', 'not like', '覆盖缺口%')
    .orderBy('notice.id')
    .execute()
  await site.all.deleteFrom('notice').execute()
  return rows
}
const titles = async (person: { id: number }) => (await newNotices(person)).map(({ title }) => title)

describe('a published shift that changes', () => {
  it('is told to who had it and to who has it; an unpublished one to nobody', async () => {
    await newNotices(ma)
    const start = monday(2)
    const draft = idOf(await plan(ma.id, start))
    await site.call('DELETE', `${S}/delete?id=${draft}`)
    const id = await publishedShift(ma.id, start, start + 8 * HOUR)
    const change = (more: object) => site.call('PUT', `${S}/update`, { id, ...more })
    expect((await change({ remark: '带对讲机' })).code).toBe(200)
    expect(await titles(ma)).toEqual([])
    expect((await change({ fromAt: start + HOUR })).code).toBe(200)
    const [result] = await newNotices(ma)
    expect(result).toMatchObject({ title: '班次有改动', content: expect.stringMatching(/东门门卫.*00:00.*→.*01:00/) })
    expect((await change({ employeeId: du.id })).code).toBe(200)
    expect(await titles(ma)).toEqual(['班次已取消'])
    expect((await change({ employeeId: ma.id })).code).toBe(200)
    expect(await titles(du)).toEqual(['班次已取消'])
    expect((await verb('excuse', id, { reason: '培训' })).code).toBe(200)
    expect((await newNotices(ma))[0]?.content).toContain('培训')
    const other = await publishedShift(du.id, start, start + 8 * HOUR)
    await site.call('DELETE', `${S}/delete?id=${other}`)
    expect(await titles(du)).toEqual(['班次已取消'])
    await clear()
  })
})

describe('swaps', () => {
  it('exchanges two shifts when the other person agrees, and nobody else can answer', async () => {
    const own = await publishedShift(ma.id, monday(2), monday(2) + 8 * HOUR)
    const other = await publishedShift(du.id, monday(2) + 24 * HOUR, monday(2) + 32 * HOUR)
    const ask = (shiftId: number, otherShiftId: number, token: string) =>
      site.call('POST', '/security/shift-swap/create', { shiftId, otherShiftId }, token)
    expect((await ask(other, own, ma.token)).code).toBe(codes.swapOwn.code)
    expect((await ask(own, own, ma.token)).code).toBe(codes.swapSelf.code)
    await newNotices(ma)
    const id = idOf(await ask(own, other, ma.token))
    const [result] = await newNotices(du)
    expect(result).toMatchObject({ title: '换班申请', content: expect.stringContaining('东门门卫') })
    expect((await ask(own, other, ma.token)).code).toBe(codes.swapOpen.code)
    const answer = (token?: string) =>
      site.call('POST', '/security/shift-swap/answer', { id, version: 1, agree: true }, token)
    expect((await answer()).code).toBe(codes.swapOther.code)
    expect((await answer(ma.token)).code).toBe(codes.swapOther.code)
    const waiting = pageIn(await site.call('GET', '/security/shift-swap/page?open=true', undefined, du.token)).list
    expect(waiting).toMatchObject([{ askedByName: '马军', askedName: '杜伟', canAnswer: true, canWithdraw: false }])
    expect((await answer(du.token)).code).toBe(200)
    expect([(await row(own)).employeeId, (await row(other)).employeeId]).toEqual([du.id, ma.id])
    expect((await answer(du.token)).code).toBe(codes.stale.code)
    expect(await titles(ma)).toEqual(['对方同意换班'])
    const back = idOf(await ask(own, other, du.token))
    await site.call('POST', '/security/shift-swap/withdraw', { id: back }, du.token)
    expect(await titles(ma)).toEqual(['换班申请', '换班申请已撤回'])
    const again = idOf(await ask(own, other, du.token))
    await site.call('POST', '/security/shift-swap/answer', { id: again, agree: false }, ma.token)
    expect(await titles(du)).toEqual(['对方不同意换班'])
    await clear()
  })
})

describe('coverage gaps', () => {
  it('reports a gap once to the school, and blocks a publication without a reason', async () => {
    const gaps = async () => pageIn(await site.call('GET', `/security/gap/page?schoolId=${site.schoolId}`)).list
    const [gap] = await gaps()
    expect(gap).toMatchObject({ schoolName: '东湖一小', reason: 'NO_SHIFT', noticedAt: null })
    const sweep = () => site.site.db.transaction().execute((trx) => tellGaps(trx, new Date()))
    const enablePeople = (enabled: boolean) => site.all.updateTable('users').set({ enabled }).execute()
    await enablePeople(false)
    await sweep()
    // Nobody could read it: it stays untold.
    expect(await site.all.selectFrom('coverageNotice').selectAll().execute()).toEqual([])
    await enablePeople(true)
    await sweep()
    const notices = await site.all.selectFrom('coverageNotice').selectAll().execute()
    await sweep()
    expect(await site.all.selectFrom('coverageNotice').selectAll().execute()).toEqual(notices)
    expect((await gaps())[0]?.['noticedAt']).not.toBeNull()
    const { from, to } = gap as unknown as { from: number; to: number }
    await plan(ma.id, Math.max(to, Date.now()) + 20 * HOUR, 1)
    const week = Math.max(to, Date.now()) + 20 * HOUR
    const blocked = await site.call('POST', `${S}/publish`, { week, schoolId: site.schoolId })
    expect(blocked.code).toBe(codes.shiftGap.code)
    const filled = await publishedShift(du.id, from, to)
    expect((await gaps()).some((gap) => gap['from'] === from)).toBe(false)
    // It opens again, so it is told again.
    const noticesOfGap = async () =>
      (await site.all.selectFrom('notice').select('title').where('title', 'like', '覆盖缺口%').execute()).length
    await sweep()
    const before = await noticesOfGap()
    await site.all.deleteFrom('shift').where('id', '=', filled).execute()
    await sweep()
    await sweep()
    expect(await noticesOfGap()).toBe(before + 1)
    await clear()
  })
})
