import { codes } from '@tocsin/contract/codes'
import { MINUTE_MS, startOfDay } from '@tocsin/contract/security/hours'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { errorFields, pageIn } from '../../../../test/admin-server.ts'
import { type DutyServer, startDutyServer } from '../../../../test/duty-server.ts'
import { sweepPatrols } from './patrol-runs.ts'

let site: DutyServer
let ma: { id: number; token: string }
beforeAll(async () => {
  site = await startDutyServer()
  ma = await site.guard('马军')
  for (const [username, { deptId }] of [
    ['district', site.here],
    ['elsewhere', site.there],
  ] as const)
    await makeUser(site.site.db, { username, deptId, roles: ['edu_bureau'] })
})
afterAll(() => site.end())
afterEach(async () => {
  await site.all.deleteFrom('patrolScan').execute()
  await site.all.deleteFrom('patrolPlan').execute()
})

const P = '/security/patrol'
const point = (name: string, keyPart = false) => ({ name, placeId: null, keyPart })
const draft = (more: object = {}) => ({
  schoolId: site.schoolId,
  name: '校园巡查',
  weekdays: 127,
  fromMin: 0,
  toMin: 1440,
  rounds: 5,
  enabled: true,
  remark: null,
  points: [point('东门'), point('实验楼', true)],
  ...more,
})
const create = (more: object = {}, token?: string) => site.call('POST', `${P}/create`, draft(more), token)
const made = async (more: object = {}) => (await create(more)).data as unknown as number
const runsOf = (planId: number) =>
  site.all.selectFrom('patrolRun').selectAll().where('planId', '=', planId).orderBy('fromAt').execute()
const codesOf = async (id: number) =>
  (await site.call('GET', `${P}/codes?id=${id}`)).data as unknown as { id: number; name: string; code: string }[]
/** The round of this moment, as if it had been planned so. */
const currentRun = async (planId: number, fromMinutes = -30, toMinutes = 30) => {
  const [run] = await runsOf(planId)
  const at = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS)
  await site.all
    .updateTable('patrolRun')
    .set({ fromAt: at(fromMinutes), toAt: at(toMinutes) })
    .where('id', '=', run?.id ?? 0)
    .execute()
  return run?.id ?? 0
}
const scan = (runId: number, code: string, more: object = {}, token = ma.token) =>
  site.call(
    'POST',
    `${P}/scan`,
    { stepKey: randomUUID(), runId, code, scannedAt: null, isOdd: false, note: null, ...more },
    token,
  )
const stateOf = async (runId: number) =>
  (await site.all.selectFrom('patrolRun').select('state').where('id', '=', runId).executeTakeFirstOrThrow()).state

describe('a plan', () => {
  it('has the rounds of its day, keeps the codes of points that stay, and needs five rounds at key areas', async () => {
    expect(errorFields(await create({ rounds: 4 }))).toEqual(['rounds'])
    expect((await create({ rounds: 4, points: [point('东门')] })).code).toBe(200)
    const id = await made()
    const runs = await runsOf(id)
    const now = new Date()
    const left = [1, 2, 3, 4, 5].filter((n) => startOfDay(now).getTime() + n * 288 * MINUTE_MS > now.getTime())
    expect(runs.map(({ round }) => round)).toEqual(left)
    const [gate, lab] = await codesOf(id)
    expect(gate?.code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
    const edit = { id, version: 1, rounds: 6, points: [{ ...point('实验楼', true), id: lab?.id }, point('操场')] }
    expect((await site.call('PUT', `${P}/update`, edit)).code).toBe(200)
    expect((await site.call('PUT', `${P}/update`, edit)).code).toBe(codes.stale.code)
    const after = await codesOf(id)
    expect(after.map(({ name }) => name)).toEqual(['实验楼', '操场'])
    expect(after[0]?.code).toBe(lab?.code)
    expect(errorFields(await site.call('PUT', `${P}/update`, { id, rounds: 4 }))).toEqual(['rounds'])
    expect(await site.audited('patrol_plan', id)).toEqual(['security:patrol:create', 'security:patrol:update'])
    expect((await site.events('patrol.changed')).some(({ ref }) => ref === id)).toBe(true)
    const drop = () => site.call('DELETE', `${P}/delete?id=${id}`)
    expect((await drop()).code).toBe(codes.patrolBegun.code)
    await site.pool.query(
      `update patrol_run set from_at = from_at - interval '2 days', to_at = to_at - interval '2 days'`,
    )
    expect((await drop()).code).toBe(200)
  })

  it('is seen and walked by nobody of elsewhere, and its codes are for planners', async () => {
    const id = await made()
    const runId = await currentRun(id)
    const [first] = await codesOf(id)
    const other = await site.guard('外校', { schoolId: site.otherSchoolId })
    await site.all.updateTable('users').set({ deptId: site.there.deptId }).where('username', '=', 'duty2').execute()
    const read = (path: string) => site.call('GET', `${P}/${path}`, undefined, other.token)
    expect((await read('page')).data).toMatchObject({ list: [] })
    expect((await read(`get?id=${id}`)).code).toBe(codes.notFound.code)
    expect((await read(`grid?id=${id}`)).code).toBe(codes.notFound.code)
    expect((await read('mine')).data).toMatchObject({ runs: [] })
    expect((await scan(runId, first?.code ?? '', {}, other.token)).code).toBe(codes.notFound.code)
    expect((await site.call('GET', `${P}/codes?id=${id}`, undefined, ma.token)).code).toBe(codes.forbidden.code)
    expect((await create({}, ma.token)).code).toBe(codes.forbidden.code)
  })
})

describe('a round', () => {
  it('is walked point by point on the phone, and is done with the last one', async () => {
    const id = await made()
    const runId = await currentRun(id)
    const [gate, lab] = await codesOf(id)
    const mine = await site.call('GET', `${P}/mine`, undefined, ma.token)
    expect(mine.data).toMatchObject({ runs: [{ id: runId, planName: '校园巡查', points: [{ name: '东门' }, {}] }] })
    expect(JSON.stringify(mine.data)).not.toContain(gate?.code)
    expect((await scan(runId, 'WRONG234')).code).toBe(codes.patrolWrongCode.code)
    const typed = `${gate?.code.slice(0, 4)} ${gate?.code.slice(4)}`.toLowerCase()
    expect((await scan(runId, typed)).data).toEqual({ pointName: '东门', done: 1, total: 2, isRemoved: false })
    expect(await stateOf(runId)).toBe('RUNNING')
    const odd = { isOdd: true, note: '灭火器过期' }
    expect((await scan(runId, lab?.code ?? '', odd)).data).toMatchObject({ pointName: '实验楼', done: 2, total: 2 })
    expect(await stateOf(runId)).toBe('DONE')
    const { data } = await site.call('GET', `${P}/grid?id=${id}`, undefined, ma.token)
    expect(data['scans']).toMatchObject([
      { pointName: '东门', userName: 'duty1', isOdd: false },
      { pointName: '实验楼', isOdd: true, note: '灭火器过期' },
    ])
    expect((await site.call('DELETE', `${P}/delete?id=${id}`)).code).toBe(codes.patrolUsed.code)
    const sheet = async (query: string, token = site.adminToken) => {
      const headers = { authorization: `Bearer ${token}` }
      return (
        await site.site.app.inject({ url: `/admin-api${P}/export?format=csv&${query}`, headers })
      ).body.replaceAll('"', '')
    }
    expect(await sheet(`planId=${id}&lang=en`)).toMatch(/东湖一小,校园巡查,.*,Done,2,1,duty1/)
    expect(await sheet(`schoolId=${site.otherSchoolId}`)).not.toContain('校园巡查')
    expect(await sheet('to=2020-01-01')).not.toContain('校园巡查')
    expect(await sheet('', ma.token)).toContain(String(codes.forbidden.code))
    const { token: elsewhere, userId } = await site.clerk('security:patrol:export')
    await site.all.updateTable('users').set({ deptId: site.there.deptId }).where('id', '=', userId).execute()
    expect(await sheet(`planId=${id}`, elsewhere)).not.toContain('校园巡查')
    const [row] = pageIn(await site.call('GET', `${P}/page`)).list
    expect(row).toMatchObject({ pointCount: 2, doneToday: 1, missedToday: 0 })
  })

  it('applies a scan that a phone without a connection sends later once, also when it is sent twice at once', async () => {
    const id = await made()
    const runId = await currentRun(id, -120, -60)
    // The earlier rounds of the day were not created.
    const round = (await runsOf(id)).find((run) => run.id === runId)?.round
    const [gate, lab] = await codesOf(id)
    await site.site.db.transaction().execute((trx) => sweepPatrols(trx, new Date()))
    expect(await stateOf(runId)).toBe('MISSED')
    const notices = () =>
      site.all
        .selectFrom('notice')
        .innerJoin('noticeUser', 'noticeUser.noticeId', 'notice.id')
        .innerJoin('users', 'users.id', 'noticeUser.userId')
        .select(['notice.content', 'users.username'])
        .where('notice.title', '=', '巡查漏检：东湖一小')
        .orderBy('users.username')
        .execute()
    // The guard of the school and the office of its district, not those of another district.
    expect((await notices()).map(({ username }) => username)).toEqual(['district', 'duty1'])
    expect((await notices())[0]?.content).toContain(`校园巡查 第 ${round} 轮`)
    await site.site.db.transaction().execute((trx) => sweepPatrols(trx, new Date()))
    expect(await notices()).toHaveLength(2)
    expect(pageIn(await site.call('GET', `${P}/page?missed=true`)).list).toHaveLength(1)
    expect((await scan(runId, gate?.code ?? '')).code).toBe(codes.patrolOutside.code)
    const scannedAt = Date.now() - 90 * MINUTE_MS
    const late = { stepKey: randomUUID(), scannedAt }
    const sent = await Promise.all([1, 2, 3].map(() => scan(runId, gate?.code ?? '', late)))
    expect(sent.map(({ data }) => data)).toEqual(
      Array.from({ length: 3 }, () => ({ pointName: '东门', done: 1, total: 2, isRemoved: false })),
    )
    expect(await stateOf(runId)).toBe('MISSED')
    expect((await scan(runId, lab?.code ?? '', { scannedAt })).code).toBe(200)
    expect((await scan(runId, lab?.code ?? '', { scannedAt })).code).toBe(200)
    expect(await stateOf(runId)).toBe('DONE')
    const scans = await site.all.selectFrom('patrolScan').selectAll().execute()
    expect(scans).toHaveLength(2)
    expect(scans[0]?.scannedAt.getTime()).toBe(scannedAt)
    const old = { scannedAt: Date.now() - 25 * 60 * MINUTE_MS }
    const other = await made({ name: '夜间巡查' })
    const [otherPoint] = await codesOf(other)
    expect((await scan(await currentRun(other), otherPoint?.code ?? '', old)).code).toBe(codes.patrolTooOld.code)
    expect(await site.audited('patrol_scan', scans[0]?.id ?? 0)).toEqual(
      Array.from({ length: 3 }, () => 'security:patrol:scan'),
    )
  })

  it('is created once for each day by the timer, and only while the plan is in use', async () => {
    const id = await made()
    const before = await runsOf(id)
    const sweep = () => site.site.db.transaction().execute((trx) => sweepPatrols(trx, new Date()))
    await Promise.all([sweep(), sweep()])
    expect(await runsOf(id)).toEqual(before)
    expect((await site.call('PUT', `${P}/update`, { id, enabled: false })).code).toBe(200)
    await sweep()
    // What has begun stays: phones may hold scans of it.
    expect(await runsOf(id)).toEqual(before.filter(({ fromAt }) => fromAt.getTime() < Date.now() + 15 * MINUTE_MS))
  })

  it('keeps begun rounds and their scans when the plan changes before the phones have sent them', async () => {
    const id = await made()
    const runId = await currentRun(id)
    const [gate, lab] = await codesOf(id)
    const at = Date.now() - 5 * MINUTE_MS
    const edit = { id, rounds: 24, points: [{ ...point('实验楼', true), id: lab?.id }] }
    expect((await site.call('PUT', `${P}/update`, edit)).code).toBe(200)
    const kept = (await runsOf(id)).filter((run) => run.id === runId)
    expect(kept).toHaveLength(1)
    const until = kept[0]?.toAt.getTime() ?? 0
    const others = (await runsOf(id)).filter((run) => run.id !== runId)
    expect(others.every(({ fromAt, toAt }) => fromAt.getTime() >= until || toAt.getTime() <= until)).toBe(true)
    const rounds = (await runsOf(id)).map(({ day, round }) => `${day} ${round}`)
    expect(new Set(rounds).size).toBe(rounds.length)
    await site.site.db.transaction().execute((trx) => sweepPatrols(trx, new Date()))
    expect((await runsOf(id)).map((run) => run.id)).toEqual([runId, ...others.map((run) => run.id)])
    const late = await scan(runId, gate?.code ?? '', { scannedAt: at })
    expect(late.data).toEqual({ pointName: '东门', done: 0, total: 1, isRemoved: true })
    // The code is no part of the plan any more.
    expect((await scan(await currentRun(await made({ name: '夜间巡查' })), gate?.code ?? '')).code).toBe(
      codes.patrolWrongCode.code,
    )
    expect((await scan(runId, lab?.code ?? '')).data).toEqual({
      pointName: '实验楼',
      done: 1,
      total: 1,
      isRemoved: false,
    })
    expect(await stateOf(runId)).toBe('DONE')
  })

  it('answers a key of the same round with its stored scan, and takes the key of another round', async () => {
    const stepKey = randomUUID()
    const id = await made()
    const runId = await currentRun(id)
    const [gate, lab] = await codesOf(id)
    expect((await scan(runId, gate?.code ?? '', { stepKey })).data).toMatchObject({ pointName: '东门' })
    expect((await scan(runId, lab?.code ?? '', { stepKey })).data).toMatchObject({ pointName: '东门', done: 1 })
    const other = await made({ name: '夜间巡查' })
    const [first] = await codesOf(other)
    const answer = await scan(await currentRun(other), first?.code ?? '', { stepKey })
    expect(answer.data).toMatchObject({ pointName: '东门', done: 1, total: 2 })
    expect(await site.all.selectFrom('patrolScan').select('id').execute()).toHaveLength(2)
  })
})
