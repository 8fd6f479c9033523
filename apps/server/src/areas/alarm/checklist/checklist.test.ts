import { STEP_SIREN_SEC } from '@tocsin/contract/alarm/checklist'
import { codes } from '@tocsin/contract/codes'
import type { ProcedureStep } from '@tocsin/contract/device/procedure/procedure'
import { zone } from '@tocsin/contract/time-zone'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInStep as step } from '#areas/device/procedure/built-in-step'
import type { Actor } from '#http/route'
import { makeInstallation, makePlace } from '../../../../seed/fixtures.ts'
import { makeRecord, type RecordDraft } from '../../../../seed/record-fixtures.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { calls, verbError } from '../../../../test/alarm-verbs.ts'
import { getChecklist, skipStep, tickStep } from './checklist.ts'
import { soundStep } from './sound-step.ts'

let fixture: AlarmFixture
beforeAll(async () => {
  fixture = await openAlarmFixture()
})
afterAll(() => fixture.end())

const steps = [
  step('OPERATOR', ['拨打电话', 'Call'], { mandatory: true, action: 'CALL', targetSec: 20 }),
  step('GUARD', ['到场', 'Go there']),
  step('SAFETY_OFFICER', ['通知家长', 'Inform the parents'], { mandatory: true }),
]

type Scope = {
  class?: 'INTRUSION' | 'FIRE'
  levels?: number[]
  placeKinds?: ('GATE' | 'ROOM')[]
  hours?: [from: number, to: number]
  steps?: ProcedureStep[]
}
let plans = 0
/** A plan in force. */
const makePlan = async ({
  class: of = 'INTRUSION',
  levels = [],
  placeKinds = [],
  hours,
  steps: content = steps,
}: Scope = {}): Promise<number> => {
  plans += 1
  const frozen = sql<typeof steps>`${JSON.stringify(content)}::jsonb`
  const scope = {
    kind: 'RESPONSE',
    name: `预案 ${plans}`,
    nameEn: `Plan ${plans}`,
    class: of,
    levels,
    placeKinds,
    fromMin: hours?.[0] ?? null,
    toMin: hours?.[1] ?? null,
  } as const
  const { id } = await fixture.db
    .insertInto('procedure')
    .values({ ...scope, steps: frozen, status: 'PUBLISHED', versionNo: 1, changed: false })
    .returning('id')
    .executeTakeFirstOrThrow()
  await fixture.db
    .insertInto('procedureVersion')
    .values({ ...scope, procedureId: id, no: 1, steps: frozen })
    .execute()
  return id
}
const retireAll = () => fixture.db.updateTable('procedure').set({ status: 'RETIRED' }).execute()

const makeNew = (more: Partial<RecordDraft> = {}) =>
  makeRecord(fixture.db, {
    deptId: fixture.first.deptId,
    schoolId: fixture.first.id,
    class: 'INTRUSION',
    level: 3,
    validation: 2,
    ...more,
  })
const caller = (actor: Actor) => ({ actor, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 'test' } })
const tick = (id: number, no: number, { done = true, by = fixture.zhang } = {}) =>
  tickStep(fixture.db, { id, no, done }, caller(by))
const skip = (id: number, no: number) => skipStep(fixture.db, { id, no, reason: '无法联系' }, caller(fixture.wang))
const claimed = async (more: Partial<RecordDraft> = {}) => calls.claim(fixture.db, fixture.zhang, await makeNew(more))
const planOf = async (id: number) => (await getChecklist(fixture.db, fixture.zhang, id))?.name
const logOf = (id: number) =>
  fixture.all
    .selectFrom('warnLog')
    .select(['verb', 'actorName', 'payload'])
    .where('recordId', '=', id)
    .orderBy('no')
    .execute()

describe('a response plan', () => {
  it('starts once when a record is claimed, by class, level and kind of place, the narrowest first', async () => {
    await makePlan()
    const any = await claimed()
    expect(await planOf(any.id)).toBe(`预案 ${plans}`)
    await makePlan({ levels: [3] })
    expect(await planOf((await claimed()).id)).toBe(`预案 ${plans}`)
    expect(await planOf((await claimed({ level: 2 })).id)).toBe(`预案 ${plans - 1}`)
    await makePlan({ placeKinds: ['GATE'] })
    const gate = await fixture.all
      .insertInto('place')
      .values({ schoolId: fixture.first.id, kind: 'GATE', name: '东门' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await planOf((await claimed({ placeId: gate.id })).id)).toBe(`预案 ${plans}`)
    expect(await planOf((await claimed()).id)).toBe(`预案 ${plans - 1}`)
    // The record that was claimed before keeps its plan, also after a release and another claim.
    await calls.release(fixture.db, fixture.zhang, any)
    await calls.claim(fixture.db, fixture.li, any)
    expect(await planOf(any.id)).toBe('预案 1')
    await retireAll()
  })

  it('holds in its hours only, also over midnight', async () => {
    const { rows } = await sql<{ minute: number }>`
      select (extract(epoch from (now() at time zone ${zone.name})::time) / 60)::int as minute`.execute(fixture.db)
    const now = rows[0]?.minute ?? 0
    const at = (shift: number) => (now + shift + 1440) % 1440
    await makePlan()
    const always = `预案 ${plans}`
    await makePlan({ hours: [at(60), at(120)] })
    const record = await claimed({ firstAt: new Date() })
    expect(await planOf(record.id)).toBe(always)
    await makePlan({ hours: [at(-600), at(600)] })
    const later = await claimed({ firstAt: new Date() })
    expect(await planOf(later.id)).toBe(`预案 ${plans}`)
    await retireAll()
  })

  it('gives way to the plan of a level to which the record rises, and keeps the results of steps that both have', async () => {
    await makePlan()
    const any = `预案 ${plans}`
    const severe = [step('LEAD', ['封锁校门', 'Lock the gates'], { mandatory: true }), ...steps.slice(0, 2)]
    const record = await claimed()
    const calm = await claimed()
    const unplanned = await claimed({ class: 'FIRE' })
    await tick(record.id, 1)
    await tick(record.id, 3)
    await makePlan({ levels: [1], steps: severe })
    await makePlan({ class: 'FIRE', levels: [1] })
    const raise = async (to: { id: number }, more: Partial<RecordDraft> = {}) =>
      calls.merge(fixture.db, fixture.zhang, { ...(await makeNew({ level: 1, ...more })), intoId: to.id })
    await raise(record)
    await raise(calm, { level: 3 })
    await raise(unplanned, { class: 'FIRE' })
    const checklist = await getChecklist(fixture.db, fixture.zhang, record.id)
    expect(checklist?.name).toBe(`预案 ${plans - 1}`)
    expect(checklist?.steps.map(({ text, result }) => [text, result?.state ?? null])).toEqual([
      ['封锁校门', null],
      ['拨打电话', 'DONE'],
      ['到场', null],
    ])
    expect(checklist?.missing).toEqual([1])
    expect(await planOf(calm.id)).toBe(any)
    expect(await planOf(unplanned.id)).toBe(`预案 ${plans}`)
    await retireAll()
  })

  it('does not start for another class, a button test or an alarm nobody has claimed', async () => {
    await makePlan()
    expect(await planOf((await claimed({ class: 'FIRE' })).id)).toBeUndefined()
    expect(await planOf((await claimed({ mode: 'TEST' })).id)).toBeUndefined()
    expect(await planOf((await makeNew()).id)).toBeUndefined()
    await retireAll()
    expect(await planOf((await claimed()).id)).toBeUndefined()
  })

  it('blocks the resolution and the closing of a real alarm until mandatory steps are done or skipped by a lead', async () => {
    await makePlan()
    const record = await claimed()
    const blocked = await verbError(calls.resolve(fixture.db, fixture.zhang, record))
    expect(blocked?.code).toBe(codes.runStepsOpen.code)
    expect(blocked?.params).toEqual({
      count: 2,
      steps: '1 拨打电话；3 通知家长',
      stepsEn: '1 Call; 3 Inform the parents',
    })
    await tick(record.id, 1)
    await skip(record.id, 3)
    const over = await calls.resolve(fixture.db, fixture.zhang, record)
    expect(over.state).toBe('RESOLVED')
    await tick(record.id, 1, { done: false })
    expect((await verbError(calls.close(fixture.db, fixture.wang, over)))?.code).toBe(codes.runStepsOpen.code)
    await tick(record.id, 1)
    const closed = await calls.close(fixture.db, fixture.wang, over)
    expect(closed.state).toBe('CLOSED')
    expect((await getChecklist(fixture.db, fixture.zhang, record.id))?.state).toBe('DONE')
    expect((await verbError(tick(record.id, 2)))?.code).toBe(codes.wrongState.code)
    await calls.reopen(fixture.db, fixture.wang, closed)
    expect((await getChecklist(fixture.db, fixture.zhang, record.id))?.state).toBe('RUNNING')
    await retireAll()
  })

  it('lets a false alarm end without its steps', async () => {
    await makePlan()
    const record = await claimed()
    const over = await calls.false(fixture.db, fixture.zhang, record)
    expect(over.state).toBe('RESOLVED')
    expect((await calls.close(fixture.db, fixture.wang, over)).state).toBe('CLOSED')
    expect((await getChecklist(fixture.db, fixture.zhang, record.id))?.state).toBe('ABORTED')
    await retireAll()
  })

  it('writes every tick into the log of the record and keeps the first name', async () => {
    await makePlan()
    const record = await claimed()
    await tick(record.id, 1)
    const second = await tick(record.id, 1, { by: fixture.li })
    expect(second.steps[0]?.result).toMatchObject({ state: 'DONE', userName: fixture.zhang.nickname })
    await tick(record.id, 1, { done: false, by: fixture.li })
    const log = (await logOf(record.id)).slice(-2)
    expect(log).toMatchObject([
      { verb: 'tick', actorName: fixture.zhang.nickname, payload: { step: '1. 拨打电话' } },
      { verb: 'untick', actorName: fixture.li.nickname },
    ])
    const { rows } = await sql<{ n: number }>`
      select count(*)::int4 as n from event where type = 'alarm.changed' and ref = ${record.id}`.execute(fixture.db)
    expect(rows[0]?.n).toBeGreaterThanOrEqual(3)
    await expect(tick(record.id, 9)).rejects.toThrow('序号')
    await retireAll()
  })

  it('is hidden from a reader who does not see the record', async () => {
    await makePlan()
    const { id } = await claimed()
    const asStranger = [getChecklist(fixture.db, fixture.stranger, id), tick(id, 1, { by: fixture.stranger })]
    for (const made of asStranger) expect((await verbError(made))?.code).toBe(codes.notFound.code)
    await retireAll()
  })

  describe('a step with a sound', () => {
    const spoken = step('OPERATOR', ['请到操场集合', 'Gather at the playground'], { action: 'MESSAGE' })
    const siren = step('OPERATOR', ['鸣警笛', 'Sound the siren'], { action: 'SIREN' })
    const speech = { PLAY_TTS: { type: 'object' } }
    const hang = async (commandSchema: Record<string, { type: string }>) => {
      plans += 1
      const at = { schoolId: fixture.first.id, deptId: fixture.first.deptId }
      const { id: modelId } = await fixture.db
        .insertInto('deviceModel')
        .values({
          productKey: `sound${plans}`,
          vendor: 'v',
          name: `V${plans}`,
          kind: 'VOICE_TERMINAL',
          power: 'POE',
          commandSchema,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { id: deviceId } = await fixture.all
        .insertInto('device')
        .values({ ...at, sn: `SOUND-${plans}`, modelId })
        .returning('id')
        .executeTakeFirstOrThrow()
      const place = await makePlace(fixture.db, { schoolId: at.schoolId })
      const installation = await makeInstallation(fixture.db, { id: deviceId }, place)
      return { deviceId, schoolDeviceId: installation.id }
    }
    const soundsOf = async (id: number) => (await getChecklist(fixture.db, fixture.zhang, id))?.sounds
    const sound = (id: number, no: number, by = fixture.zhang) => soundStep(fixture.db, { id, no }, caller(by))
    const commandsOf = (deviceId: number) =>
      fixture.db.selectFrom('deviceCommand').select(['type', 'payload']).where('deviceId', '=', deviceId).execute()

    it('is spoken by the device of the alarm, by whoever works the plan, with an entry in its log', async () => {
      await makePlan({ steps: [...steps, spoken, siren] })
      const device = await hang(speech)
      const record = await claimed(device)
      expect(await soundsOf(record.id)).toEqual(['PLAY_TTS'])
      await sound(record.id, 4)
      expect(await commandsOf(device.deviceId)).toEqual([{ type: 'PLAY_TTS', payload: { text: '请到操场集合' } }])
      expect((await logOf(record.id)).at(-1)).toMatchObject({
        verb: 'speakStep',
        actorName: fixture.zhang.nickname,
        payload: { step: '4. 请到操场集合' },
      })
      expect((await verbError(sound(record.id, 5)))?.code).toBe(codes.stepSound.code)
      await expect(sound(record.id, 2)).rejects.toThrow('序号')
      expect((await verbError(sound(record.id, 4, fixture.stranger)))?.code).toBe(codes.notFound.code)
      expect(await commandsOf(device.deviceId)).toHaveLength(1)
      await retireAll()
    })

    it('sounds the siren of a device that has one, and of none that was moved or took part in a silent alarm', async () => {
      await makePlan({ steps: [siren] })
      const able = await hang({ SIREN: { type: 'object' } })
      const record = await claimed(able)
      await sound(record.id, 1)
      expect(await commandsOf(able.deviceId)).toEqual([{ type: 'SIREN', payload: { seconds: STEP_SIREN_SEC } }])
      const silent = await claimed({ ...(await hang({ SIREN: { type: 'object' } })), silent: true })
      expect(await soundsOf(silent.id)).toEqual([])
      expect((await verbError(sound(silent.id, 1)))?.code).toBe(codes.stepSilent.code)
      await fixture.all
        .updateTable('schoolDevice')
        .set({ validTo: sql<Date>`now()` })
        .where('id', '=', able.schoolDeviceId)
        .execute()
      expect(await soundsOf(record.id)).toEqual([])
      expect((await verbError(sound(record.id, 1)))?.code).toBe(codes.stepSound.code)
      await retireAll()
    })
  })

  /** The results by the log: the first one of a step stays; only a step that was done is taken back. */
  const replayLog = async (id: number) => {
    const done = new Map<number, 'DONE' | 'SKIPPED'>()
    for (const { verb, payload } of await logOf(id)) {
      if (!['tick', 'untick', 'skipStep'].includes(verb)) continue
      const no = Number.parseInt(String(payload['step']), 10)
      expect(done.get(no)).toBe(verb === 'untick' ? 'DONE' : undefined)
      if (verb === 'untick') done.delete(no)
      else done.set(no, verb === 'tick' ? 'DONE' : 'SKIPPED')
    }
    return done
  }

  it('is resolved exactly when no mandatory step is open, also when people act on a step at the same moment', async () => {
    await makePlan()
    const act = fc.tuple(fc.constantFrom('tick', 'untick', 'skip'), fc.integer({ min: 1, max: 3 }))
    const rounds = fc.array(fc.array(act, { minLength: 1, maxLength: 3 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(rounds, async (walk) => {
        const record = await claimed()
        let done = new Map<number, 'DONE' | 'SKIPPED'>()
        for (const round of walk) {
          const [[verb, no] = ['tick', 1]] = round
          await Promise.all(
            round.map(([kind, at], n) => {
              const by = n === 0 ? fixture.zhang : fixture.li
              return kind === 'skip' ? skip(record.id, at) : tick(record.id, at, { done: kind === 'tick', by })
            }),
          )
          if (verb !== 'untick') done.set(no, done.get(no) ?? (verb === 'skip' ? 'SKIPPED' : 'DONE'))
          else if (done.get(no) === 'DONE') done.delete(no)
          const logged = await replayLog(record.id)
          if (round.length === 1) expect(logged).toEqual(done)
          done = logged
          const missing = (await getChecklist(fixture.db, fixture.zhang, record.id))?.missing
          expect(missing).toEqual([1, 3].filter((item) => !done.has(item)))
        }
        const error = await verbError(calls.resolve(fixture.db, fixture.zhang, record))
        expect(error?.code).toBe(done.has(1) && done.has(3) ? undefined : codes.runStepsOpen.code)
      }),
      { numRuns: 15 },
    )
    await retireAll()
  })
})
