import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim, release } from '#areas/alarm/verb/claim'
import { shelve } from '#areas/alarm/verb/shelve'
import { defaultPolicies } from '#areas/notify/policy/default-policies'
import { runDueTimers } from '#timer/scheduler'
import { lead } from '../../../../test/alarm-fixture.ts'
import { alarm, type IntakeFixture, openIntakeFixture } from '../../../../test/intake-fixture.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { quietLog } from '../../../../test/quiet-log.ts'
import { seedRules } from '../rule-seed.ts'
import { scheduleClaimReminder } from '../timer/schedule-timers.ts'
import { seedPolicies } from '../../notify/policy/policy-seed.ts'
import { notificationTimerHandlers } from './notification-timers.ts'

let fixture: IntakeFixture
beforeAll(async () => {
  fixture = await openIntakeFixture()
  await seedRules(fixture.db)
})
afterAll(() => fixture.end())

const press = async (more: Parameters<typeof alarm>[2] = {}) => {
  const deviceId = await fixture.button()
  await fixture.say(deviceId, alarm('PANIC_SILENT', 1, more))
  const [record] = await fixture.recordsOf(deviceId)
  if (!record) throw new Error('no record was raised')
  return record.id
}
const running = new AbortController().signal
const fire = async (recordId: number) => {
  await sql`update timer set due_at = now() where kind = 'notification' and subject_id = ${recordId}
    and done_at is null`.execute(fixture.db)
  await runDueTimers({ db: fixture.db, handlers: notificationTimerHandlers, log: quietLog }, running)
}
const deliveriesOf = (recordId: number) =>
  fixture.all
    .selectFrom('delivery')
    .selectAll()
    .where('subjectType', '=', 'RECORD')
    .where('subjectId', '=', recordId)
    .orderBy('id')
    .execute()
const steps = async (recordId: number) =>
  (
    await fixture.db
      .selectFrom('timer')
      .select('step')
      .where('kind', '=', 'notification')
      .where('subjectId', '=', recordId)
      .where('doneAt', 'is', null)
      .execute()
  ).map(({ step }) => step)
const verbs = async (recordId: number) => (await fixture.logOf(recordId)).map(({ verb }) => verb)

/** Gives a person a role that sees the first school. */
const giveRole = async (userId: number, code: string) => {
  const role = await fixture.db
    .insertInto('role')
    .values({ code, name: code, dataScope: 'ALL' })
    .onConflict((other) => other.column('code').doUpdateSet({ enabled: true }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await fixture.db.insertInto('userRole').values({ userId, roleId: role.id }).execute()
}

describe('escalation of an alarm', () => {
  it('raises a self-alarm in the log when level 1 reaches nobody', async () => {
    const id = await press()
    await fire(id)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'SUPPRESSED', reason: 'NO_RECIPIENT' }])
    expect(await verbs(id)).toContain('noRecipient')
  })

  it('notifies the users of each step until a claim, and cancels the rest with the claim', async () => {
    await seedPolicies(fixture.db)
    await giveRole(fixture.zhang.userId, 'guard')
    await giveRole(fixture.li.userId, 'shift_lead')
    await fixture.all
      .updateTable('users')
      .set({ mobile: '13811110001' })
      .where('id', '=', fixture.zhang.userId)
      .execute()
    const id = await press()
    expect(await steps(id)).toEqual(['0.0'])
    await fire(id)
    expect(await deliveriesOf(id)).toMatchObject([
      { userId: fixture.zhang.userId, channel: 'INAPP', state: 'SENT', level: 1, link: `/warn/record?record=${id}` },
      { userId: fixture.zhang.userId, channel: 'SMS', state: 'SUPPRESSED', reason: 'NOT_CONFIGURED' },
    ])
    await fire(id)
    expect((await deliveriesOf(id)).filter(({ userId }) => userId === fixture.li.userId)).not.toEqual([])
    expect(await steps(id)).toEqual(['0.2'])
    await claim(fixture.db, fixture.zhang, { id })
    expect(await steps(id)).toEqual([])
    const result = await deliveriesOf(id)
    expect(result[0]).toMatchObject({ state: 'REPLIED' })
    expect(result.filter(({ state }) => state === 'PLANNED' || state === 'QUEUED')).toEqual([])
    await release(fixture.db, fixture.zhang, { id })
    expect(await steps(id)).toEqual(['0.0'])
    await fire(id)
    expect((await deliveriesOf(id)).length).toBeGreaterThan(result.length)
  })

  it('repeats the loops and ends with the fallback', async () => {
    const id = await press()
    const seen: string[] = []
    for (let round = 0; round < 20; round += 1) {
      const [step] = await steps(id)
      if (step === undefined) break
      seen.push(step)
      await fire(id)
    }
    const policy = defaultPolicies[0]
    expect(seen).toHaveLength((policy?.steps.length ?? 0) * ((policy?.loops ?? 0) + 1) + 1)
    expect(seen.at(-1)).toBe('F')
  })

  it('restarts as one chain when a level rises between two steps', async () => {
    const id = await press()
    await fire(id)
    expect(await steps(id)).toEqual(['0.1'])
    const record = await fixture.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    await scheduleClaimReminder(fixture.db, record)
    expect(await steps(id)).toEqual(['0.0'])
    await fire(id)
    expect(await steps(id)).toEqual(['0.1'])
  })

  it('cancels unsent messages when the chain starts again or the alarm is shelved, and keeps sent ones', async () => {
    const draft = { deptId: fixture.first.deptId, schoolId: fixture.first.id, class: 'DEVICE_HEALTH' as const }
    const record = await makeRecord(fixture.db, draft)
    const write = async () => {
      const row = { subjectType: 'RECORD', subjectId: record.id, schoolId: fixture.first.id, planKey: 'chain' } as const
      const rest = { userId: fixture.zhang.userId, recipientName: 'zhang', level: 2, title: 'a', body: 'b' }
      const times = { expiresAt: sql<Date>`now() + interval '1 hour'` }
      await fixture.all
        .insertInto('delivery')
        .values([
          { ...row, ...rest, ...times, channel: 'INAPP', state: 'SENT', sentAt: sql<Date>`now()` },
          { ...row, ...rest, ...times, channel: 'SMS', state: 'QUEUED' },
          { ...row, ...rest, ...times, channel: 'VOICE', state: 'PLANNED' },
        ])
        .execute()
    }
    await write()
    await scheduleClaimReminder(fixture.db, record)
    expect(await deliveriesOf(record.id)).toMatchObject([
      { state: 'SENT', endedAt: null },
      { state: 'CANCELLED', reason: 'SUPERSEDED' },
      { state: 'CANCELLED', reason: 'SUPERSEDED' },
    ])
    await write()
    const until = new Date(Date.now() + 3_600_000)
    await shelve(
      fixture.db,
      { ...fixture.zhang, permissions: lead },
      { id: record.id, version: record.version, until, reason: '演示' },
    )
    const open = (await deliveriesOf(record.id)).filter(({ state }) => state === 'QUEUED' || state === 'PLANNED')
    expect(open).toEqual([])
  })

  it('sends nothing for a test, and only marked in-app messages for a drill', async () => {
    const test = await press({ mode: 'TEST' })
    expect(await steps(test)).toEqual([])
    const draft = { deptId: fixture.first.deptId, schoolId: fixture.first.id, mode: 'DRILL' as const }
    const record = await makeRecord(fixture.db, draft)
    const drill = record.id
    await scheduleClaimReminder(fixture.db, record)
    await fire(drill)
    const found = await deliveriesOf(drill)
    expect(found.map(({ channel }) => channel)).toEqual(found.map(() => 'INAPP'))
    expect(found[0]?.title).toMatch(/^【演练】/)
  })

  it('notifies people on duty first, the others unless they claim, and everybody at once from the second loop', async () => {
    const { id: schoolId, deptId } = fixture.first
    const [zhang, li] = [fixture.zhang.userId, fixture.li.userId]
    await giveRole(li, 'guard')
    const moveTo = (dept: number) =>
      fixture.all.updateTable('users').set({ deptId: dept }).where('id', 'in', [zhang, li]).execute()
    await moveTo(deptId)
    const employee = await fixture.all
      .insertInto('employee')
      .values({ schoolId, deptId, employeeNo: 'G1', name: 'zhang', kind: 'GUARD', userId: zhang })
      .returning('id')
      .executeTakeFirstOrThrow()
    const post = await fixture.all
      .insertInto('securityPost')
      .values({ schoolId, name: 'gate', type: 'GATE', fromMin: 0, toMin: 0, checkCode: 'gate' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
    const times = { fromAt: hours(-1), toAt: hours(1), publishedAt: hours(-2), checkedInAt: hours(-1) }
    const shift = { postId: post.id, schoolId, employeeId: employee.id, state: 'CHECKED_IN' } as const
    await fixture.all
      .insertInto('shift')
      .values({ ...shift, ...times })
      .execute()
    const inApp = async (id: number) =>
      (await deliveriesOf(id))
        .filter(({ channel, planKey }) => channel === 'INAPP' && planKey.endsWith('.0'))
        .map(({ userId, state, planKey }) => [planKey.slice(-3), userId, state])
    const id = await press()
    await fire(id)
    expect(await inApp(id)).toEqual([
      ['0.0', zhang, 'SENT'],
      ['0.0', li, 'PLANNED'],
    ])
    while ((await steps(id))[0] !== '1.0') await fire(id)
    await fire(id)
    expect((await inApp(id)).slice(2)).toEqual([
      ['1.0', zhang, 'SENT'],
      ['1.0', li, 'SENT'],
    ])
    await claim(fixture.db, fixture.zhang, { id })
    expect((await inApp(id))[1]).toEqual(['0.0', li, 'CANCELLED'])
    await fixture.all.deleteFrom('shift').execute()
    await fixture.all.deleteFrom('employee').where('id', '=', employee.id).execute()
    await moveTo(fixture.station)
  })

  it('runs each step once when two nodes share the timers', async () => {
    const id = await press()
    const node = () => runDueTimers({ db: fixture.db, handlers: notificationTimerHandlers, log: quietLog }, running)
    await Promise.all([node(), node()])
    const own = (await deliveriesOf(id)).filter(
      ({ userId, channel }) => userId === fixture.zhang.userId && channel === 'INAPP',
    )
    expect(own).toHaveLength(1)
  })
})
