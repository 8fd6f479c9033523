import type { SupervisionOrderDetail } from '@tocsin/contract/supervise/order'
import { type StoredEvidence, orderTextIn } from '@tocsin/contract/supervise/order-evidence'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { alarmHooks } from '#areas/alarm/alarm-hooks'
import { runHooks } from '#db/transaction-hook'
import { pageIn } from '../../../test/admin-server.ts'
import { inDays, type SuperviseServer, startSuperviseServer } from '../../../test/supervise-server.ts'
import { makeDevice, makeInstallation, makeModel, makePlace, makeSchool } from '../../../seed/fixtures.ts'
import { makeRecord } from '../../../seed/record-fixtures.ts'
import { issueAutomatically, superviseOverdueAlarm } from './automatic-orders.ts'
import { issueTriggeredOrders } from './order-triggers.ts'

let site: SuperviseServer
beforeAll(async () => {
  site = await startSuperviseServer()
})
afterAll(() => site.end())

const O = '/supervise/order'
const detail = async (id: number, token: string) =>
  (await site.call('GET', `${O}/get?id=${id}`, undefined, token)).data as unknown as SupervisionOrderDetail
/** The stored findings about a school by their kinds. */
const evidencesOf = async (schoolId: number): Promise<Record<string, Partial<StoredEvidence>>> => {
  const rows = await site.all.selectFrom('superviseOrder').select('evidence').where('schoolId', '=', schoolId).execute()
  return Object.fromEntries(rows.flatMap(({ evidence }) => (evidence ? [[evidence.kind, evidence]] : [])))
}
const ids = async (query: string, token: string) =>
  pageIn(await site.call('GET', `${O}/page?pageSize=100&${query}`, undefined, token)).list.map(({ id }) => id)

describe('orders that the system issues', () => {
  it('go to the school in the name of its education department, one open at a time', async () => {
    const { head, issuer } = site.who
    const issue = () =>
      site.site.db.transaction().execute((trx) =>
        issueAutomatically(trx, {
          kind: 'ALARM_OVERDUE',
          subjectType: 'WARN_RECORD',
          subjectId: 77,
          subjectLabel: 'YJ1',
          title: '警情超时',
          content: '超时',
          requirement: '处置',
          schoolId: site.first.id,
          signHours: 2,
          dueHours: 24,
        }),
      )
    expect([await issue(), await issue()]).toEqual([true, false])
    const [id = 0] = (await ids('kind=ALARM_OVERDUE', head.token)) as number[]
    expect(await detail(id, issuer.token)).toMatchObject({ issuerId: null, isIssuer: true, state: 'ISSUED' })
    expect((await site.act('sign', id, head.token)).code).toBe(200)
    expect((await site.act('revoke', id, issuer.token, { reason: '已处置' })).code).toBe(200)
    expect(await issue()).toBe(true)
  })

  it('carry time, level and place of an overdue alarm, in both languages, also after they were passed on', async () => {
    const { db } = site.site
    const { issuer, head, other } = site.who
    const { id: schoolId, deptId } = site.first
    const firstAt = new Date(Date.now() - 50 * 60_000)
    const record = await makeRecord(db, { deptId, schoolId, level: 2, placePath: '2 号楼 / 304', firstAt })
    onTestFinished(superviseOverdueAlarm())
    await db.transaction().execute((trx) => runHooks(trx, alarmHooks.overdue, { recordId: record.id }))
    const query = `kind=ALARM_OVERDUE&keyword=${record.no}`
    const [id = 0] = (await ids(query, head.token)) as number[]
    const order = await detail(id, head.token)
    const evidence = { kind: 'ALARM_OPEN', figure: 50, level: 2, place: '2 号楼 / 304', since: firstAt.getTime() }
    expect(order).toMatchObject({ subjectType: 'WARN_RECORD', subjectId: record.id, evidence })
    expect(order.content).toBe(`警情 ${record.no}（二级 · 2 号楼 / 304）已 50 分钟未结束，超过本级别的处置时限。`)
    expect(orderTextIn(order, 'en')).toMatchObject({
      title: `Alarm ${record.no} not ended in time`,
      content: expect.stringContaining('(Level 2 · 2 号楼 / 304) has been open for 50 minutes'),
    })
    const passOn = { schoolId: site.second.id, reason: '该校承办' }
    expect((await site.act('transfer', id, issuer.token, passOn)).code).toBe(200)
    const [next = 0] = (await ids(`${query}&view=MINE`, other.token)) as number[]
    expect(await detail(next, other.token)).toMatchObject({ transferredFrom: null, evidence })
  })

  it('follow from facts that last, once each, with the figures', async () => {
    const { db } = site.site
    const { id: schoolId, deptId } = site.second
    const search = () => db.transaction().execute((trx) => issueTriggeredOrders(trx))
    expect(await search()).toBe(0)
    const model = await makeModel(db, { alarmCodes: ['PANIC'] })
    const { device } = await makeDevice(db, { modelId: model.id, key: randomBytes(32), sn: 'OFF-0001' })
    await makeInstallation(db, device, await makePlace(db, { schoolId }))
    await site.pool.query(
      `update device_state set connectivity = 'OFFLINE', since = now() - interval '30 hours' where device_id = $1`,
      [device.id],
    )
    await site.pool.query(`update school_device set next_test_due = current_date - 8 where device_id = $1`, [device.id])
    for (let n = 0; n < 10; n += 1)
      await makeRecord(db, {
        deptId,
        schoolId,
        state: 'CLOSED',
        disposition: n < 4 ? 'FALSE_DEVICE' : 'REAL_HANDLED',
        closedAt: new Date(),
      })
    await site.pool.query(
      `insert into school_readiness_day (school_id, day, score, devices, low)
       select $1, (now() at time zone 'Asia/Shanghai')::date - n, 50 + n, 1, 1 from generate_series(1, 3) n`,
      [schoolId],
    )
    await site.absences(schoolId)
    expect(await search()).toBe(5)
    const list = pageIn(
      await site.call('GET', `${O}/page?pageSize=100&schoolId=${schoolId}`, undefined, site.who.issuer.token),
    ).list
    const found = (list as { kind: string; content: string }[]).map(({ kind, content }) => [kind, content] as const)
    expect(Object.fromEntries(found.filter(([, content]) => !content.includes('就绪度')))).toMatchObject({
      DEVICE_UNREADY: expect.stringContaining('OFF-0001 已离线 30 小时'),
      FALSE_ALARM_HIGH: expect.stringContaining('10 起警情中 4 起为误报'),
      DUTY_ABSENT: expect.stringContaining('2 个班次'),
      HAZARD: expect.stringContaining('1 台在用设备中 1 台'),
    })
    const evidenceOf = await evidencesOf(schoolId)
    const place = expect.any(String)
    expect(evidenceOf).toMatchObject({
      BUTTON_OFFLINE: { figure: 30, limit: 24, place, since: expect.any(Number), until: null },
      FALSE_RATE: { figure: 4, total: 10, limit: 30, since: expect.any(Number), until: expect.any(Number) },
      READINESS_LOW: { figure: 53, total: 3, limit: 60 },
      SHIFTS_ABSENT: { figure: 2, limit: 2 },
      TESTS_OVERDUE: { figure: 1, total: 1, limit: 7 },
    })
    // The alarms of the counted period are those that the rate counted.
    const { since = 0, until = 0 } = evidenceOf['FALSE_RATE'] ?? {}
    expect((Number(until) - Number(since)) / 86_400_000).toBeCloseTo(30, 1)
    expect(await search()).toBe(0)
    // One that was ended is not issued again at once.
    await site.pool.query(`update supervise_order set state = 'REVOKED' where school_id = $1`, [schoolId])
    expect(await search()).toBe(0)
  })

  it('follow from a bullying alarm of ten days, and from a drill too long ago within a term', async () => {
    const { db } = site.site
    const { id: schoolId, deptId } = await makeSchool(db, { eduDeptId: site.bureau.id, status: 'ACTIVE' })
    const search = () => db.transaction().execute((trx) => issueTriggeredOrders(trx))
    const ago = (days: number) => new Date(inDays(-days))
    const bully = { deptId, schoolId, class: 'BULLY', code: 'BULLY' } as const
    await makeRecord(db, { ...bully, firstAt: ago(9) })
    const old = await makeRecord(db, { ...bully, firstAt: ago(11) })
    await makeRecord(db, { ...bully, firstAt: ago(11), mode: 'TEST' })
    await makeRecord(db, { deptId, schoolId, mode: 'DRILL', state: 'CLOSED', firstAt: ago(40) })
    expect(await search()).toBe(1)
    const term = { deptId: site.bureau.id, name: '秋季学期', fromMin: 480, toMin: 1020 }
    const day = (at: number) => new Date(at).toISOString().slice(0, 10)
    await site.all
      .insertInto('schoolTerm')
      .values({ ...term, fromDay: day(inDays(-60)), toDay: day(inDays(30)) })
      .execute()
    expect([await search(), await search()]).toEqual([1, 0])
    const list = pageIn(await site.call('GET', `${O}/page?schoolId=${schoolId}`, undefined, site.who.issuer.token)).list
    expect(list.map(({ kind, subjectLabel, content }) => [kind, subjectLabel, content])).toEqual(
      expect.arrayContaining([
        ['BULLY_OVERDUE', old.no, expect.stringContaining('已 11 天')],
        ['DRILL_OVERDUE', expect.anything(), expect.stringContaining('40 天，超过 31 天')],
      ]),
    )
  })

  it('reach every subject when one search finds more than it issues', async () => {
    const { id: schoolId } = await makeSchool(site.site.db, { eduDeptId: site.bureau.id, status: 'ACTIVE' })
    const { id: nextId } = await makeSchool(site.site.db, { eduDeptId: site.bureau.id, status: 'ACTIVE' })
    await site.absences(schoolId)
    await site.absences(nextId)
    const search = () => site.site.db.transaction().execute((trx) => issueTriggeredOrders(trx, 1))
    expect([await search(), await search(), await search()]).toEqual([1, 1, 0])
    // The pause counts from the order, also after its end.
    await site.pool.query(`update supervise_order set state = 'REVOKED' where school_id = $1`, [schoolId])
    expect(await search()).toBe(0)
  })

  it('are exported as the caller sees them', async () => {
    const answer = await site.site.app.inject({
      url: `/admin-api${O}/export?format=csv&lang=en`,
      headers: { authorization: `Bearer ${site.who.issuer.token}` },
    })
    expect(answer.body).toContain('Alarm overdue')
    expect(answer.body).toContain('More than 30% false alarms')
  })
})
