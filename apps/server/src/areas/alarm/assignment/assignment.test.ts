import { assignmentMachine, type AssignmentState, type ResponderVerb } from '@tocsin/contract/alarm/assignment-machine'
import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import { recordTimerHandlers } from '#areas/alarm/timer/record-timers'
import { RECORD_TIMER } from '#areas/alarm/timer/schedule-timers'
import { dispatch, sendMore } from '#areas/alarm/verb/handle'
import { resolve } from '#areas/alarm/verb/resolve'
import { verifyLog } from '#areas/alarm/verify-chain'
import type { Actor, Caller } from '#http/route'
import { runDueTimers } from '#timer/scheduler'
import { makeRecord, type RecordDraft } from '../../../../seed/record-fixtures.ts'
import { makeUser } from '../../../../seed/fixtures.ts'
import { verbError } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture, session } from '../../../../test/alarm-fixture.ts'
import { quietLog } from '../../../../test/quiet-log.ts'
import { advanceAssignment } from './advance.ts'
import { listAssignments } from './assignment-rows.ts'
import { assignmentTimerHandlers } from './assignment-timers.ts'
import { setDuty } from './duty.ts'
import { endAssignmentsWithRecord } from './end-with-record.ts'
import { goToRecord } from './go.ts'
import { listMyTasks } from './my-tasks.ts'
import { tellResponders } from '../notification/assignment-deliveries.ts'
import { listResponders } from './responders.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'

let world: AlarmFixture
let ma: Actor
let du: Actor
let away: Actor

const GUARD = new Set([
  'warn:task:query',
  'warn:task:update',
  'warn:record:query',
  'warn:record:claim',
  'warn:record:dispatch',
  'warn:record:resolve',
])
const guard = async (name: string, school: { id: number; deptId: number }): Promise<Actor> => {
  const user = await makeUser(world.db, { username: name, nickname: name, deptId: school.deptId, roles: ['guard'] })
  const at = { deptId: school.deptId, depts: [school.deptId], schools: [school.id] }
  const permissions = name === 'ma' ? GUARD : new Set(['warn:task:query', 'warn:task:update'])
  const sessionId = await session(world.db, user.id)
  return { ...at, userId: user.id, sessionId, username: name, nickname: name, permissions }
}

useTransactionHooks([endAssignmentsWithRecord])
beforeAll(async () => {
  world = await openAlarmFixture(10)
  await seedSystem(world.db, 'Maple-river-42')
  ma = await guard('ma', world.first)
  du = await guard('du', world.first)
  away = await guard('away', world.second)
})
afterAll(() => world.end())

const caller = (actor: Actor): Caller => ({ actor, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' } })
const raised = (more: Partial<RecordDraft> = {}) =>
  makeRecord(world.db, { deptId: world.first.deptId, schoolId: world.first.id, level: 2, class: 'INTRUSION', ...more })
const read = (id: number) =>
  world.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const verbsOf = async (recordId: number) => {
  const rows = await world.all
    .selectFrom('warnLog')
    .select('verb')
    .where('recordId', '=', recordId)
    .orderBy('no')
    .execute()
  return rows.map(({ verb }) => verb)
}
const step = (actor: Actor, verb: ResponderVerb | 'recall', id: number, more: object = {}) =>
  advanceAssignment(world.db, caller(actor), { verb, input: { id, stepKey: randomUUID(), ...more } })
/** A record of wang with assignments of these people. */
const sent = async (...people: Actor[]) => {
  const record = await raised()
  const responderIds = people.map(({ userId }) => userId)
  await dispatch(world.db, world.wang, { ...record, responderIds })
  const rows = await listAssignments(world.db, world.wang, record.id)
  return { recordId: record.id, ids: rows.map(({ id }) => id) }
}
const fire = async (id: number, name: string) => {
  await world.db
    .updateTable('timer')
    .set({ dueAt: sql`now() - interval '1 second'` })
    .where('kind', '=', 'assignment')
    .where('subjectId', '=', id)
    .where('step', '=', name)
    .where('doneAt', 'is', null)
    .execute()
  const turn = () =>
    runDueTimers({ db: world.db, handlers: assignmentTimerHandlers, log: quietLog }, new AbortController().signal)
  // Two nodes at once.
  await Promise.all([turn(), turn()])
}

describe('responders', () => {
  it('are users of the school with tasks, free ones first, busy ones with their activity', async () => {
    await setDuty(world.db, caller(du), { onDuty: true })
    const { recordId } = await sent(ma)
    const record = await read(recordId)
    const listed = await listResponders(world.db, world.wang, (await raised()).id)
    expect(listed.map(({ name, state, busyNo, isHere }) => [name, state, busyNo, isHere])).toEqual([
      ['du', 'FREE', null, false],
      ['ma', 'ASSIGNED', record.no, false],
    ])
    expect(await listResponders(world.db, world.wang, recordId)).toContainEqual(
      expect.objectContaining({ name: 'ma', isHere: true, roleNames: '学校保安' }),
    )
    await setDuty(world.db, caller(du), { onDuty: false })
    expect((await listResponders(world.db, world.wang, recordId))[0]).toMatchObject({ name: 'du', state: 'OFF' })
    const hidden = await verbError(listResponders(world.db, world.stranger, recordId))
    expect(hidden?.code).toBe(codes.notFound.code)
  })

  it('of another school cannot be sent, and an empty selection is a field error', async () => {
    const record = await raised()
    for (const input of [{ responderIds: [away.userId] }, {}])
      await expect(dispatch(world.db, world.wang, { ...record, ...input })).rejects.toMatchObject({
        errors: [{ field: 'responderIds' }],
      })
    expect(await read(record.id)).toMatchObject({ state: 'NEW', version: record.version })
  })
})

describe('an assignment', () => {
  it('is created with the dispatch, notifies the responder, and moves the record to the scene', async () => {
    const { recordId, ids } = await sent(ma, du)
    const record = await read(recordId)
    expect(record).toMatchObject({ state: 'HANDLING', ownerId: world.wang.userId })
    const [first = 0] = ids
    const events = await world.db.selectFrom('event').selectAll().where('ref', '=', first).execute()
    expect(events.filter(({ type }) => type === 'assignment.changed')).toMatchObject([
      { userId: ma.userId, schoolId: world.first.id },
    ])
    const { open } = await listMyTasks(world.db, ma)
    expect(open[0]).toMatchObject({ id: first, state: 'ASSIGNED', recordNo: record.no, byName: world.wang.nickname })
    await step(ma, 'depart', first)
    const doneAt = new Date()
    expect(await step(ma, 'arrive', first, { doneAt })).toMatchObject({ state: 'ON_SCENE', onBehalf: false })
    const there = await read(recordId)
    expect(there.onSiteAt).not.toBeNull()
    await step(ma, 'clear', first)
    const [row] = await listAssignments(world.db, world.wang, recordId)
    expect(row?.state).toBe('CLEARED')
    expect(row?.receivedAt).toEqual(row?.departedAt)
    expect(await verbsOf(recordId)).toEqual(['raise', 'dispatch', 'depart', 'arrive', 'clear'])
    expect((await read(recordId)).onSiteAt).toEqual(there.onSiteAt)
    expect((await verifyLog(world.db)).broken).toBeUndefined()
  })

  it('applies a repeated step once, also concurrently', async () => {
    const { recordId, ids } = await sent(ma)
    const input = { id: ids[0] ?? 0, stepKey: randomUUID() }
    const again = () => advanceAssignment(world.db, caller(ma), { verb: 'depart', input })
    const answers = await Promise.all([again(), again(), again()])
    expect(new Set(answers.map(({ version }) => version))).toEqual(new Set([2]))
    expect((await again()).state).toBe('EN_ROUTE')
    expect((await verbsOf(recordId)).filter((verb) => verb === 'depart')).toHaveLength(1)
  })

  it('is hidden from other users except those who may send, whose steps are marked', async () => {
    const { ids } = await sent(ma)
    const id = ids[0] ?? 0
    expect((await verbError(step(du, 'receive', id)))?.code).toBe(codes.forbidden.code)
    expect((await verbError(step(away, 'receive', id)))?.code).toBe(codes.notFound.code)
    expect((await verbError(step(du, 'recall', id)))?.code).toBe(codes.forbidden.code)
    expect(await step({ ...world.wang, permissions: new Set(GUARD) }, 'receive', id)).toMatchObject({
      state: 'RECEIVED',
      onBehalf: true,
    })
    const refused = await verbError(step(ma, 'clear', id))
    expect(refused).toMatchObject({ code: codes.assignmentState.code, params: { state: 'RECEIVED' } })
    expect(await step(ma, 'decline', id, { reason: 'BUSY' })).toMatchObject({
      declineReason: 'BUSY',
      state: 'DECLINED',
    })
  })

  it('without a receipt rings the desk after 30 s and times out after 60 s, once on two nodes, and can still be accepted', async () => {
    const { recordId, ids } = await sent(ma, du)
    const [id = 0, other = 0] = ids
    await fire(id, 'RECEIPT')
    await fire(id, 'TIMEOUT')
    expect(await verbsOf(recordId)).toEqual(['raise', 'dispatch', 'noReceipt', 'timeOut'])
    const rows = await listAssignments(world.db, world.wang, recordId)
    expect(rows.map(({ state }) => state)).toEqual(['TIMED_OUT', 'ASSIGNED'])
    await step(du, 'receive', other)
    await fire(other, 'RECEIPT')
    expect(await verbsOf(recordId)).not.toContain('recall')
    expect(await step(ma, 'depart', id)).toMatchObject({ state: 'EN_ROUTE' })
  })

  it('without any answer reaches the last resort of the policy after two minutes, once on two nodes', async () => {
    onTestFinished(tellResponders())
    const last = { targets: [{ kind: 'USER', userId: world.zhao.userId }] as const, channels: ['INAPP'] as const }
    const step0 = { afterSec: 0, ...last, channels: ['INAPP', 'WEBHOOK', 'EMAIL'] as const }
    await world.db
      .insertInto('notifyPolicy')
      .values({
        name: 'of the school',
        deptId: world.first.deptId,
        level: 2,
        steps: sql`${JSON.stringify([step0])}::jsonb`,
        fallback: sql`${JSON.stringify(last)}::jsonb`,
      })
      .execute()
    const { recordId, ids } = await sent(ma, du)
    const [id = 0, other = 0] = ids
    const listDeliveries = (subjectId: number) =>
      world.all
        .selectFrom('delivery')
        .select(['userId', 'channel'])
        .where('subjectType', '=', 'ASSIGNMENT')
        .where('subjectId', '=', subjectId)
        .orderBy('id')
        .execute()
    expect(await listDeliveries(id)).toEqual([
      { userId: ma.userId, channel: 'INAPP' },
      { userId: ma.userId, channel: 'EMAIL' },
    ])
    for (const each of ids) for (const name of ['RECEIPT', 'TIMEOUT']) await fire(each, name)
    await fire(id, 'UNANSWERED')
    const toZhao = (await listDeliveries(id)).filter(({ userId }) => userId === world.zhao.userId)
    expect(toZhao).toEqual([{ userId: world.zhao.userId, channel: 'INAPP' }])
    expect(await verbsOf(recordId)).toContain('unanswered')
    await step(ma, 'receive', id)
    await fire(other, 'UNANSWERED')
    expect((await listDeliveries(other)).filter(({ userId }) => userId === world.zhao.userId)).toEqual([])
  })

  it('reaches the last resort again when the last answered one is lost after two minutes, not while another goes', async () => {
    onTestFinished(tellResponders())
    const { id: recordId } = await raised()
    const answered = async (person: Actor, secondsAgo: number) => {
      const at = sql<Date>`date_trunc('milliseconds', now()) - make_interval(secs => ${secondsAgo})`
      const { schoolId, deptId } = await read(recordId)
      const row = { recordId, schoolId, deptId, responderName: person.username, responderUserId: person.userId }
      const { id } = await world.all
        .insertInto('assignment')
        .values({ ...row, state: 'RECEIVED', assignedAt: at, receivedAt: at })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    }
    const titles = async (subjectId: number) => {
      const rows = await world.all
        .selectFrom('delivery')
        .select(['userId', 'title'])
        .where('subjectType', '=', 'ASSIGNMENT')
        .where('subjectId', '=', subjectId)
        .execute()
      return rows.filter(({ userId }) => userId === world.zhao.userId).map(({ title }) => title)
    }
    const [first, second] = [await answered(ma, 130), await answered(du, 130)]
    await step(ma, 'decline', first, { reason: 'BUSY' })
    expect(await titles(first)).toEqual([])
    await step(du, 'decline', second, { reason: 'BUSY' })
    expect(await titles(second)).toEqual(['du 不能前往，无人前往'])
    const third = await answered(ma, 130)
    await step({ ...world.wang, permissions: new Set(GUARD) }, 'recall', third, { note: 'x' })
    expect(await titles(third)).toEqual(['ma 被撤回，无人前往'])
    const early = await answered(ma, 20)
    await step(ma, 'decline', early, { reason: 'BUSY' })
    expect(await titles(early)).toEqual([])
  })

  it('is replaced after a timeout when the same person is sent again; an active one stays', async () => {
    const { recordId, ids } = await sent(ma, du)
    const [id = 0] = ids
    await fire(id, 'RECEIPT')
    await fire(id, 'TIMEOUT')
    const record = await read(recordId)
    await sendMore(world.db, world.wang, { ...record, responderIds: [ma.userId, du.userId] })
    const rows = await listAssignments(world.db, world.wang, recordId)
    expect(rows.map(({ state, responderName }) => [responderName, state])).toEqual([
      ['ma', 'RECALLED'],
      ['du', 'ASSIGNED'],
      ['ma', 'ASSIGNED'],
    ])
  })

  it('ends with its record, and rings for a request for support', async () => {
    const { recordId, ids } = await sent(ma, du)
    const [first = 0] = ids
    await step(ma, 'arrive', first)
    await step(ma, 'support', first, { note: '两个人' })
    await step(ma, 'report', first, { note: '已控制' })
    const record = await read(recordId)
    await resolve(world.db, world.wang, { ...record, disposition: 'REAL_HANDLED', note: 'done' })
    const rows = await listAssignments(world.db, world.wang, recordId)
    expect(rows.map(({ state }) => state)).toEqual(['CLEARED', 'RECALLED'])
    expect(rows[0]?.supportAt).not.toBeNull()
    const item = await world.db.selectFrom('event').select('type').where('ref', '=', recordId).execute()
    expect(item.map(({ type }) => type)).toContain('alarm.again')
  })
})

describe('a guard with a phone', () => {
  it('claims, confirms and departs with one tap; of two at once one goes', async () => {
    const record = await raised()
    const other = { ...du, permissions: GUARD }
    const keys = [randomUUID(), randomUUID()] as const
    const results = await Promise.allSettled([
      goToRecord(world.db, caller(ma), { recordId: record.id, stepKey: keys[0] }),
      goToRecord(world.db, caller(other), { recordId: record.id, stepKey: keys[1] }),
    ])
    const won = results.findIndex(({ status }) => status === 'fulfilled')
    expect(results[1 - won]).toMatchObject({ reason: { code: codes.alreadyClaimed.code } })
    const winner = won === 0 ? ma : other
    const again = await goToRecord(world.db, caller(winner), { recordId: record.id, stepKey: keys[won] ?? '' })
    expect(again).toMatchObject({ state: 'EN_ROUTE', responderUserId: winner.userId })
    expect(await read(record.id)).toMatchObject({ state: 'HANDLING', ownerId: winner.userId })
    expect(await listAssignments(world.db, world.wang, record.id)).toHaveLength(1)
    expect(await verbsOf(record.id)).toEqual(['raise', 'dispatch'])
    expect((await listMyTasks(world.db, winner)).unclaimed.map(({ recordId }) => recordId)).not.toContain(record.id)
  })

  it('lists an alarm that the system escalated because nobody claimed it, and owns it after the tap', async () => {
    const record = await raised({ level: 1, class: 'PANIC' })
    await world.db.transaction().execute((trx) => {
      const due = { kind: RECORD_TIMER, subjectId: record.id, step: 'T1', epoch: record.epoch } as const
      return recordTimerHandlers[RECORD_TIMER].execute(trx, [due])
    })
    expect(await read(record.id)).toMatchObject({ state: 'ESCALATED', ownerId: null })
    const listed = async () =>
      (await listMyTasks(world.db, ma)).unclaimed.find(({ recordId }) => recordId === record.id)
    expect(await listed()).toMatchObject({ recordState: 'ESCALATED', level: 1 })
    const go = (actor: Actor) => goToRecord(world.db, caller(actor), { recordId: record.id, stepKey: randomUUID() })
    expect((await verbError(go(du)))?.code).toBe(codes.forbidden.code)
    const results = await Promise.allSettled([go(ma), go({ ...du, permissions: GUARD })])
    const won = results.findIndex(({ status }) => status === 'fulfilled')
    expect(results[won]).toMatchObject({ value: { state: 'EN_ROUTE' } })
    expect(results[1 - won]).toMatchObject({ reason: { code: codes.alreadyClaimed.code } })
    const winner = won === 0 ? ma : du
    const taken = await read(record.id)
    expect(taken).toMatchObject({ state: 'ESCALATED', ownerId: winner.userId })
    expect([taken.claimedAt, taken.dispatchedAt]).not.toContain(null)
    expect(await listed()).toBeUndefined()
    expect(await verbsOf(record.id)).toEqual(['raise', 'escalateBySystem', 'take', 'sendMore'])
    expect((await verifyLog(world.db)).broken).toBeUndefined()
  })

  it('sees unclaimed alarms of the school only while allowed to claim', async () => {
    const record = await raised()
    const seen = async (actor: Actor) => (await listMyTasks(world.db, actor)).unclaimed.map(({ recordId }) => recordId)
    expect(await seen(ma)).toContain(record.id)
    expect(await seen(du)).toEqual([])
    expect(await seen({ ...away, permissions: GUARD })).toEqual([])
  })
})

describe('the table of assignments', () => {
  it('is enforced for each verb from each state', async () => {
    for (const [verb, rule] of Object.entries(assignmentMachine)) {
      if (verb === 'timeOut') continue
      for (const state of ['ASSIGNED', 'RECEIVED', 'EN_ROUTE', 'ON_SCENE', 'CLEARED', 'TIMED_OUT'] as const) {
        const { ids } = await sent(ma)
        const id = ids[0] ?? 0
        await world.all.updateTable('assignment').set({ state }).where('id', '=', id).execute()
        const more = { reason: 'FAR', note: 'x' }
        const done = step(
          verb === 'recall' ? world.wang : ma,
          verb as ResponderVerb,
          id,
          verb === 'decline' ? more : {},
        )
        const isAllowed = (rule.from as readonly AssignmentState[]).includes(state)
        if (!isAllowed) expect((await verbError(done))?.code, `${verb} ${state}`).toBe(codes.assignmentState.code)
        else expect((await done).state).toBe(rule.to === 'same' ? state : rule.to)
      }
    }
  })
})
