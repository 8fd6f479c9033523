import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { constraintError } from '#db/constraint-error'
import { recordDetail } from '#areas/alarm/record/detail'
import { makePress, makeRecord, type RecordDraft } from '../../../../seed/record-fixtures.ts'
import { calls } from '../../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { verifyLog } from '../verify-chain.ts'
import { merge } from './merge.ts'
import './routes.ts'

// Records that were ended or handed over and return (domain 2.8, feature 20 of section 1).

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
const verbsOf = async (id: number) =>
  (await recordDetail(fixture.db, fixture.zhang, id)).log.map(({ verb, actorName }) => [verb, actorName])
const pendingOf = async (id: number) =>
  (
    await fixture.db
      .selectFrom('timer')
      .select('step')
      .where('kind', '=', 'record')
      .where('subjectId', '=', id)
      .where('doneAt', 'is', null)
      .execute()
  ).map(({ step }) => step)
const lastEvent = async (id: number) =>
  (await fixture.db.selectFrom('event').select('type').where('ref', '=', id).orderBy('id').execute())
    .map(({ type }) => type)
    .findLast((type) => type.startsWith('alarm.'))

describe('merge', () => {
  it('is undone by the review: the child is handled again on its own, and both logs are complete', async () => {
    const [child, target] = [await handled(), await handled()]
    const eventId = await makePress(fixture.db, child, fixture.buttonId)
    const merged = await merge(fixture.db, fixture.zhang, { ...child, intoId: target.id })
    const back = await calls.reject(fixture.db, fixture.wang, merged)
    expect(back).toMatchObject({
      state: 'HANDLING',
      mergedIntoId: null,
      disposition: null,
      ownerId: fixture.zhang.userId,
      epoch: 2,
    })
    expect(await lastEvent(child.id)).toBe('alarm.again')
    expect(await recordDetail(fixture.db, fixture.zhang, target.id)).toMatchObject({ merged: [] })
    expect(await recordDetail(fixture.db, fixture.zhang, child.id)).toMatchObject({
      mergedInto: null,
      occurrences: [{ eventId }],
    })
    expect(await verbsOf(child.id)).toEqual([
      ['raise', 'system'],
      ['merge', fixture.zhang.nickname],
      ['reject', fixture.wang.nickname],
    ])
    expect((await verbsOf(target.id)).map(([verb]) => verb)).toEqual(['raise', 'merged'])
    // It may be merged again, and ends on its own otherwise.
    expect(await merge(fixture.db, fixture.zhang, { ...back, intoId: target.id })).toMatchObject({
      state: 'RESOLVED',
      mergedIntoId: target.id,
    })
  })
})

describe('returns to the school when the police send it back', () => {
  it.each([
    ['its owner', 'zhang'],
    ['the lead who took note of it, when nobody owned it', null],
  ] as const)('rings again for %s', async (_who, owner) => {
    const record = await handled({ state: 'ESCALATED', ownerId: owner && fixture[owner].userId })
    const back = await calls.returned(fixture.db, fixture.wang, record)
    expect(back).toMatchObject({ state: 'HANDLING', ownerId: fixture[owner ?? 'wang'].userId })
    expect(await lastEvent(record.id)).toBe('alarm.again')
  })
})

describe('reopen', () => {
  const closedSince = async (ms: number, more: Partial<RecordDraft> = {}) => {
    const record = await handled({ state: 'CLOSED', resolverId: fixture.zhang.userId, ...more })
    await fixture.all
      .updateTable('warnRecord')
      .set({ closedAt: new Date(Date.now() - ms) })
      .where('id', '=', record.id)
      .execute()
    return record
  }
  const week = 7 * 86_400_000
  const minute = 60_000

  it('is possible until the end of the seventh day', async () => {
    expect(await calls.reopen(fixture.db, fixture.wang, await closedSince(week - minute))).toMatchObject({
      state: 'HANDLING',
    })
  })

  it('raises a new record owned by the lead after that, and the closed one stays closed', async () => {
    for (const late of [1, minute]) {
      const closed = await closedSince(week + late)
      const went = await calls.reopen(fixture.db, fixture.wang, closed)
      const { class: kind, level, mode, schoolId, deptId } = closed
      expect(went).toMatchObject({
        class: kind,
        level,
        mode,
        schoolId,
        deptId,
        state: 'HANDLING',
        epoch: 1,
        version: 1,
      })
      expect(went).toMatchObject({ linkedRecordId: closed.id, ownerId: fixture.wang.userId, occurrenceCount: 0 })
      expect(went.no).not.toBe(closed.no)
      expect(await recordDetail(fixture.db, fixture.zhang, went.id)).toMatchObject({
        linked: { id: closed.id, no: closed.no },
        log: [{ verb: 'reopen', toState: 'HANDLING', payload: { reason: 'again', linkedNo: closed.no } }],
      })
      const before = await recordDetail(fixture.db, fixture.zhang, closed.id)
      expect(before.record).toMatchObject({ state: 'CLOSED', epoch: closed.epoch, version: closed.version })
      expect(before.log.at(-1)).toMatchObject({ kind: 'NOTE', verb: 'wentOn', payload: { linkedNo: went.no } })
      // Nobody pressed anything: a desk gets the same events as for any reopening.
      expect(await lastEvent(went.id)).toBe('alarm.again')
      expect(await pendingOf(went.id)).toEqual(['T5'])
      expect((await verifyLog(fixture.db)).broken).toBeUndefined()
    }
  })

  it('is rejected after that while the source has an open record, and writes nothing', async () => {
    const closed = await closedSince(week + minute)
    await handled({ dedupKey: closed.dedupKey })
    const count = () =>
      fixture.all
        .selectFrom('warnLog')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirst()
    const before = await count()
    const error = await calls.reopen(fixture.db, fixture.wang, closed).catch((e: unknown) => e)
    expect(constraintError(error)).toEqual({ code: codes.openTwin })
    expect(await count()).toEqual(before)
  })

  it('keeps a drill a drill after that, and requires the missing reset of a panic device', async () => {
    const panic = { class: 'PANIC', code: 'PANIC', level: 2, mode: 'DRILL', condition: 'RECOVERED' } as const
    const never = await closedSince(week + minute, panic)
    expect(await calls.reopen(fixture.db, fixture.wang, never)).toMatchObject({ mode: 'DRILL', condition: 'ACTIVE' })
    const resetAt = new Date(Date.now() - 8 * 86_400_000)
    const reset = await closedSince(week + minute, { ...panic, resetAt })
    expect(await calls.reopen(fixture.db, fixture.wang, reset)).toMatchObject({ condition: 'RECOVERED', resetAt })
  })
})
