import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { markFalse } from '#areas/alarm/verb/resolve'
import { unscoped } from '#db/scope'
import { alarm, event } from '../../../test/intake-fixture.ts'
import { type RuleFixture, openRuleFixture } from '../../../test/rule-fixture.ts'
import { ingestServerSignal } from './ingest.ts'
import { appendLog } from './record-log.ts'
import { invalidateRuleCache } from './intake/evaluate-rules.ts'
import { seedRules } from './rule-seed.ts'

let world: RuleFixture
beforeAll(async () => {
  world = await openRuleFixture()
  await seedRules(world.db)
})
afterAll(() => world.end())

describe('device health', () => {
  it('recovers by itself, each condition its own record', async () => {
    const deviceId = await world.button()
    await ingestServerSignal(world.db, { deviceId, code: 'OFFLINE', eventId: 'OFFLINE-1' })
    await world.say(deviceId, event('BATTERY_LOW', 1))
    expect((await world.recordsOf(deviceId)).map(({ code, level }) => [code, level])).toEqual([
      ['OFFLINE', 2],
      ['BATTERY_LOW', 3],
    ])
    await ingestServerSignal(world.db, { deviceId, code: 'ONLINE', eventId: 'ONLINE-1' })
    expect(
      (await world.recordsOf(deviceId)).map(({ state, condition, disposition }) => [state, condition, disposition]),
    ).toEqual([
      ['RESOLVED', 'RECOVERED', 'AUTO_RECOVERED'],
      ['NEW', 'ACTIVE', null],
    ])
    await world.say(deviceId, event('BATTERY_OK', 2))
    const [offline, battery] = await world.recordsOf(deviceId)
    expect(battery).toMatchObject({ state: 'RESOLVED', condition: 'RECOVERED' })
    expect((await world.timersOf(battery?.id ?? 0)).map(({ step }) => step)).toEqual(['AUTOCLOSE'])
    expect(await world.brokenLink(offline?.id ?? 0)).toBeUndefined()
  })

  it('that recovers keeps nothing of a proposal that it was false, which nobody confirmed', async () => {
    const deviceId = await world.button()
    await ingestServerSignal(world.db, { deviceId, code: 'OFFLINE', eventId: 'OFFLINE-2' })
    const proposal = { disposition: 'FALSE_DEVICE', causeCode: 'LOOSE_WIRE', note: 'rain' } as const
    await markFalse(world.db, world.zhang, { ...(await world.only(deviceId)), ...proposal })
    expect(await world.only(deviceId)).toMatchObject({ state: 'NEW', falseBy: world.zhang.userId })
    await ingestServerSignal(world.db, { deviceId, code: 'ONLINE', eventId: 'ONLINE-2' })
    expect(await world.only(deviceId)).toMatchObject({
      state: 'RESOLVED',
      disposition: 'AUTO_RECOVERED',
      causeCode: null,
      note: null,
      falseBy: null,
    })
  })

  it('that somebody handles is only marked', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, event('TAMPER', 1))
    await world.say(deviceId, event('TAMPER_RESTORED', 2))
    expect(await world.only(deviceId)).toMatchObject({ state: 'NEW', condition: 'RECOVERED', disposition: null })
  })

  it('whose recovery came first is raised and ends at once', async () => {
    const deviceId = await world.button()
    expect((await world.say(deviceId, event('MAINS_RESTORED', 2))).recordId).toBeNull()
    await world.say(deviceId, event('MAINS_LOST', 1))
    expect(await world.only(deviceId)).toMatchObject({ state: 'RESOLVED', disposition: 'AUTO_RECOVERED' })
  })

  it('does not end by a recovery that is older than the condition', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, event('MAINS_LOST', 3))
    await world.say(deviceId, event('MAINS_RESTORED', 2))
    expect(await world.only(deviceId)).toMatchObject({ state: 'NEW', condition: 'ACTIVE' })
  })

  it('keeps what is only information, and what no rule wants, with the reason', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, event('BOOT', 1))
    await world.say(deviceId, event('SELF_TEST', 2, { passed: true }))
    await ingestServerSignal(world.db, { deviceId, code: 'UNHEARD_OF', eventId: 'x-1' })
    await world.say(deviceId, event('SELF_TEST', 3, { passed: false }))
    expect((await world.signalsOf(deviceId)).map(({ suppressed }) => suppressed)).toEqual([
      'INFORMATION',
      'RECOVERY',
      'NO_RULE',
      null,
    ])
  })
})

describe('a rule', () => {
  it('of smaller priority is tried first', async () => {
    const deviceId = await world.button()
    const id = await world.rule({ matchCodes: ['TAMPER'], level: 1 })
    await world.say(deviceId, event('TAMPER', 1))
    await world.drop(id)
    expect(await world.only(deviceId)).toMatchObject({ ruleId: id, ruleVersion: 1, level: 1 })
  })

  const t1Of = async (deviceId: number) => {
    const record = await world.only(deviceId)
    const [t1] = await world.timersOf(record.id)
    return Math.round(((t1?.dueAt.getTime() ?? 0) - record.receivedAt.getTime()) / 1000)
  }

  it('plans the timers it names instead of those of the level', async () => {
    const deviceId = await world.button()
    const id = await world.rule({ matchCodes: ['TAMPER'], t1Sec: 77 })
    await world.say(deviceId, event('TAMPER', 1))
    await world.drop(id)
    expect(await t1Of(deviceId)).toBe(77)
  })

  it('does not make a burst wait longer than the level which the burst made of it', async () => {
    const deviceId = await world.button()
    const id = await world.rule({ matchCodes: ['PANIC'], class: 'PANIC', level: 3, t1Sec: 600 })
    await world.say(deviceId, alarm('PANIC', 1, { press: { count: 8 } }))
    await world.drop(id)
    expect(await world.only(deviceId)).toMatchObject({ ruleId: id, level: 1 })
    expect(await t1Of(deviceId)).toBe(10)
  })

  it('that repeats raises at the n-th signal within the time, in whatever order they come', async () => {
    const deviceId = await world.button()
    const id = await world.rule({ matchCodes: ['FAULT'], condition: 'REPEAT', repeatCount: 3, withinSec: 10 })
    await world.db.updateTable('warnRule').set({ enabled: false }).where('name', '=', '设备故障').execute()
    invalidateRuleCache()
    const now = Date.now()
    for (const [i, ago] of [20_000, 0, 8000].entries())
      await world.say(deviceId, event('FAULT', i + 1, { ts: now - ago }))
    expect((await world.signalsOf(deviceId)).map(({ suppressed }) => suppressed)).toEqual(Array(3).fill('BELOW_REPEAT'))
    await world.say(deviceId, event('FAULT', 4, { ts: now - 4000 }))
    await world.drop(id)
    expect(await world.only(deviceId)).toMatchObject({ ruleId: id, occurrenceCount: 1 })
  })

  it('in shadow raises nothing; a code that only it wants is kept with that reason', async () => {
    const deviceId = await world.button()
    const id = await world.rule({ matchCodes: ['VOICE_ABUSE', 'NEW_CODE'], shadow: true, class: 'BULLY' })
    await ingestServerSignal(world.db, { deviceId, code: 'NEW_CODE', eventId: 'n-1' })
    await world.say(deviceId, alarm('VOICE_ABUSE', 1))
    await world.drop(id)
    expect((await world.signalsOf(deviceId)).map(({ suppressed }) => suppressed)).toEqual(['SHADOW', null])
    expect(await world.only(deviceId)).toMatchObject({ class: 'BULLY', level: 3 })
  })

  it('that is missing, disabled, in shadow or waiting never keeps a call for help from ringing', async () => {
    await world.db.updateTable('warnRule').set({ enabled: false }).where('name', '=', '紧急报警').execute()
    const wants = [
      { shadow: true },
      { condition: 'REPEAT', repeatCount: 5, withinSec: 10 },
      { condition: 'DURATION', withinSec: 60 },
      { enabled: false },
    ] as const
    for (const want of wants) {
      const id = await world.rule({ matchCodes: ['PANIC'], class: 'PANIC', ...want })
      const deviceId = await world.button()
      await world.say(deviceId, alarm('PANIC', 1))
      expect(await world.only(deviceId)).toMatchObject({ class: 'PANIC', level: 2, ruleId: null })
      await world.drop(id)
    }
    await world.db.updateTable('warnRule').set({ enabled: true }).where('name', '=', '紧急报警').execute()
    invalidateRuleCache()
  })

  it('in shadow silences nothing: an alarm that only it wants is what it would be without it', async () => {
    const seeded = world.db.updateTable('warnRule').where('name', '=', '入侵报警')
    await seeded.set({ enabled: false }).execute()
    const id = await world.rule({ matchCodes: ['INTRUSION'], class: 'INTRUSION', shadow: true })
    const deviceId = await world.button()
    await world.say(deviceId, alarm('INTRUSION', 1))
    await world.drop(id)
    await seeded.set({ enabled: true }).execute()
    invalidateRuleCache()
    expect(await world.only(deviceId)).toMatchObject({ class: 'PANIC', level: 2, ruleId: null })
  })

  it('that another node deleted a moment ago does not lose the signal', async () => {
    const deviceId = await world.button()
    const id = await world.rule({ matchCodes: ['TAMPER'] })
    await world.say(await world.button(), event('BOOT', 1))
    await world.db.deleteFrom('warnRule').where('id', '=', id).execute()
    await world.say(deviceId, event('TAMPER', 1))
    expect(await world.only(deviceId)).toMatchObject({ code: 'TAMPER', level: 2 })
  })
})

describe('a fault that has a name', () => {
  beforeAll(() => world.turn('设备故障', true))
  const named = (kind: 'FAULT' | 'FAULT_CLEARED', seq: number, fault?: string) =>
    event(kind, seq, fault === undefined ? {} : { fault })
  const after = async (...said: ReturnType<typeof named>[]) => {
    const deviceId = await world.button()
    for (const one of said) await world.say(deviceId, one)
    const { state, condition } = await world.only(deviceId)
    return [state, condition]
  }
  const [lasts, over] = [
    ['NEW', 'ACTIVE'],
    ['RESOLVED', 'RECOVERED'],
  ]

  it('is not over because another one is', async () => {
    const both = [named('FAULT', 1, 'MIC'), named('FAULT', 2, 'SIREN'), named('FAULT_CLEARED', 3, 'MIC')]
    expect(await after(...both)).toEqual(lasts)
    expect(await after(...both, named('FAULT_CLEARED', 4, 'SIREN'))).toEqual(over)
    expect(await after(...both, named('FAULT_CLEARED', 4))).toEqual(over)
  })

  it('rings again by itself alone', async () => {
    const deviceId = await world.button()
    for (const one of [named('FAULT', 1, 'MIC'), named('FAULT', 2, 'SIREN')]) await world.say(deviceId, one)
    const { id } = await world.only(deviceId)
    const all = unscoped(world.db, 'test')
    const ended = { state: 'RESOLVED', endedAt: new Date(), disposition: 'REAL_HANDLED' } as const
    await all.updateTable('warnRecord').set(ended).where('id', '=', id).execute()
    await appendLog(all, id, { kind: 'TRANSITION', verb: 'resolve', actor: 'system', to: 'RESOLVED' })
    await world.say(deviceId, named('FAULT', 3, 'SIREN'))
    expect(await world.only(deviceId)).toMatchObject({ state: 'NEW', faults: ['SIREN'] })
  })

  it('lasts, whatever was said later of another one and came first', async () => {
    const mic = [named('FAULT', 1, 'MIC'), named('FAULT_CLEARED', 3, 'MIC')] as const
    expect(
      await after(named('FAULT', 1, 'MIC'), named('FAULT_CLEARED', 3, 'SIREN'), named('FAULT', 2, 'SIREN')),
    ).toEqual(lasts)
    expect(await after(mic[1], mic[0])).toEqual(over)
    expect(await after(mic[1], named('FAULT', 2, 'SIREN'))).toEqual(lasts)
  })
})

describe('a conclusion of the server', () => {
  it('inside a transaction comes and goes with it', async () => {
    const deviceId = await world.button()
    const said = { deviceId, code: 'OFFLINE', eventId: 'OFFLINE-7' }
    const failed = world.db.transaction().execute(async (trx) => {
      await ingestServerSignal(trx, said)
      throw new Error('changed its mind')
    })
    await expect(failed).rejects.toThrow('changed its mind')
    expect(await world.signalsOf(deviceId)).toEqual([])
    await world.db.transaction().execute((trx) => ingestServerSignal(trx, said))
    expect(await world.only(deviceId)).toMatchObject({ code: 'OFFLINE' })
    expect(await ingestServerSignal(world.db, said)).toMatchObject({ duplicate: true })
  })
})

describe('a heard word (domain 6.7)', () => {
  const word = (conf: number, db?: number) => ({ keyword: { id: 'help', conf, pack: 'p1', ...(db && { db }) } })
  const levels = async (...signal: ReturnType<typeof word>[]) => {
    const deviceId = await world.button()
    for (const [i, one] of signal.entries()) await world.say(deviceId, alarm('VOICE_HELP', i + 1, one))
    return (await world.recordsOf(deviceId)).map(({ level, occurrenceCount }) => [level, occurrenceCount])
  }

  it('that is weak and quiet is for the counsellor', async () => {
    expect(await levels(word(0.5))).toEqual([[3, 1]])
    expect(await levels(word(0.95))).toEqual([[3, 1]])
    expect(await levels(word(0.5, 110))).toEqual([[3, 1]])
  })

  it('that is certain and loud, or said again, is most urgent', async () => {
    expect(await levels(word(0.9, 90))).toEqual([[1, 1]])
    expect(await levels(word(0.9), word(0.9))).toEqual([[1, 2]])
  })

  it('that stays uncertain is not made urgent by repeating', async () => {
    expect(await levels(word(0.5), word(0.5))).toEqual([[3, 2]])
  })
})
