import { codes } from '@tocsin/contract/codes'
import { situationMachine } from '@tocsin/contract/police/situation-machine'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedSystem } from '#areas/access/seed/seed'
import { advanceAssignment } from '#areas/alarm/assignment/advance'
import type { Caller } from '#http/route'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { lead, type AlarmFixture, openAlarmFixture, person } from '../../../../test/alarm-fixture.ts'
import { call, type PersonVerb, verbError } from '../../../../test/alarm-verbs.ts'
import type { IncomingMessage } from '../exchange/incoming-message.ts'
import { receiveMessage } from '../exchange/receive-message.ts'
import { createSituation } from './create.ts'
import { mergeSituation, unmergeSituation } from './pass-on.ts'
import { deskSituations, findOfRecord, getSituation } from './reads.ts'
import { cancelSituation, closeSituation, dispatchUnits, feedBack, returnToSchool } from './verbs.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'

let world: AlarmFixture
let desk: Caller

const POLICE = new Set([
  ...lead,
  'police:situation:query',
  ...Object.values(situationMachine).flatMap(({ permission }) => permission || []),
  'warn:task:update',
])

useTransactionHooks()
beforeAll(async () => {
  world = await openAlarmFixture()
  await seedSystem(world.db, 'Maple-river-42')
  const sight = { deptId: world.station, depts: [world.station, world.first.deptId], schools: [world.first.id] }
  const actor = await person(world.db, 'desk', sight, POLICE)
  desk = { actor, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' } }
})
afterAll(() => world.end())

const read = (id: number) => getSituation(world.db, desk, id)
const on = async (id: number) => ({ id, version: (await read(id)).version })
const byHand = () => {
  const draft = { source: 'PHONE_110', category: 'HELP', grade: 2, summary: '有人受伤' } as const
  return createSituation(world.db, { ...draft, schoolId: world.first.id }, desk)
}
const record = (id: number) =>
  world.all.selectFrom('warnRecord').select(['id', 'version', 'state']).where('id', '=', id).executeTakeFirstOrThrow()
const atSchool = async (verb: PersonVerb, recordId: number) =>
  call(verb)(world.db, verb === 'escalate' ? world.wang : world.zhao, await record(recordId))
const handedOver = async () => {
  const { deptId, id: schoolId } = world.first
  const made = await makeRecord(world.db, { deptId, schoolId, state: 'HANDLING', ownerId: world.wang.userId })
  await atSchool('escalate', made.id)
  const found = await findOfRecord(world.db, desk.actor, made.id)
  return { recordId: made.id, id: found?.id ?? 0 }
}
const car = () =>
  world.all
    .insertInto('policeUnit')
    .values({ deptId: world.station, name: randomUUID().slice(0, 8), type: 'CAR', onDuty: true })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
const send = async (id: number) => {
  const { id: unitId, name } = await car()
  await dispatchUnits(world.db, desk, { ...(await on(id)), unitIds: [unitId] })
  return { name, unitId, assignmentId: (await read(id)).units[0]?.id ?? 0 }
}
const step = (id: number, verb: 'arrive' | 'clear') =>
  advanceAssignment(world.db, desk, { verb, input: { id, stepKey: randomUUID() } })
const merge = async (id: number, intoId: number) => mergeSituation(world.db, desk, { ...(await on(id)), intoId })
const close = async (id: number) => {
  const closing = { category: 'SECURITY', disposition: 'RESOLVED_ON_SCENE', result: '已处置' } as const
  await closeSituation(world.db, desk, { ...(await on(id)), ...closing })
}
const handle = async (id: number) => {
  const { assignmentId } = await send(id)
  await step(assignmentId, 'arrive')
  await feedBack(world.db, desk, { ...(await on(id)), text: '已到场控制' })
  await step(assignmentId, 'clear')
  await close(id)
}

describe('an alarm whose incident was merged', () => {
  it('is received again at the desk when the school hands it over after the other incident was closed', async () => {
    const [{ id, recordId }, other] = [await handedOver(), await handedOver()]
    await merge(id, other.id)
    await handle(other.id)
    expect((await record(recordId)).state).toBe('RESOLVED')
    await atSchool('reject', recordId)
    await atSchool('escalate', recordId)
    expect(await read(id)).toMatchObject({ state: 'RECEIVED', ownerId: null, mergedInto: null })
    expect((await read(id)).log[0]).toMatchObject({ verb: 'again', fromState: 'MERGED', toState: 'RECEIVED' })
    expect((await deskSituations(world.db, desk.actor)).list.map((row) => row.id)).toContain(id)
    await handle(id)
    expect((await record(recordId)).state).toBe('RESOLVED')
  })

  it('is in the timeline of the other incident when it is handed over again while that one is open', async () => {
    const [{ id, recordId }, other] = [await handedOver(), await byHand()]
    await merge(id, other)
    await atSchool('returned', recordId)
    await atSchool('escalate', recordId)
    const { no, state } = await read(id)
    expect(state).toBe('MERGED')
    expect((await read(other)).log[0]).toMatchObject({ verb: 'again', text: no })
    await handle(other)
    expect((await record(recordId)).state).toBe('RESOLVED')
  })

  it('keeps the other incident from being returned or cancelled until it is unmerged', async () => {
    const [{ id, recordId }, alarm, call110] = [await handedOver(), await handedOver(), await byHand()]
    const reason = '误报'
    await merge(id, alarm.id)
    const returned = async () => returnToSchool(world.db, desk, { ...(await on(alarm.id)), reason })
    expect((await verbError(returned()))?.of).toBe(codes.situationHasMerged)
    expect((await record(alarm.recordId)).state).toBe('ESCALATED')
    await unmergeSituation(world.db, desk, { ...(await on(id)), reason })
    await returned()
    expect((await record(alarm.recordId)).state).toBe('HANDLING')
    await merge(id, call110)
    const cancelled = async () => cancelSituation(world.db, desk, { ...(await on(call110)), reason })
    expect((await verbError(cancelled()))?.of).toBe(codes.situationHasMerged)
    await unmergeSituation(world.db, desk, { ...(await on(id)), reason })
    await cancelled()
    expect((await record(recordId)).state).toBe('ESCALATED')
    expect((await read(id)).state).toBe('RECEIVED')
  })

  it('keeps a cancellation by the other dispatch system a note for people', async () => {
    const said = (identifier: string, more: Partial<IncomingMessage>): IncomingMessage => ({
      format: 'JSON',
      sender: 'cad.city',
      identifier,
      sent: new Date(),
      type: 'ALARM',
      mode: 'LIVE',
      references: [],
      caseNo: null,
      externalNo: null,
      category: null,
      grade: null,
      schoolCode: 'First',
      place: null,
      lng: null,
      lat: null,
      summary: '斗殴',
      text: null,
      ...more,
    })
    const { caseNo } = await receiveMessage(world.db, said('a-1', {}), 'a'.repeat(64))
    const { id: target } = await world.all
      .selectFrom('policeSituation')
      .select('id')
      .where('no', '=', caseNo)
      .executeTakeFirstOrThrow()
    const { id } = await handedOver()
    await merge(id, target)
    const references = [{ sender: 'cad.city', identifier: 'a-1' }]
    const cancel = said('a-2', { type: 'CANCEL_REQUEST', references, text: '误报' })
    const answer = await receiveMessage(world.db, cancel, 'b'.repeat(64))
    expect(answer).toMatchObject({ result: 'NOTED', state: 'RECEIVED' })
    await unmergeSituation(world.db, desk, { ...(await on(id)), reason: '两件事' })
    const again = await receiveMessage(world.db, { ...cancel, identifier: 'a-3' }, 'c'.repeat(64))
    expect(again).toMatchObject({ result: 'CANCELLED' })
  })
})

describe('an incident', () => {
  it('is dispatched and follows its units when one with a unit on the scene is merged into it, and closes', async () => {
    const [{ id, recordId }, other] = [await handedOver(), await handedOver()]
    const { name, unitId, assignmentId } = await send(id)
    await step(assignmentId, 'arrive')
    const events = () =>
      world.db
        .selectFrom('event')
        .select(['type', 'ref'])
        .where('type', 'in', ['assignment.changed', 'unit.changed'])
        .where('ref', 'in', [assignmentId, unitId])
        .execute()
    const before = await events()
    await merge(id, other.id)
    const types = (await events()).slice(before.length).map(({ type }) => type)
    expect(types.toSorted()).toEqual(['assignment.changed', 'unit.changed'])
    const row = await read(other.id)
    expect(row).toMatchObject({ state: 'IN_PROGRESS', ownerId: desk.actor.userId, dueStep: 'FEEDBACK' })
    const { receivedAt, claimedAt, dispatchedAt, signedAt, departedAt, arrivedAt } = row
    const stamps = [receivedAt, claimedAt, dispatchedAt, signedAt, departedAt, arrivedAt]
    expect(stamps).not.toContain(null)
    expect(stamps.map(Number)).toEqual(stamps.map(Number).toSorted((a, b) => a - b))
    expect(row.log.map(({ verb, unitName }) => [verb, unitName]).slice(0, 3)).toEqual([
      ['ON_SCENE', name],
      ['dispatch', name],
      ['absorb', null],
    ])
    await feedBack(world.db, desk, { ...(await on(other.id)), text: '已到场控制' })
    await step(assignmentId, 'clear')
    await close(other.id)
    for (const each of [recordId, other.recordId]) expect((await record(each)).state).toBe('RESOLVED')
  })

  it('stays received when one without units is merged into it, and dispatched when its unit has not answered', async () => {
    const [empty, sent, other] = [await byHand(), await byHand(), await handedOver()]
    await merge(empty, other.id)
    expect(await read(other.id)).toMatchObject({ state: 'RECEIVED', ownerId: null, dispatchedAt: null })
    await send(sent)
    await merge(sent, other.id)
    expect(await read(other.id)).toMatchObject({ state: 'DISPATCHED', signedAt: null, dueStep: 'SIGN' })
  })
})
