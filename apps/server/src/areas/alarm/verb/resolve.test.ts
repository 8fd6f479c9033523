import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { constraintError } from '#db/constraint-error'
import type { Actor } from '#http/route'
import { makePress, makeRecord, type RecordDraft } from '../../../../seed/record-fixtures.ts'
import { calls, verbError } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { recordDetail } from '#areas/alarm/record/detail'
import { markFalse, resolve } from './resolve.ts'
import { verify } from './handle.ts'
import { merge } from './merge.ts'
import './routes.ts'
import { shelve } from './shelve.ts'

let fixture: AlarmFixture
beforeAll(async () => {
  fixture = await openAlarmFixture()
})
afterAll(() => fixture.end())

const handled = (more: Partial<RecordDraft> = {}) =>
  makeRecord(fixture.db, {
    deptId: fixture.first.deptId,
    schoolId: fixture.first.id,
    class: 'INTRUSION',
    level: 2,
    state: 'HANDLING',
    ownerId: fixture.zhang.userId,
    ...more,
  })
const result = { disposition: 'REAL_HANDLED', note: 'looked after' } as const
const ended = (actor: Actor, on: { id: number; version: number }, overrideReason?: string) =>
  resolve(fixture.db, actor, { ...on, ...result, overrideReason })
const why = async (made: Promise<unknown>) => (await verbError(made))?.code
const pending = async (id: number) =>
  (
    await fixture.db
      .selectFrom('timer')
      .select('step')
      .where('kind', '=', 'record')
      .where('subjectId', '=', id)
      .where('doneAt', 'is', null)
      .execute()
  ).map(({ step }) => step)

describe('resolve', () => {
  it('requires the manual reset of a panic device, or a shift lead with a reason', async () => {
    const panic = await handled({ class: 'PANIC' })
    expect(await why(ended(fixture.zhang, panic))).toBe(codes.needsReset.code)
    expect(await why(ended(fixture.zhang, panic, 'it is broken'))).toBe(codes.needsReset.code)
    expect(await why(ended(fixture.wang, panic))).toBe(codes.reasonNeeded.code)
    expect(await ended(fixture.wang, panic, 'it is broken')).toMatchObject({
      state: 'RESOLVED',
      resolverId: fixture.wang.userId,
    })
    const reset = await handled({ class: 'PANIC', resetAt: new Date() })
    expect(await ended(fixture.zhang, reset)).toMatchObject({ state: 'RESOLVED', ...result })
  })

  it('reports the end of the emergency, and revokes it when the review returns the record of a device never reset', async () => {
    const resets = [null, new Date()]
    for (const resetAt of resets) {
      const panic = await handled({ class: 'PANIC', resetAt, condition: resetAt ? 'RECOVERED' : 'ACTIVE' })
      const over = await ended(fixture.wang, panic, 'it is broken')
      expect(over).toMatchObject({ state: 'RESOLVED', condition: 'RECOVERED' })
      const back = await calls.reject(fixture.db, fixture.zhao, over)
      expect(back).toMatchObject({ state: 'HANDLING', condition: resetAt ? 'RECOVERED' : 'ACTIVE' })
    }
    const other = await handled({ class: 'INTRUSION' })
    expect(await ended(fixture.zhang, other)).toMatchObject({ state: 'RESOLVED', condition: 'ACTIVE' })
  })

  it('requires a verification from CLAIMED', async () => {
    const claimed = await handled({ state: 'CLAIMED' })
    expect(await why(ended(fixture.zhang, claimed))).toBe(codes.notVerified.code)
    const verified = await calls.verify(fixture.db, fixture.zhang, claimed)
    expect(await ended(fixture.zhang, verified)).toMatchObject({ state: 'RESOLVED' })
  })

  it('from ESCALATED needs a shift lead', async () => {
    const escalated = await handled({ state: 'ESCALATED' })
    expect(await why(ended(fixture.zhang, escalated))).toBe(codes.leadOnly.code)
    expect(await ended(fixture.wang, escalated)).toMatchObject({ state: 'RESOLVED' })
  })

  it('schedules the automatic closing of levels 3 and 4 only, and only of records that may end by themselves', async () => {
    for (const level of [1, 2, 3, 4])
      for (const of of ['DEVICE_HEALTH', 'SECURITY_DUTY', 'MEDICAL', 'INTRUSION'] as const) {
        const record = await handled({ level, class: of })
        await ended(fixture.zhang, record)
        const byItself = level >= 3 && (of === 'DEVICE_HEALTH' || of === 'SECURITY_DUTY')
        expect(await pending(record.id), `${of} ${level}`).toEqual(byItself ? ['AUTOCLOSE'] : [])
      }
  })
})

const proposal = { disposition: 'FALSE_DEVICE', causeCode: 'LOOSE_WIRE', note: 'rain' } as const

describe('false', () => {
  it('of level 1 and 2 becomes a proposal that another person must confirm', async () => {
    const record = await handled({ level: 1 })
    const proposed = await markFalse(fixture.db, fixture.zhang, { ...record, ...proposal })
    expect(proposed).toMatchObject({ state: 'HANDLING', falseBy: fixture.zhang.userId, ...proposal })
    expect(await why(calls.confirmFalse(fixture.db, fixture.zhang, proposed))).toBe(codes.secondPerson.code)
    const confirmed = await calls.confirmFalse(fixture.db, fixture.li, proposed)
    expect(confirmed).toMatchObject({ state: 'RESOLVED', ...proposal, resolverId: fixture.li.userId })
  })

  it('that is rejected leaves only the log of the proposal', async () => {
    const record = await handled({ level: 2 })
    const proposed = await markFalse(fixture.db, fixture.zhang, { ...record, ...proposal })
    const refused = await calls.refuseFalse(fixture.db, fixture.li, proposed)
    expect(refused).toMatchObject({ state: 'HANDLING', falseBy: null, disposition: null, causeCode: null, note: null })
  })

  it('of level 3 and 4 ends the record at once', async () => {
    const record = await handled({ level: 3 })
    expect(await markFalse(fixture.db, fixture.zhang, { ...record, ...proposal })).toMatchObject({ state: 'RESOLVED' })
  })

  it('of a panic device never reset needs a shift lead; of a reset one any other person', async () => {
    const four = await handled({ class: 'PANIC', level: 4 })
    expect(await why(markFalse(fixture.db, fixture.zhang, { ...four, ...proposal }))).toBe(codes.needsReset.code)
    const own = await handled({ class: 'PANIC', level: 4, ownerId: fixture.wang.userId })
    const over = { state: 'RESOLVED', condition: 'RECOVERED' }
    expect(await markFalse(fixture.db, fixture.wang, { ...own, ...proposal })).toMatchObject(over)
    const two = await markFalse(fixture.db, fixture.zhang, { ...(await handled({ class: 'PANIC' })), ...proposal })
    expect(await why(calls.confirmFalse(fixture.db, fixture.li, two))).toBe(codes.needsReset.code)
    expect(two).toMatchObject({ condition: 'ACTIVE' })
    expect(await calls.confirmFalse(fixture.db, fixture.wang, two)).toMatchObject(over)
    const reset = await handled({ class: 'PANIC', resetAt: new Date() })
    const proposed = await markFalse(fixture.db, fixture.zhang, { ...reset, ...proposal })
    expect(await calls.confirmFalse(fixture.db, fixture.li, proposed)).toMatchObject({ state: 'RESOLVED' })
  })

  it('of an unclaimed record keeps it unclaimed and ringing', async () => {
    const record = await handled({ state: 'NEW', ownerId: null })
    const proposed = await markFalse(fixture.db, fixture.zhang, { ...record, ...proposal })
    expect(proposed).toMatchObject({ state: 'NEW', ownerId: null })
    expect(await calls.claim(fixture.db, fixture.li, proposed)).toMatchObject({ state: 'CLAIMED' })
  })
})

describe('merge', () => {
  it('ends the child as a duplicate and writes both logs', async () => {
    const [child, target] = [await handled(), await handled()]
    const row = await merge(fixture.db, fixture.zhang, { ...child, intoId: target.id })
    expect(row).toMatchObject({ state: 'RESOLVED', disposition: 'DUPLICATE', mergedIntoId: target.id })
    expect(await recordDetail(fixture.db, fixture.zhang, child.id)).toMatchObject({
      mergedInto: { id: target.id, no: target.no },
      merged: [],
      linked: null,
      linkedFrom: [],
    })
    expect(await recordDetail(fixture.db, fixture.zhang, target.id)).toMatchObject({
      mergedInto: null,
      merged: [{ id: child.id, no: child.no }],
    })
    const last = await fixture.all
      .selectFrom('warnLog')
      .select(['verb', 'payload'])
      .where('recordId', '=', target.id)
      .orderBy('no', 'desc')
      .executeTakeFirstOrThrow()
    expect(last).toEqual({ verb: 'merged', payload: { id: child.id, no: child.no } })
  })

  it('discards an unconfirmed false-alarm proposal', async () => {
    const proposed = await markFalse(fixture.db, fixture.zhang, { ...(await handled()), ...proposal })
    const { id: intoId } = await handled()
    expect(
      await merge(fixture.db, fixture.zhang, { id: proposed.id, version: proposed.version, intoId }),
    ).toMatchObject({
      disposition: 'DUPLICATE',
      causeCode: null,
      note: null,
      falseBy: null,
    })
  })

  it('raises the urgency of the target: it rings again, even when shelved or proposed as false', async () => {
    const child = await handled({ level: 1, duress: true })
    const target = await handled({ level: 3, state: 'NEW', ownerId: null })
    const until = new Date(Date.now() + 3_600_000)
    const shelved = await shelve(fixture.db, fixture.wang, { ...target, until, reason: 'repair' })
    await fixture.all
      .updateTable('warnRecord')
      .set({ falseBy: fixture.li.userId, disposition: 'FALSE_DEVICE', note: 'rain' })
      .where('id', '=', shelved.id)
      .execute()
    await merge(fixture.db, fixture.zhang, { ...child, intoId: target.id })
    const after = await fixture.all.selectFrom('warnRecord').selectAll().where('id', '=', target.id).executeTakeFirst()
    expect(after).toMatchObject({ level: 1, duress: true, shelvedUntil: null, falseBy: null, disposition: null })
    expect((await pending(target.id)).toSorted()).toEqual(['T1', 'T5'])
    const events = await fixture.db
      .selectFrom('event')
      .select('type')
      .where('ref', '=', target.id)
      .orderBy('id')
      .execute()
    expect(events.at(-1)?.type).toBe('alarm.again')
    const lesser = await handled({ level: 4 })
    await merge(fixture.db, fixture.zhang, { ...lesser, intoId: target.id })
    const same = await fixture.all.selectFrom('warnRecord').selectAll().where('id', '=', target.id).executeTakeFirst()
    expect(same).toMatchObject({ level: 1, version: after?.version })
  })

  it('copies a confirmed threat to life and its police deadline', async () => {
    const [child, target] = [await handled({ level: 1 }), await handled({ level: 1, state: 'CLAIMED', late: true })]
    const grave = await verify(fixture.db, fixture.zhang, { ...child, validation: 4 })
    expect(await pending(child.id)).toContain('T3')
    await merge(fixture.db, fixture.zhang, { ...grave, intoId: target.id })
    const after = await fixture.all.selectFrom('warnRecord').selectAll().where('id', '=', target.id).executeTakeFirst()
    expect(after).toMatchObject({ state: 'CLAIMED', validation: 4, late: false })
    expect(await pending(target.id)).toContain('T3')
  })

  it('sends the devices of the child the stage of the target, and an end only with the target', async () => {
    const [child, target] = [await handled(), await handled({ dispatchedAt: new Date() })]
    const eventId = await makePress(fixture.db, child, fixture.buttonId)
    await merge(fixture.db, fixture.zhang, { ...child, intoId: target.id })
    const listEvents = async () =>
      (
        await fixture.db
          .selectFrom('deviceOutbox')
          .select('payload')
          .where('payload', '@>', { eventId })
          .orderBy('id')
          .execute()
      ).map(({ payload }) => payload)
    const as = (stage: string) => ({ eventId, stage, recordNo: target.no })
    expect(await listEvents()).toEqual([as('dispatched')])
    const above = await handled()
    const now = async () =>
      fixture.all.selectFrom('warnRecord').selectAll().where('id', '=', target.id).executeTakeFirstOrThrow()
    await merge(fixture.db, fixture.zhang, { ...(await now()), intoId: above.id })
    expect(await listEvents()).toEqual([as('dispatched')])
    const here = await calls.arrive(fixture.db, fixture.zhang, above)
    await ended(fixture.zhang, here)
    const later = ['onsite', 'closed'].map((stage) => ({ eventId, stage, recordNo: above.no }))
    expect(await listEvents()).toEqual([as('dispatched'), ...later])
  })

  it('is rejected into itself, an ended record, another school or another mode', async () => {
    const child = await handled()
    const ended = await handled({ state: 'RESOLVED' })
    const elsewhere = await handled({ schoolId: fixture.second.id, deptId: fixture.second.deptId })
    const drill = await handled({ mode: 'DRILL' })
    const mine = { ...fixture.zhang, depts: 'all', schools: 'all' } as const
    for (const target of [child, ended, elsewhere, drill])
      expect(await why(merge(fixture.db, mine, { ...child, intoId: target.id }))).toBe(codes.mergeTarget.code)
    expect(await why(merge(fixture.db, fixture.zhang, { ...child, intoId: elsewhere.id }))).toBe(codes.notFound.code)
  })

  it('is rejected when the target could be shelved or end by itself and the child could not', async () => {
    const [panic, signal, fault] = [
      await handled({ class: 'PANIC' }),
      await handled({ class: 'VOICE' }),
      await handled({ class: 'DEVICE_HEALTH', code: 'OFFLINE' }),
    ]
    for (const [child, target] of [
      [panic, signal],
      [panic, fault],
      [signal, fault],
    ] as const)
      expect(await why(merge(fixture.db, fixture.zhang, { ...child, intoId: target.id }))).toBe(codes.mergeTarget.code)
    expect(await why(merge(fixture.db, fixture.zhang, { ...fault, intoId: panic.id }))).toBeUndefined()
    expect(await why(merge(fixture.db, fixture.zhang, { ...signal, intoId: panic.id }))).toBeUndefined()
  })

  it('merges one record when two are merged into each other at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await handled(), await handled()]
      const both = await Promise.all([
        why(merge(fixture.db, fixture.zhang, { ...a, intoId: b.id })),
        why(merge(fixture.db, fixture.zhang, { ...b, intoId: a.id })),
      ])
      expect(both.toSorted()).toEqual([codes.mergeTarget.code, undefined])
    }
  })
})

describe('review', () => {
  it('of level 1 and 2 needs another person than the resolver', async () => {
    for (const level of [2, 3]) {
      const resolved = await ended(fixture.wang, await handled({ level }))
      const own = await why(calls.close(fixture.db, fixture.wang, resolved))
      expect(own).toBe(level === 2 ? codes.secondPerson.code : undefined)
      if (own) expect(await calls.close(fixture.db, fixture.zhao, resolved)).toMatchObject({ state: 'CLOSED' })
    }
  })

  it('returns the record to the owner in a new epoch, without pending steps of the old one', async () => {
    const resolved = await ended(fixture.zhang, await handled({ level: 3 }))
    const back = await calls.reject(fixture.db, fixture.wang, resolved)
    expect(back).toMatchObject({
      state: 'HANDLING',
      epoch: 2,
      ownerId: fixture.zhang.userId,
      disposition: null,
      resolverId: null,
    })
    expect(back.resolvedAt).toEqual(resolved.resolvedAt)
    expect(await pending(back.id)).toEqual(['T5'])
  })

  it('reopens within seven days of the last closing', async () => {
    const record = await handled({ level: 3 })
    const first = await calls.close(fixture.db, fixture.wang, await ended(fixture.zhang, record))
    // The milestone keeps the first closing, long ago. The days count from the latest.
    const old = new Date(Date.now() - 30 * 86_400_000)
    await fixture.all.updateTable('warnRecord').set({ closedAt: old }).where('id', '=', record.id).execute()
    expect(await calls.reopen(fixture.db, fixture.wang, first)).toMatchObject({ state: 'HANDLING', epoch: 2 })
    const stale = await handled({ state: 'CLOSED', closedAt: old })
    expect(await calls.reopen(fixture.db, fixture.wang, stale)).toMatchObject({ epoch: 1, linkedRecordId: stale.id })
  })

  it('does not reopen beside a newer open record of the same source', async () => {
    const closed = await handled({ state: 'CLOSED', closedAt: new Date(), dedupKey: 'twin' })
    await handled({ dedupKey: 'twin' })
    const error = await calls.reopen(fixture.db, fixture.wang, closed).catch((e: unknown) => e)
    expect(constraintError(error)).toEqual({ code: codes.openTwin })
  })
})

describe('shelve', () => {
  const hours = (n: number) => new Date(Date.now() + n * 3_600_000)

  it('lasts at most eight hours and is impossible for a panic record', async () => {
    const record = await handled()
    for (const until of [hours(8.1), hours(-0.1)])
      expect(await why(shelve(fixture.db, fixture.wang, { ...record, until, reason: 'repair' }))).toBe(
        codes.shelveTooLong.code,
      )
    const panic = await handled({ class: 'PANIC' })
    expect(await why(shelve(fixture.db, fixture.wang, { ...panic, until: hours(1), reason: 'x' }))).toBe(
      codes.notForPanic.code,
    )
  })

  it('silences an unclaimed record until it is unshelved', async () => {
    const record = await handled({ state: 'NEW', ownerId: null })
    const shelved = await calls.shelve(fixture.db, fixture.wang, record)
    expect(await pending(record.id)).toEqual(['UNSHELVE'])
    await calls.unshelve(fixture.db, fixture.wang, shelved)
    expect(await pending(record.id)).toEqual(['T1'])
  })
})
