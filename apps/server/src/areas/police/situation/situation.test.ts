import { LEAD_PERMISSION } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import { situationMachine } from '@tocsin/contract/police/situation-machine'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import { advanceAssignment } from '#areas/alarm/assignment/advance'
import { assignmentTimerHandlers } from '#areas/alarm/assignment/assignment-timers'
import { listMyTasks } from '#areas/alarm/assignment/my-tasks'
import { escalate } from '#areas/alarm/verb/handle'
import type { Actor, Caller } from '#http/route'
import { runDueTimers } from '#timer/scheduler'
import { makeDept } from '../../../../seed/fixtures.ts'
import { makeRecord, type RecordDraft } from '../../../../seed/record-fixtures.ts'
import { lead, type AlarmFixture, openAlarmFixture, person } from '../../../../test/alarm-fixture.ts'
import { call, verbError } from '../../../../test/alarm-verbs.ts'
import { quietLog } from '../../../../test/quiet-log.ts'
import { createSituation } from './create.ts'
import { mergeSituation, transferSituation, unmergeSituation } from './pass-on.ts'
import { deskSituations, findOfRecord, getSituation, pageSituations } from './reads.ts'
import { loadSituationTimes } from './times.ts'
import { situationTimerHandlers } from './timers.ts'
import { listUnitChoices } from './units.ts'
import {
  cancelSituation,
  claimSituation,
  closeSituation,
  dispatchUnits,
  feedBack,
  reopenSituation,
  returnToSchool,
} from './verbs.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'

let world: AlarmFixture
let desk: Caller
let command: Caller
let west: number

const as = (actor: Actor): Caller => ({ actor, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' } })
const POLICE = new Set([
  ...lead,
  'police:situation:query',
  ...Object.values(situationMachine).flatMap(({ permission }) => permission || []),
  'warn:task:update',
])

useTransactionHooks()
beforeAll(async () => {
  world = await openAlarmFixture(10)
  await seedSystem(world.db, 'Maple-river-42')
  const station = { deptId: world.station, depts: [world.station, world.first.deptId], schools: [world.first.id] }
  desk = as(await person(world.db, 'desk', station, POLICE))
  command = as(await person(world.db, 'command', { deptId: world.bureau, depts: 'all', schools: 'all' }, POLICE))
  west = (await makeDept(world.db, { kind: 'POLICE_STATION', name: 'West' })).id
})
afterAll(() => world.end())

const raised = (more: Partial<RecordDraft> = {}) =>
  makeRecord(world.db, { deptId: world.first.deptId, schoolId: world.first.id, state: 'HANDLING', ...more })
const read = (id: number) => getSituation(world.db, command, id)
/** Creates an incident of an alarm that was just handed over, and the alarm. */
const handedOver = async () => {
  const record = await raised({ ownerId: world.wang.userId })
  await call('escalate')(world.db, world.wang, record)
  const found = await findOfRecord(world.db, desk.actor, record.id)
  return { record, situation: await read(found?.id ?? 0) }
}
const unit = async (more: { onDuty?: boolean; deptId?: number } = {}) => {
  const row = await world.all
    .insertInto('policeUnit')
    .values({ deptId: world.station, name: randomUUID().slice(0, 8), type: 'CAR', onDuty: true, ...more })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
  return row
}
const on = async (id: number) => ({ id, version: (await read(id)).version })
const step = (id: number, verb: 'receive' | 'depart' | 'arrive' | 'clear') =>
  advanceAssignment(world.db, desk, { verb, input: { id, stepKey: randomUUID() } })
const recordState = async (id: number) =>
  (await world.all.selectFrom('warnRecord').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
const byHand = (more: object = {}, item = desk) =>
  createSituation(
    world.db,
    { source: 'PHONE_110', category: 'HELP', grade: 2, summary: '有人受伤', schoolId: world.first.id, ...more },
    item,
  )
const closing = { category: 'SECURITY', disposition: 'RESOLVED_ON_SCENE', result: '已处置' } as const

describe('an incident of an alarm', () => {
  it('is created once, with the place and the station of the alarm, when the alarm is handed over', async () => {
    const { record, situation } = await handedOver()
    expect(situation).toMatchObject({
      source: 'WARN',
      state: 'RECEIVED',
      grade: record.level,
      schoolId: world.first.id,
      stationDeptId: world.station,
      recordNo: record.no,
      dueStep: 'CLAIM',
    })
    expect(situation.no).toMatch(/^JQ20\d{6}-\d{4,}$/)
    expect(situation.log.map(({ verb }) => verb)).toEqual(['escalated'])
  })

  it('goes from claim to close with the steps of its unit, and ends the alarm', async () => {
    const { record, situation } = await handedOver()
    const { id } = situation
    await claimSituation(world.db, desk, await on(id))
    const car = await unit()
    await dispatchUnits(world.db, desk, { ...(await on(id)), unitIds: [car.id] })
    const [sent] = (await read(id)).units
    expect(sent).toMatchObject({ unitName: car.name, state: 'ASSIGNED' })
    const early = await verbError(closeSituation(world.db, desk, { ...(await on(id)), ...closing }))
    expect(early?.of).toBe(codes.situationState)
    await step(sent?.id ?? 0, 'receive')
    expect(await read(id)).toMatchObject({ state: 'DISPATCHED', dueStep: 'DEPART' })
    await step(sent?.id ?? 0, 'depart')
    await step(sent?.id ?? 0, 'arrive')
    await feedBack(world.db, desk, { ...(await on(id)), text: '已到场控制' })
    const out = await verbError(closeSituation(world.db, desk, { ...(await on(id)), ...closing }))
    expect(out?.of).toBe(codes.situationUnitsOut)
    await step(sent?.id ?? 0, 'clear')
    await closeSituation(world.db, desk, { ...(await on(id)), ...closing })
    const closed = await read(id)
    expect(closed).toMatchObject({ state: 'CLOSED', disposition: 'RESOLVED_ON_SCENE', feedbackCount: 1 })
    const { receivedAt, claimedAt, dispatchedAt, signedAt, departedAt, arrivedAt, fedBackAt, closedAt } = closed
    const stamps = [receivedAt, claimedAt, dispatchedAt, signedAt, departedAt, arrivedAt, fedBackAt, closedAt].map(
      Number,
    )
    expect(stamps).toEqual(stamps.toSorted((a, b) => a - b))
    expect(closed.log.map(({ verb }) => verb).toReversed()).toEqual(
      'escalated claim dispatch RECEIVED EN_ROUTE ON_SCENE feedback CLEARED close'.split(' '),
    )
    expect(closed.log[0]).toMatchObject({ actorName: desk.actor.nickname, actorAccount: desk.actor.username })
    const row = await world.all
      .selectFrom('warnRecord')
      .select(['state', 'disposition', 'resolverId'])
      .where('id', '=', record.id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ state: 'RESOLVED', disposition: 'REAL_POLICE', resolverId: desk.actor.userId })
  })

  it('stays open without a reset of the panic button, unless a shift lead closes it with a reason', async () => {
    const { record, situation } = await handedOver()
    const { id } = situation
    const car = await unit()
    await dispatchUnits(world.db, desk, { ...(await on(id)), unitIds: [car.id] })
    const sent = (await read(id)).units[0]?.id ?? 0
    for (const verb of ['receive', 'depart', 'arrive'] as const) await step(sent, verb)
    await feedBack(world.db, desk, { ...(await on(id)), text: '已到场控制' })
    await step(sent, 'clear')
    const permissions = new Set([...POLICE].filter((permission) => permission !== LEAD_PERMISSION))
    const other = { ...desk, actor: { ...desk.actor, permissions } }
    const held = await verbError(closeSituation(world.db, other, { ...(await on(id)), ...closing }))
    expect(held?.of).toBe(codes.needsReset)
    expect(await recordState(record.id)).toBe('ESCALATED')
    expect((await read(id)).state).toBe('FED_BACK')
    await closeSituation(world.db, desk, { ...(await on(id)), ...closing })
    expect(await recordState(record.id)).toBe('RESOLVED')
  })

  it('returns the alarm to the school, and is received again when the school hands it over once more', async () => {
    const { record, situation } = await handedOver()
    await returnToSchool(world.db, desk, { ...(await on(situation.id)), reason: '地点不符' })
    expect(await recordState(record.id)).toBe('HANDLING')
    expect(await read(situation.id)).toMatchObject({ state: 'REJECTED', reason: '地点不符' })
    const { version } = await world.all
      .selectFrom('warnRecord')
      .select('version')
      .where('id', '=', record.id)
      .executeTakeFirstOrThrow()
    await escalate(world.db, world.wang, { id: record.id, version, reason: '再次' })
    expect(await read(situation.id)).toMatchObject({ state: 'RECEIVED', ownerId: null, reason: null })
    const rows = await world.all
      .selectFrom('policeSituation')
      .select('id')
      .where('warnRecordId', '=', record.id)
      .execute()
    expect(rows).toHaveLength(1)
  })

  it('follows the alarm to another station, where it is a new incident', async () => {
    const { record, situation } = await handedOver()
    const car = await unit()
    await dispatchUnits(world.db, desk, { ...(await on(situation.id)), unitIds: [car.id] })
    await transferSituation(world.db, desk, { ...(await on(situation.id)), stationDeptId: west, reason: '辖区' })
    const old = await read(situation.id)
    expect(old).toMatchObject({ state: 'TRANSFERRED', warnRecordId: null })
    expect(old.units[0]?.state).toBe('RECALLED')
    expect(await read(old.linked?.id ?? 0)).toMatchObject({
      state: 'RECEIVED',
      stationDeptId: west,
      warnRecordId: record.id,
    })
  })

  it('cannot be cancelled, because the school waits for an answer', async () => {
    const { situation } = await handedOver()
    const error = await verbError(cancelSituation(world.db, desk, { ...(await on(situation.id)), reason: '误' }))
    expect(error?.of).toBe(codes.situationHasAlarm)
  })
})

describe('units', () => {
  it('are offered free ones first, and are sent while off duty or busy only on request', async () => {
    const [first, second] = [await byHand(), await byHand()]
    const [car, off] = [await unit(), await unit({ onDuty: false })]
    await dispatchUnits(world.db, desk, { ...(await on(first)), unitIds: [car.id] })
    const choices = await listUnitChoices(world.db, desk.actor, second)
    const states = choices.map(({ state }) => state)
    expect(states.indexOf('OFF')).toBe(
      states.lastIndexOf('FREE') + states.filter((state) => state === 'ASSIGNED').length + 1,
    )
    const send = async (unitId: number, force?: boolean) =>
      verbError(dispatchUnits(world.db, desk, { ...(await on(second)), unitIds: [unitId], force }))
    expect((await send(off.id))?.of).toBe(codes.unitOff)
    expect((await send(car.id))?.of).toBe(codes.unitBusy)
    expect(await send(car.id, true)).toBeUndefined()
  })

  it('notify their members at once and their desk after half a minute, until one of them confirms', async () => {
    const id = await byHand()
    const car = await unit()
    const officer = await person(
      world.db,
      'officer',
      { deptId: world.station, depts: [world.station], schools: [] },
      POLICE,
    )
    await world.all.insertInto('policeUnitMember').values({ unitId: car.id, userId: officer.userId }).execute()
    await dispatchUnits(world.db, desk, { ...(await on(id)), unitIds: [car.id] })
    const sent = (await read(id)).units[0]?.id ?? 0
    const listEvents = () =>
      world.all
        .selectFrom('delivery')
        .select(['userId', 'channel', 'state', 'link', 'endedAt'])
        .where('subjectType', '=', 'ASSIGNMENT')
        .where('subjectId', '=', sent)
        .orderBy('id')
        .execute()
    const link = `/police/situation/detail/${id}`
    expect((await listEvents())[0]).toMatchObject({
      userId: officer.userId,
      channel: 'INAPP',
      state: 'SENT',
      link: '/m/tasks',
    })
    await world.db
      .updateTable('timer')
      .set({ dueAt: sql`now() - interval '1 second'` })
      .where('kind', '=', 'assignment')
      .where('subjectId', '=', sent)
      .execute()
    const handlers = assignmentTimerHandlers
    await runDueTimers({ db: world.db, handlers, log: quietLog }, new AbortController().signal)
    expect((await listEvents()).filter(({ userId }) => userId === desk.actor.userId)).toMatchObject([
      { state: 'SENT', link },
    ])
    expect((await read(id)).log[0]?.verb).toBe('noReceipt')
    await step(sent, 'receive')
    for (const { endedAt } of await listEvents()) expect(endedAt).not.toBeNull()
  })

  it('advance step by step on the phone of a member, in any department, and of no other user', async () => {
    const id = await byHand()
    const car = await unit()
    const may = new Set(['warn:task:query', 'warn:task:update', 'warn:record:dispatch'])
    const member = await person(world.db, 'member', { deptId: west, depts: [], schools: [] }, may)
    const colleague = await person(world.db, 'colleague', { deptId: west, depts: 'all', schools: 'all' }, may)
    await world.all.insertInto('policeUnitMember').values({ unitId: car.id, userId: member.userId }).execute()
    await dispatchUnits(world.db, desk, { ...(await on(id)), unitIds: [car.id] })
    const { open } = await listMyTasks(world.db, member)
    expect(open).toMatchObject([{ situationId: id, recordNo: null, category: 'HELP', summary: '有人受伤', level: 2 }])
    expect((await listMyTasks(world.db, colleague)).open).toEqual([])
    const [task] = open
    const take = (actor: Actor, verb: 'depart' | 'arrive' | 'report' | 'support' | 'clear', note?: string) =>
      advanceAssignment(world.db, as(actor), { verb, input: { id: task?.id ?? 0, stepKey: randomUUID(), note } })
    expect((await verbError(take(colleague, 'depart')))?.of).toBe(codes.forbidden)
    expect(await take(member, 'depart')).toMatchObject({ state: 'EN_ROUTE', onBehalf: false })
    await take(member, 'arrive')
    await take(member, 'report', '两人受伤')
    await take(member, 'support', '需要救护车')
    expect(await take(member, 'clear')).toMatchObject({ state: 'CLEARED' })
    expect((await read(id)).log.map(({ verb, text }) => [verb, text]).toReversed()).toEqual([
      ['create', '有人受伤'],
      ['dispatch', null],
      ['EN_ROUTE', null],
      ['ON_SCENE', null],
      ['report', '两人受伤'],
      ['support', '需要救护车'],
      ['CLEARED', null],
    ])
    const result = await world.all
      .selectFrom('delivery')
      .select(['title', 'body', 'userId'])
      .where('subjectType', '=', 'SITUATION')
      .where('subjectId', '=', id)
      .orderBy('id')
      .execute()
    expect(result).toMatchObject([
      // No role of this test may claim incidents.
      { title: '新警单 二级', userId: null },
      { title: `${car.name} 请求增援`, userId: desk.actor.userId },
    ])
    expect((await listMyTasks(world.db, member)).done.map(({ state }) => state)).toEqual(['CLEARED'])
  })
})

describe('reports', () => {
  it('are first, further and final ones in this order, and the list counts how long units took', async () => {
    const id = await byHand({ place: '报告楼', schoolId: world.first.id })
    const car = await unit()
    await dispatchUnits(world.db, desk, { ...(await on(id)), unitIds: [car.id] })
    await step((await read(id)).units[0]?.id ?? 0, 'arrive')
    const report = async (kind?: 'FIRST' | 'FOLLOW_UP' | 'FINAL') =>
      feedBack(world.db, desk, { ...(await on(id)), text: kind ?? '首报', kind })
    await expect(report('FOLLOW_UP')).rejects.toMatchObject({ errors: [{ field: 'kind' }] })
    await report()
    await expect(report('FIRST')).rejects.toMatchObject({ errors: [{ field: 'kind' }] })
    await report()
    await report('FINAL')
    const kinds = (await read(id)).log.flatMap(({ reportKind }) => reportKind ?? [])
    expect(kinds.toReversed()).toEqual(['FIRST', 'FOLLOW_UP', 'FINAL'])
    await sql`update police_situation set dispatched_at = received_at, signed_at = received_at + interval '45 seconds',
      departed_at = received_at + interval '5 minutes', arrived_at = received_at + interval '20 minutes',
      fed_back_at = received_at + interval '25 hours' where id = ${id}`.execute(world.db)
    const times = await loadSituationTimes(world.db, desk.actor, { keyword: '报告楼' })
    const { sign, depart, feedback, slowest } = times
    expect([sign, depart, feedback].map((counts) => counts.join(''))).toEqual(['01000', '10000', '00001'])
    expect(slowest).toMatchObject({ situationId: id, unitName: car.name })
    const other = await person(world.db, 'unseeing', { deptId: west, depts: [west], schools: [] }, POLICE)
    expect(await loadSituationTimes(world.db, other, { keyword: '报告楼' })).toMatchObject({ total: 0, slowest: null })
  })
})

describe('an incident', () => {
  it('merges into another of its station with its units, and returns until that one ends', async () => {
    const [child, into] = [await byHand(), await byHand()]
    const car = await unit()
    await dispatchUnits(world.db, desk, { ...(await on(child)), unitIds: [car.id] })
    await mergeSituation(world.db, desk, { ...(await on(child)), intoId: into })
    expect((await read(into)).units.map(({ unitName }) => unitName)).toEqual([car.name])
    expect(await read(child)).toMatchObject({ state: 'MERGED', mergedInto: { id: into } })
    await unmergeSituation(world.db, desk, { ...(await on(child)), reason: '两件事' })
    expect(await read(child)).toMatchObject({ state: 'RECEIVED', mergedInto: null })
    const self = await verbError(mergeSituation(world.db, desk, { ...(await on(child)), intoId: child }))
    expect(self?.of).toBe(codes.situationMergeTarget)
  })

  it('is archived by its timer once on two nodes, and is reopened within thirty days', async () => {
    const id = await byHand()
    const car = await unit()
    await dispatchUnits(world.db, desk, { ...(await on(id)), unitIds: [car.id] })
    const [sent] = (await read(id)).units
    for (const verb of ['arrive', 'clear'] as const) await step(sent?.id ?? 0, verb)
    await feedBack(world.db, desk, { ...(await on(id)), text: '完毕' })
    await closeSituation(world.db, desk, { ...(await on(id)), ...closing })
    await world.db
      .updateTable('timer')
      .set({ dueAt: sql`now() - interval '1 second'` })
      .where('kind', '=', 'situation')
      .where('subjectId', '=', id)
      .execute()
    const turn = () =>
      runDueTimers({ db: world.db, handlers: situationTimerHandlers, log: quietLog }, new AbortController().signal)
    await Promise.all([turn(), turn()])
    const archived = await read(id)
    expect(archived).toMatchObject({ state: 'ARCHIVED' })
    expect(archived.log.filter(({ verb }) => verb === 'archive')).toHaveLength(1)
    await reopenSituation(world.db, command, { ...(await on(id)), reason: '复查' })
    expect(await read(id)).toMatchObject({ state: 'IN_PROGRESS', disposition: null })
  })

  it('is hidden from another station, and shows the number of its reporter to the police only', async () => {
    const id = await byHand({ reporterName: '赵先生', reporterMobile: '13800001234', schoolId: null, place: '湖边' })
    expect((await getSituation(world.db, desk, id)).reporterMobile).toBe('13800001234')
    const page = await pageSituations(world.db, desk.actor, { keyword: '湖边' })
    expect(page.list.map(({ reporterMobile }) => reporterMobile)).toEqual(['138****1234'])
    const other = as(await person(world.db, 'other', { deptId: west, depts: [west], schools: [] }, POLICE))
    expect((await verbError(getSituation(world.db, other, id)))?.of).toBe(codes.notFound)
    expect((await deskSituations(world.db, other.actor)).list.map((row) => row.id)).not.toContain(id)
    const claim = await verbError(claimSituation(world.db, other, { id, version: 1 }))
    expect(claim?.of).toBe(codes.notFound)
  })

  it('rejects a stale version, and a second claim', async () => {
    const { situation } = await handedOver()
    await claimSituation(world.db, desk, situation)
    const stale = await verbError(claimSituation(world.db, command, situation))
    expect(stale?.of).toBe(codes.stale)
    const taken = await verbError(claimSituation(world.db, command, await on(situation.id)))
    expect(taken?.of).toBe(codes.situationClaimed)
  })
})
