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
  it('recovers by itself, with one record per condition', async () => {
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

  it('discards an unconfirmed false-alarm proposal when it recovers', async () => {
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

  it('only marks a record that somebody handles', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, event('TAMPER', 1))
    await world.say(deviceId, event('TAMPER_RESTORED', 2))
    expect(await world.only(deviceId)).toMatchObject({ state: 'NEW', condition: 'RECOVERED', disposition: null })
  })

  it('raises a record and ends it at once when the recovery came first', async () => {
    const deviceId = await world.button()
    expect((await world.say(deviceId, event('MAINS_RESTORED', 2))).recordId).toBeNull()
    await world.say(deviceId, event('MAINS_LOST', 1))
    expect(await world.only(deviceId)).toMatchObject({ state: 'RESOLVED', disposition: 'AUTO_RECOVERED' })
  })

  it('does not end a record by a recovery that is older than the condition', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, event('MAINS_LOST', 3))
    await world.say(deviceId, event('MAINS_RESTORED', 2))
    expect(await world.only(deviceId)).toMatchObject({ state: 'NEW', condition: 'ACTIVE' })
  })

  it('stores information and unmatched signals with the reason', async () => {
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
  it('is evaluated first when its priority number is smaller', async () => {
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

  it('schedules its own timers instead of those of the level', async () => {
    const deviceId = await world.button()
    const id = await world.rule({ matchCodes: ['TAMPER'], t1Sec: 77 })
    await world.say(deviceId, event('TAMPER', 1))
    await world.drop(id)
    expect(await t1Of(deviceId)).toBe(77)
  })

  it('does not wait longer for a burst than the level of the burst allows', async () => {
    const deviceId = await world.button()
    const id = await world.rule({ matchCodes: ['PANIC'], class: 'PANIC', level: 3, t1Sec: 600 })
    await world.say(deviceId, alarm('PANIC', 1, { press: { count: 8 } }))
    await world.drop(id)
    expect(await world.only(deviceId)).toMatchObject({ ruleId: id, level: 1 })
    expect(await t1Of(deviceId)).toBe(10)
  })

  it('raises a record at the n-th signal within the time, in any order of arrival', async () => {
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

  it('raises nothing in shadow mode, and the signal is stored with that reason', async () => {
    const deviceId = await world.button()
    const id = await world.rule({ matchCodes: ['VOICE_ABUSE', 'NEW_CODE'], shadow: true, class: 'BULLY' })
    await ingestServerSignal(world.db, { deviceId, code: 'NEW_CODE', eventId: 'n-1' })
    await world.say(deviceId, alarm('VOICE_ABUSE', 1))
    await world.drop(id)
    expect((await world.signalsOf(deviceId)).map(({ suppressed }) => suppressed)).toEqual(['SHADOW', null])
    expect(await world.only(deviceId)).toMatchObject({ class: 'BULLY', level: 3 })
  })

  it('cannot prevent a call for help from ringing when it is missing, disabled, in shadow mode or waiting', async () => {
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

  it('suppresses nothing in shadow mode', async () => {
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

  it('loses no signal when another node deleted it a moment ago', async () => {
    const deviceId = await world.button()
    const id = await world.rule({ matchCodes: ['TAMPER'] })
    await world.say(await world.button(), event('BOOT', 1))
    await world.db.deleteFrom('warnRule').where('id', '=', id).execute()
    await world.say(deviceId, event('TAMPER', 1))
    expect(await world.only(deviceId)).toMatchObject({ code: 'TAMPER', level: 2 })
  })
})

describe('a fault with a name', () => {
  beforeAll(() => world.turn('设备故障', true))
  const named = (kind: 'FAULT' | 'FAULT_CLEARED', seq: number, fault?: string) =>
    event(kind, seq, fault === undefined ? {} : { fault })
  const after = async (...said: ReturnType<typeof named>[]) => {
    const deviceId = await world.button()
    for (const item of said) await world.say(deviceId, item)
    const { state, condition } = await world.only(deviceId)
    return [state, condition]
  }
  const [lasts, over] = [
    ['NEW', 'ACTIVE'],
    ['RESOLVED', 'RECOVERED'],
  ]

  it('does not end when another fault ends', async () => {
    const both = [named('FAULT', 1, 'MIC'), named('FAULT', 2, 'SIREN'), named('FAULT_CLEARED', 3, 'MIC')]
    expect(await after(...both)).toEqual(lasts)
    expect(await after(...both, named('FAULT_CLEARED', 4, 'SIREN'))).toEqual(over)
    expect(await after(...both, named('FAULT_CLEARED', 4))).toEqual(over)
  })

  it('rings again alone', async () => {
    const deviceId = await world.button()
    for (const item of [named('FAULT', 1, 'MIC'), named('FAULT', 2, 'SIREN')]) await world.say(deviceId, item)
    const { id } = await world.only(deviceId)
    const all = unscoped(world.db, 'test')
    const ended = { state: 'RESOLVED', endedAt: new Date(), disposition: 'REAL_HANDLED' } as const
    await all.updateTable('warnRecord').set(ended).where('id', '=', id).execute()
    await appendLog(all, id, { kind: 'TRANSITION', verb: 'resolve', actor: 'system', to: 'RESOLVED' })
    await world.say(deviceId, named('FAULT', 3, 'SIREN'))
    expect(await world.only(deviceId)).toMatchObject({ state: 'NEW', faults: ['SIREN'] })
  })

  it('lasts when a later signal of another fault arrived first', async () => {
    const mic = [named('FAULT', 1, 'MIC'), named('FAULT_CLEARED', 3, 'MIC')] as const
    expect(
      await after(named('FAULT', 1, 'MIC'), named('FAULT_CLEARED', 3, 'SIREN'), named('FAULT', 2, 'SIREN')),
    ).toEqual(lasts)
    expect(await after(mic[1], mic[0])).toEqual(over)
    expect(await after(mic[1], named('FAULT', 2, 'SIREN'))).toEqual(lasts)
  })
})

describe('a signal raised by the server', () => {
  it('is committed or rolled back with its transaction', async () => {
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

describe('a recognised keyword (domain 6.7)', () => {
  const word = (conf: number, db?: number) => ({ keyword: { id: 'help', conf, pack: 'p1', ...(db && { db }) } })
  const levels = async (...signal: ReturnType<typeof word>[]) => {
    const deviceId = await world.button()
    for (const [i, second] of signal.entries()) await world.say(deviceId, alarm('VOICE_HELP', i + 1, second))
    return (await world.recordsOf(deviceId)).map(({ level, occurrenceCount }) => [level, occurrenceCount])
  }

  it('goes to the counsellor when it is uncertain and quiet', async () => {
    expect(await levels(word(0.5))).toEqual([[3, 1]])
    expect(await levels(word(0.95))).toEqual([[3, 1]])
    expect(await levels(word(0.5, 110))).toEqual([[3, 1]])
  })

  it('is most urgent when it is certain and loud, or repeated', async () => {
    expect(await levels(word(0.9, 90))).toEqual([[1, 1]])
    expect(await levels(word(0.9), word(0.9))).toEqual([[1, 2]])
  })

  it('does not become urgent by repetition while it is uncertain', async () => {
    expect(await levels(word(0.5), word(0.5))).toEqual([[3, 2]])
  })
})
