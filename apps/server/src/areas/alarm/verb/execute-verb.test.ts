import { stateMachine, openStates, type RecordState, recordStates } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '#http/route'
import { makePress, makeRecord, type RecordDraft } from '../../../../seed/record-fixtures.ts'
import { call, calls, inState, type PersonVerb, verbError } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'

let fixture: AlarmFixture
beforeAll(async () => {
  fixture = await openAlarmFixture()
})
afterAll(() => fixture.end())

const verbs = Object.keys(calls) as PersonVerb[]

/** A record in this state whose owner, a lead, may use the verb. */
const prepared = (verb: PersonVerb, state: RecordState, owner: Actor, more: Partial<RecordDraft> = {}) =>
  makeRecord(fixture.db, {
    deptId: fixture.first.deptId,
    schoolId: fixture.first.id,
    class: 'INTRUSION',
    level: 2,
    validation: 2,
    ...inState(state, owner.userId),
    ...((verb === 'confirmFalse' || verb === 'refuseFalse') && { falseBy: fixture.zhang.userId }),
    ...(verb === 'close' && { resolverId: fixture.zhang.userId }),
    ...(verb === 'take' && state === 'ESCALATED' && { ownerId: null }),
    ...(verb === 'unshelve' && { shelvedUntil: new Date(Date.now() + 1000) }),
    ...more,
  })

const target = async (verb: PersonVerb) =>
  verb === 'merge' ? { intoId: (await prepared(verb, 'NEW', fixture.wang)).id } : {}

const read = (id: number) =>
  fixture.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const logOf = (id: number) =>
  fixture.all.selectFrom('warnLog').selectAll().where('recordId', '=', id).orderBy('no').execute()

/** Reassign needs a possible assignee; claim.test.ts covers it with roles. */
const simple = verbs.filter((verb) => verb !== 'reassign')

describe.each(simple)('%s', (verb) => {
  const from = stateMachine[verb].from as readonly RecordState[]

  it('is executed from every state of the table, with log, version and event', async () => {
    for (const state of from) {
      const record = await prepared(verb, state, fixture.wang)
      const row = await call(verb)(fixture.db, fixture.wang, { ...record, ...(await target(verb)) })
      const to = stateMachine[verb].to === 'same' || verb === 'false' ? state : stateMachine[verb].to
      expect(row).toMatchObject({ id: record.id, state: to, version: record.version + 1 })
      const log = await logOf(record.id)
      expect(log.at(-1)).toMatchObject({ verb, actorId: fixture.wang.userId, fromState: state, toState: to })
      const events = await fixture.db.selectFrom('event').selectAll().where('ref', '=', record.id).execute()
      expect(events.map(({ type }) => type).filter((type) => type.startsWith('alarm.'))).toHaveLength(1)
      expect(events[0]).toMatchObject({ schoolId: fixture.first.id, deptId: fixture.first.deptId })
    }
  })

  it('is rejected from every other state and changes nothing', async () => {
    for (const state of recordStates.filter((s) => !from.includes(s))) {
      const record = await prepared(verb, state, fixture.wang)
      const refusal = await verbError(call(verb)(fixture.db, fixture.zhao, { ...record, ...(await target(verb)) }))
      const held = verb === 'claim' && openStates.some((s) => s === state)
      expect(refusal?.code, `${verb} from ${state}`).toBe(held ? codes.alreadyClaimed.code : codes.wrongState.code)
      if (!held) expect(refusal?.params).toEqual({ state })
      expect(refusal?.data).toMatchObject({ current: { id: record.id, state } })
      expect(await read(record.id)).toMatchObject({ state, version: record.version })
      expect(await logOf(record.id)).toHaveLength(1)
    }
  })

  it('is rejected without the permission', async () => {
    const record = await prepared(verb, from[0] as RecordState, fixture.wang)
    const without = { ...fixture.wang, permissions: new Set<string>() }
    const refusal = await verbError(call(verb)(fixture.db, without, { ...record, ...(await target(verb)) }))
    expect(refusal?.code).toBe(codes.forbidden.code)
  })

  it('answers a user elsewhere as if the record did not exist', async () => {
    const record = await prepared(verb, from[0] as RecordState, fixture.wang)
    const aims = await target(verb)
    const hidden = await verbError(call(verb)(fixture.db, fixture.stranger, { ...record, ...aims }))
    const missing = await verbError(call(verb)(fixture.db, fixture.stranger, { ...record, ...aims, id: 999_999_999 }))
    expect(hidden).toMatchObject({ code: codes.notFound.code, message: '警情不存在' })
    expect({ ...hidden }).toEqual({ ...missing })
    expect(await read(record.id)).toMatchObject({ version: record.version })
  })
})

describe.each(simple.filter((verb) => !['claim', 'take', 'release'].includes(verb)))('%s', (verb) => {
  it('is rejected on an older version, with the current row', async () => {
    const record = await prepared(verb, stateMachine[verb].from[0], fixture.wang, { version: 7 })
    const stale = { id: record.id, version: 6, ...(await target(verb)) }
    const refusal = await verbError(call(verb)(fixture.db, fixture.wang, stale))
    expect(refusal).toMatchObject({ code: codes.stale.code, data: { current: { id: record.id, version: 7 } } })
  })
})

const doneBy = (user: string) => simple.filter((verb) => stateMachine[verb].who === user)

describe.each([...doneBy('owner'), ...doneBy('ownerOrLead'), 'reassign' as const])('%s', (verb) => {
  it('is rejected for an operator who does not own the record', async () => {
    for (const state of stateMachine[verb].from.filter((s) => s !== 'NEW')) {
      const record = await prepared(verb, state, fixture.zhang)
      const given = { ...record, userId: fixture.li.userId, ...(await target(verb)) }
      const refusal = await verbError(call(verb)(fixture.db, fixture.li, given))
      expect(refusal?.code).toBe(codes.notOwner.code)
    }
  })
})

describe.each(doneBy('lead'))('%s', (verb) => {
  it('is rejected for an operator', async () => {
    const record = await prepared(verb, stateMachine[verb].from[0], fixture.zhang)
    expect((await verbError(call(verb)(fixture.db, fixture.zhang, record)))?.code).toBe(codes.forbidden.code)
  })
})

describe('milestones', () => {
  it('are written once and never before an earlier one, even when the clock of the database goes back', async () => {
    const ahead = new Date(Date.now() + 60_000)
    const record = await prepared('claim', 'NEW', fixture.wang, { receivedAt: ahead })
    const claimed = await calls.claim(fixture.db, fixture.zhang, record)
    expect(claimed.claimedAt).toEqual(ahead)
    const sent = await calls.dispatch(fixture.db, fixture.zhang, claimed)
    expect(sent).toMatchObject({ claimedAt: ahead, dispatchedAt: ahead })
    const there = await calls.arrive(fixture.db, fixture.zhang, sent)
    const twice = await calls.arrive(fixture.db, fixture.zhang, there)
    expect(twice.onSiteAt).toEqual(there.onSiteAt)
  })
})

describe('devices', () => {
  it('receive the stage of their latest press, except from a silent record', async () => {
    for (const silent of [false, true]) {
      const record = await prepared('claim', 'NEW', fixture.wang, { silent })
      await makePress(fixture.db, record, fixture.buttonId)
      const eventId = await makePress(fixture.db, record, fixture.buttonId)
      const claimed = await calls.claim(fixture.db, fixture.zhang, record)
      const sent = await calls.dispatch(fixture.db, fixture.zhang, claimed)
      await calls.resolve(fixture.db, fixture.zhang, await calls.arrive(fixture.db, fixture.zhang, sent))
      const result = await fixture.db
        .selectFrom('deviceOutbox')
        .selectAll()
        .where('key', 'like', `${record.id}.%`)
        .orderBy('id')
        .execute()
      const stages = ['claimed', 'dispatched', 'onsite', 'closed']
      const payloads = stages.map((stage) => ({ eventId, stage, recordNo: record.no }))
      expect(result.map(({ payload }) => payload)).toEqual(silent ? [] : payloads)
    }
  })
})
