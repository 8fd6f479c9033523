import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { alarmHooks } from '#areas/alarm/alarm-hooks'
import { recordDisplayed, renewLeases } from '#areas/alarm/record/lease'
import { claim } from '#areas/alarm/verb/claim'
import { resolve } from '#areas/alarm/verb/resolve'
import { verify } from '#areas/alarm/verb/handle'
import { emitEvents } from '#db/event'
import { addHook } from '#db/transaction-hook'
import { runDueTimers } from '#timer/scheduler'
import { makeRecord, type RecordDraft } from '../../../../seed/record-fixtures.ts'
import { calls } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { quietLog } from '../../../../test/quiet-log.ts'
import { recordTimerHandlers } from './record-timers.ts'
import { scheduleOverdue, scheduleClaimReminder, RECORD_TIMER } from './schedule-timers.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

let world: AlarmFixture
const facts: string[] = []
beforeAll(async () => {
  world = await openAlarmFixture()
  addHook(alarmHooks.escalated, async (_, { recordId }) => void facts.push(`escalated ${recordId}`))()
  addHook(alarmHooks.overdue, async (_, { recordId }) => void facts.push(`overdue ${recordId}`))()
})
beforeEach(async () => {
  await world.db.deleteFrom('timer').execute()
  await world.db.deleteFrom('event').execute()
})
afterAll(() => world.end())

const raised = async (more: Partial<RecordDraft> = {}) => {
  const record = await makeRecord(world.db, {
    deptId: world.first.deptId,
    schoolId: world.first.id,
    class: 'INTRUSION',
    level: 2,
    ...more,
  })
  if (record.state === 'NEW') await scheduleClaimReminder(world.db, record)
  await scheduleOverdue(world.db, record)
  return record
}
const read = (id: number) =>
  world.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const logOf = async (id: number) =>
  (await world.all.selectFrom('warnLog').select('verb').where('recordId', '=', id).orderBy('no').execute()).map(
    (e) => e.verb,
  )
const events = async (id: number) =>
  (await world.db.selectFrom('event').select('type').where('ref', '=', id).orderBy('id').execute()).map((e) => e.type)
/** Pending steps with their seconds from the transaction that planned them, recognised by its last event. */
const pending = async (id: number) => {
  const planned = world.db.selectFrom('event').select('at').where('ref', '=', id).orderBy('id', 'desc').limit(1)
  return world.db
    .selectFrom('timer')
    .select(['step', sql<number>`extract(epoch from due_at - ${planned})::float8`.as('seconds')])
    .where('kind', '=', 'record')
    .where('subjectId', '=', id)
    .where('doneAt', 'is', null)
    .where('step', '!=', 'T5')
    .orderBy('step')
    .execute()
}

const running = new AbortController().signal
/** Makes the named step of a record due and runs the scheduler once. */
const fire = async (id: number, step: string) => {
  await world.db
    .updateTable('timer')
    .set({ dueAt: sql`now() - interval '1 second'` })
    .where('subjectId', '=', id)
    .where('step', '=', step)
    .where('doneAt', 'is', null)
    .execute()
  return runDueTimers({ db: world.db, handlers: recordTimerHandlers, log: quietLog }, running)
}
/** Ends the lease, as if its time had passed. */
const expire = (id: number) =>
  world.all
    .updateTable('warnRecord')
    .set({ leaseUntil: sql`now() - interval '1 second'` })
    .where('id', '=', id)
    .execute()

describe('T1', () => {
  it('logs each reminder of level 1, and says so while no screen has displayed the alarm (invariant 11)', async () => {
    const shows = fc.constantFrom('nobody', 'stranger', 'zhang')
    const course = fc.record({
      kind: fc.constantFrom('PANIC', 'INTRUSION'),
      looks: fc.array(shows, { minLength: 5, maxLength: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(course, async ({ kind, looks }) => {
        const { id } = await raised({ class: kind, level: 1 })
        const expected: { verb: string; unseen: boolean }[] = []
        for (const [loop, item] of looks.slice(0, kind === 'PANIC' ? 1 : 5).entries()) {
          // A user who does not see the record cannot have displayed it, whatever the page reports.
          if (item !== 'nobody') await recordDisplayed(world.db, world[item], { shown: [id], sounded: [] })
          expect(await fire(id, loop === 0 ? 'T1' : `T1.${loop + 1}`)).toBe(1)
          const unseen = !looks.slice(0, loop + 1).includes('zhang')
          expected.push({ verb: kind === 'PANIC' ? 'escalateBySystem' : 'T1', unseen })
        }
        const log = await world.all.selectFrom('warnLog').selectAll().where('recordId', '=', id).orderBy('no').execute()
        const calls = log.slice(1).map(({ verb, payload }) => ({ verb, unseen: payload['unseen'] === true }))
        expect(calls).toEqual(expected)
      }),
      { numRuns: sampleSize(20) },
    )
  })

  it('notifies administrators of undisplayed level 1 records, once an hour per place', async () => {
    const role = { code: 'super_admin', name: '系统管理员', dataScope: 'ALL', builtIn: true } as const
    const { id: roleId } = await world.db.insertInto('role').values(role).returning('id').executeTakeFirstOrThrow()
    await world.db.insertInto('userRole').values({ userId: world.root.userId, roleId }).execute()
    await world.all.deleteFrom('notice').execute()
    const notices = () =>
      world.all
        .selectFrom('notice')
        .innerJoin('noticeUser', 'noticeId', 'notice.id')
        .select(['deptId', 'userId', 'content', 'state'])
        .orderBy('notice.id')
        .execute()
    for (const more of [{ level: 2 }, { level: 1, mode: 'DRILL' }] as const) await fire((await raised(more)).id, 'T1')
    const seen = await raised({ level: 1 })
    await recordDisplayed(world.db, world.zhang, { shown: [seen.id], sounded: [] })
    await fire(seen.id, 'T1')
    expect(await notices()).toEqual([])
    const [first, second] = [await raised({ level: 1, class: 'PANIC' }), await raised({ level: 1 })]
    const elsewhere = await raised({ level: 1, deptId: world.second.deptId, schoolId: world.second.id })
    for (const { id } of [first, second, elsewhere]) expect(await fire(id, 'T1')).toBe(1)
    const value = { userId: world.root.userId, state: 'PUBLISHED' }
    expect(await notices()).toEqual(
      [first, elsewhere].map(({ deptId, no }) => ({ ...value, deptId, content: expect.stringContaining(no) })),
    )
    const bells = world.db.selectFrom('event').select('userId').where('type', '=', 'notice.published').execute()
    expect(await bells).toEqual([{ userId: world.root.userId }, { userId: world.root.userId }])
    expect((await read(first.id)).state).toBe('ESCALATED')
  })

  it('rings again five times, each after twice the delay, and leaves the record open', async () => {
    const { id } = await raised()
    for (const [loop, next] of [60, 120, 240, 480].entries()) {
      const step = loop === 0 ? 'T1' : `T1.${loop + 1}`
      expect(await fire(id, step)).toBe(1)
      expect(await pending(id)).toEqual([{ step: `T1.${loop + 2}`, seconds: next }])
    }
    await fire(id, 'T1.5')
    expect(await pending(id)).toEqual([])
    expect(await events(id)).toEqual(Array(5).fill('alarm.again'))
    expect(await logOf(id)).toEqual(['raise', 'T1', 'T1', 'T1', 'T1', 'T1'])
    expect(await read(id)).toMatchObject({ state: 'NEW', version: 1 })
  })

  it('hands an unclaimed panic record of level 1 to the police and logs it', async () => {
    const { id } = await raised({ class: 'PANIC', level: 1 })
    await fire(id, 'T1')
    const record = await read(id)
    expect(record).toMatchObject({ state: 'ESCALATED', ownerId: null, version: 2 })
    expect(record.escalatedAt).not.toBeNull()
    expect(facts).toContain(`escalated ${id}`)
    expect(await logOf(id)).toEqual(['raise', 'escalateBySystem'])
  })

  it('stops when somebody claims the record', async () => {
    const { id } = await raised()
    await claim(world.db, world.zhang, { id })
    expect(await fire(id, 'T1')).toBe(0)
  })

  it.each([
    { what: 'takes its seconds from the rule', rule: 2, record: 2, t1Sec: 600, seconds: 600 },
    {
      what: 'waits no longer than its level once it is above that of the rule',
      rule: 3,
      record: 1,
      t1Sec: 600,
      seconds: 10,
    },
    { what: 'keeps a rule that is quicker than the level', rule: 3, record: 1, t1Sec: 7, seconds: 7 },
  ])('$what', async ({ what, rule: level, record: raisedTo, t1Sec, seconds }) => {
    const rule = await world.db
      .insertInto('warnRule')
      .values({ name: what, matchCodes: ['PANIC'], class: 'INTRUSION', level, t1Sec })
      .returning('id')
      .executeTakeFirstOrThrow()
    const record = await raised({ ruleId: rule.id, level: raisedTo })
    await world.db.transaction().execute(async (trx) => {
      await emitEvents(trx, { type: 'alarm.again', ref: record.id })
      await scheduleClaimReminder(trx, record)
    })
    expect(await pending(record.id)).toEqual([{ step: 'T1', seconds }])
  })
})

describe('a claim', () => {
  it('rings again and names its owner when nobody renews its lease', async () => {
    const { id } = await raised()
    await claim(world.db, world.zhang, { id })
    await expire(id)
    await fire(id, 'LEASE')
    expect(await read(id)).toMatchObject({
      state: 'NEW',
      ownerId: null,
      lastOwnerId: world.zhang.userId,
      leaseUntil: null,
      leaseSessionId: null,
    })
    expect((await events(id)).at(-1)).toBe('alarm.again')
    expect(await pending(id)).toEqual([{ step: 'T1', seconds: 30 }])
    expect(await renewLeases(world.db, world.zhang, [id])).toEqual([])
  })

  it('that was renewed is checked again when the new lease ends', async () => {
    const { id } = await raised()
    await claim(world.db, world.zhang, { id })
    await renewLeases(world.db, world.zhang, [id])
    await fire(id, 'LEASE')
    expect(await read(id)).toMatchObject({ state: 'CLAIMED', version: 2 })
    const lease = (await pending(id)).find(({ step }) => step === 'LEASE')
    expect(lease?.seconds).toBeGreaterThan(20)
  })

  it('without a first action is released, and the log tells the lead', async () => {
    const { id } = await raised()
    await claim(world.db, world.zhang, { id })
    await fire(id, 'T2')
    expect(await read(id)).toMatchObject({ state: 'NEW', lastOwnerId: world.zhang.userId })
    expect(await logOf(id)).toEqual(['raise', 'claim', 'T2', 'loseLease'])
  })
})

describe('T3', () => {
  it('rings again for a confirmed threat to life that is not escalated, and escalates a panic record', async () => {
    for (const panic of [false, true]) {
      const { id } = await raised(panic ? { class: 'PANIC', level: 1 } : {})
      const claimed = await claim(world.db, world.zhang, { id })
      await verify(world.db, world.zhang, { ...claimed, validation: 4 })
      await fire(id, 'T3')
      expect((await logOf(id)).slice(3)).toEqual(panic ? ['T3', 'escalateBySystem'] : ['T3'])
      expect(await read(id)).toMatchObject({ state: panic ? 'ESCALATED' : 'CLAIMED' })
    }
  })

  it('keeps ringing, each time after twice the delay, until the police is called', async () => {
    const { id } = await raised()
    const threatened = await verify(world.db, world.zhang, {
      ...(await claim(world.db, world.zhang, { id })),
      validation: 4,
    })
    const call = async () => (await pending(id)).filter(({ step }) => step.startsWith('T3'))
    await fire(id, 'T3')
    expect(await call()).toEqual([{ step: 'T3.2', seconds: 30 }])
    await fire(id, 'T3.2')
    expect(await call()).toEqual([{ step: 'T3.3', seconds: 60 }])
    expect((await events(id)).slice(-2)).toEqual(['alarm.again', 'alarm.again'])
    await calls.escalate(world.db, world.zhang, threatened)
    expect((await events(id)).at(-1)).toBe('alarm.again')
    expect(await call()).toEqual([])
  })

  it('restarts with a new verification', async () => {
    const { id } = await raised()
    const claimed = await claim(world.db, world.zhang, { id })
    const grave = await verify(world.db, world.zhang, { ...claimed, validation: 4 })
    await fire(id, 'T3')
    await verify(world.db, world.zhang, { ...grave, validation: 4 })
    expect((await pending(id)).filter(({ step }) => step.startsWith('T3'))).toEqual([{ step: 'T3', seconds: 15 }])
  })

  it('stops when the record was escalated or the verification was revoked', async () => {
    const { id } = await raised()
    const claimed = await claim(world.db, world.zhang, { id })
    const grave = await verify(world.db, world.zhang, { ...claimed, validation: 4 })
    const mild = await verify(world.db, world.zhang, { ...grave, validation: 1 })
    expect(await fire(id, 'T3')).toBe(0)
    const again = await verify(world.db, world.zhang, { ...mild, validation: 4 })
    await calls.escalate(world.db, world.zhang, again)
    expect(await fire(id, 'T3')).toBe(0)
  })
})

const beginnings = {
  T2: (id: number) => claim(world.db, world.zhang, { id }),
  T3: async (id: number) =>
    verify(world.db, world.zhang, { ...(await claim(world.db, world.zhang, { id })), validation: 4 }),
  T4: async (id: number) => calls.dispatch(world.db, world.zhang, await read(id)),
}

it.each([
  ['T2', 't2Sec', ['T2', 'loseLease']],
  ['T3', 't3Sec', ['T3']],
  ['T4', 't4Sec', ['T4']],
] as const)('%s falls due by the time of the rule, not of the level', async (step, column, fired) => {
  const seconds = 7200
  const rule = await world.db
    .insertInto('warnRule')
    .values({ name: column, matchCodes: ['INTRUSION'], class: 'INTRUSION', level: 2, [column]: seconds })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await raised({ ruleId: rule.id })
  await beginnings[step](id)
  const before = await logOf(id)
  const pass = async (time: number) => {
    const due = sql<Date>`due_at - make_interval(secs => ${time})`
    await world.db
      .updateTable('timer')
      .set({ dueAt: due })
      .where('subjectId', '=', id)
      .where('step', '=', step)
      .execute()
    await runDueTimers({ db: world.db, handlers: recordTimerHandlers, log: quietLog }, running)
    return (await logOf(id)).slice(before.length)
  }
  expect(await pass(seconds / 2)).toEqual([])
  expect(await pass(seconds / 2)).toEqual(fired)
})

it('T4 reports at every desk that the guard is not on site, unless the guard is', async () => {
  const { id } = await raised()
  const sent = await calls.dispatch(world.db, world.zhang, await claim(world.db, world.zhang, { id }))
  await fire(id, 'T4')
  expect((await logOf(id)).at(-1)).toBe('T4')
  expect((await events(id)).at(-1)).toBe('alarm.again')
  expect(await read(id)).toMatchObject({ version: sent.version })

  const other = await raised()
  const there = await calls.dispatch(world.db, world.zhang, await claim(world.db, world.zhang, other))
  await calls.arrive(world.db, world.zhang, there)
  expect(await fire(other.id, 'T4')).toBe(0)
})

it('T5 reports at every desk that a record is open for too long', async () => {
  const { id } = await raised()
  await fire(id, 'T5')
  expect(facts).toContain(`overdue ${id}`)
  expect((await logOf(id)).at(-1)).toBe('overdue')
  expect(await events(id)).toEqual(['alarm.again'])
})

describe('AUTOCLOSE', () => {
  const resolved = async (level: number, of: RecordDraft['class'] = 'DEVICE_HEALTH') => {
    const record = await raised({ class: of, level, state: 'HANDLING', ownerId: world.zhang.userId })
    return resolve(world.db, world.zhang, { ...record, disposition: 'REAL_HANDLED', note: 'done' })
  }

  it('closes level 3 and 4 records that may end by themselves, after a day without review', async () => {
    const { id } = await resolved(3)
    expect(await pending(id)).toEqual([{ step: 'AUTOCLOSE', seconds: 86_400 }])
    await fire(id, 'AUTOCLOSE')
    expect(await read(id)).toMatchObject({ state: 'CLOSED' })
  })

  it('does not close a record that waits for a person, even with a timer scheduled before', async () => {
    for (const { id, epoch } of [await resolved(2), await resolved(3, 'MEDICAL'), await resolved(4, 'VOICE')]) {
      expect(await pending(id)).toEqual([])
      const key = { kind: RECORD_TIMER, subjectId: id, step: 'AUTOCLOSE', epoch }
      await world.db.transaction().execute((trx) => recordTimerHandlers.record.execute(trx, [key]))
      expect(await read(id)).toMatchObject({ state: 'RESOLVED' })
    }
  })

  it('leaves a record that was sent back meanwhile, even when it is already claimed', async () => {
    const row = await resolved(3)
    const before = await world.db
      .selectFrom('timer')
      .selectAll()
      .where('step', '=', 'AUTOCLOSE')
      .executeTakeFirstOrThrow()
    await calls.reject(world.db, world.wang, row)
    expect(await fire(row.id, 'AUTOCLOSE')).toBe(0)
    // A step of the first epoch that was not cancelled, for example from a restored backup.
    await world.db.transaction().execute((trx) => recordTimerHandlers.record.execute(trx, [before]))
    expect(await read(row.id)).toMatchObject({ state: 'HANDLING', epoch: 2 })
  })
})

it('UNSHELVE unshelves a record and rings', async () => {
  const record = await raised()
  await calls.shelve(world.db, world.wang, record)
  await fire(record.id, 'UNSHELVE')
  expect(await read(record.id)).toMatchObject({ shelvedUntil: null, state: 'NEW' })
  expect(await pending(record.id)).toEqual([{ step: 'T1', seconds: 30 }])
  expect((await events(record.id)).at(-1)).toBe('alarm.again')
})
