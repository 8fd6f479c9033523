import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type WarnRuleDraft, warnRules } from '@tocsin/contract/alarm/rule'
import { alarm } from '../../../../test/intake-fixture.ts'
import { openRuleFixture, type RuleFixture } from '../../../../test/rule-fixture.ts'
import { limitOf, type RuleSubject } from '../intake/rule-limits.ts'
import { seedRules } from '../rule-seed.ts'
import { ruleRoutes } from '../rules.ts'
import { replayRule } from './replay-rule.ts'
import { getShadowTrial, previewRule } from './rule-trial.ts'
import { listRuleVersions } from './rule-versions.ts'
import { simulateSignal } from './simulate-signal.ts'

let fixture: RuleFixture
beforeAll(async () => {
  fixture = await openRuleFixture()
  await seedRules(fixture.db)
})
afterAll(() => fixture.end())

const draft = (more: Partial<WarnRuleDraft> = {}): WarnRuleDraft => ({
  name: crypto.randomUUID(),
  enabled: true,
  shadow: false,
  priority: 1,
  matchCodes: ['VOICE_ABUSE'],
  condition: 'INSTANT',
  repeatCount: null,
  withinSec: null,
  class: 'BULLY',
  level: 1,
  dedupBy: 'DEVICE',
  reopenWindowSec: 60,
  recoverCodes: [],
  autoRecover: false,
  t1Sec: null,
  t2Sec: null,
  t3Sec: null,
  t4Sec: null,
  t5Sec: null,
  ...more,
})
const abuse = (seq: number) => alarm('VOICE_ABUSE', seq, { keyword: { text: '救命', conf: 0.9 } as never })

describe('limits of a rule', () => {
  const subject: RuleSubject = { deptIds: [3, 2], schoolId: 7, modelId: 5, dayKind: 'CLASS', minute: 600 }
  const everywhere = { deptIds: [], schoolIds: [], modelIds: [], schedule: 'ALWAYS' as const }
  it.each([
    [{}, {}, undefined],
    [{ deptIds: [2] }, {}, undefined],
    [{ deptIds: [9] }, {}, 'SCOPE'],
    [{ deptIds: [9], schoolIds: [7] }, {}, undefined],
    [{ schoolIds: [7], modelIds: [6] }, {}, 'SCOPE'],
    [{ schedule: 'CLASS' }, {}, undefined],
    [{ schedule: 'CLASS' }, { minute: 1080 }, 'HOURS'],
    [{ schedule: 'CLASS' }, { dayKind: 'HOLIDAY' }, 'HOURS'],
    [{ schedule: 'OUT_OF_CLASS' }, { dayKind: 'HOLIDAY' }, undefined],
    [{ schedule: 'NIGHT' }, { minute: 359 }, undefined],
    [{ schedule: 'NIGHT' }, { minute: 360 }, 'HOURS'],
    [{ schedule: 'HOLIDAY' }, {}, 'HOURS'],
  ] as const)('%j of a device at %j: %s', (limits, of, expected) => {
    expect(limitOf({ ...everywhere, ...limits } as never, { ...subject, ...of })).toBe(expected)
  })

  it('hides no panic: outside its limits the signal raises an alarm by default', async () => {
    const id = await fixture.rule({ matchCodes: ['PANIC'], class: 'PANIC', schoolIds: [fixture.second.id], level: 1 })
    const deviceId = await fixture.button()
    await fixture.say(deviceId, alarm('PANIC', 1))
    expect(await fixture.only(deviceId)).toMatchObject({ class: 'PANIC', open: true })
    expect((await fixture.only(deviceId)).ruleId).not.toBe(id)
    await fixture.drop(id)
  })

  it('applies at its schools only', async () => {
    const id = await fixture.rule({
      matchCodes: ['VOICE_ABUSE'],
      class: 'BULLY',
      schoolIds: [fixture.first.id],
      level: 1,
    })
    const [here, there] = [await fixture.button(), await fixture.button({ schoolId: fixture.second.id })]
    await fixture.say(here, abuse(1))
    await fixture.say(there, abuse(1))
    expect(await fixture.only(here)).toMatchObject({ ruleId: id, level: 1 })
    expect((await fixture.only(there)).ruleId).not.toBe(id)
    await fixture.drop(id)
  })

  it('refuses a rule that makes a panic anything less', async () => {
    const create = ruleRoutes({ db: fixture.db }).find(({ endpoint }) => endpoint === warnRules.create)
    const caller = { actor: fixture.root, origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' } }
    const body = draft({ matchCodes: ['PANIC'], class: 'DEVICE_HEALTH', level: 3 })
    const refused = await Promise.resolve(create?.handle({ body, ...caller, caller } as never)).catch((e: unknown) => e)
    expect((refused as { errors?: { field: string }[] }).errors?.map(({ field }) => field)).toEqual(['class', 'level'])
  })
})

describe('a shadow rule', () => {
  it('counts what it would have raised, and how much of that was true, and raises nothing', async () => {
    const id = await fixture.rule({ matchCodes: ['VOICE_ABUSE'], class: 'BULLY', level: 1, shadow: true })
    const [first, second] = [await fixture.button(), await fixture.button()]
    for (const seq of [1, 2, 3]) await fixture.say(first, abuse(seq))
    await fixture.say(second, abuse(1))
    const record = await fixture.only(first)
    expect(record.ruleId).not.toBe(id)
    await fixture.all
      .updateTable('warnRecord')
      .set({ state: 'RESOLVED', disposition: 'REAL_HANDLED' })
      .where('id', '=', record.id)
      .execute()
    expect(await getShadowTrial(fixture.db, fixture.zhang, id)).toMatchObject({ signals: 4, alarms: 2, real: 1 })
    expect(await getShadowTrial(fixture.db, fixture.stranger, id)).toMatchObject({ signals: 0, alarms: 0, latest: [] })
    await fixture.drop(id)
  })
})

describe('a trial on stored signals', () => {
  const at = (minute: number) => new Date(minute * 60_000)
  const signal = (minute: number, code = 'FAULT') => ({ deviceId: 1, schoolId: 1, zone: null, code, at: at(minute) })
  const rule = { ...draft({ matchCodes: ['FAULT'], recoverCodes: ['FAULT_CLEARED'] }), id: 0 }
  const minutes = (found: { at: Date }[]) => found.map((item) => item.at.getTime() / 60_000)

  it('counts signals within ten minutes as one alarm', () => {
    expect(
      minutes(
        replayRule(
          rule,
          [0, 5, 14, 30].map((n) => signal(n)),
          at(100),
        ),
      ),
    ).toEqual([0, 30])
  })
  it('asks for the repeats within the time', () => {
    const twice = { ...rule, condition: 'REPEAT' as const, repeatCount: 2, withinSec: 120 }
    expect(
      minutes(
        replayRule(
          twice,
          [0, 3, 4, 30].map((n) => signal(n)),
          at(100),
        ),
      ),
    ).toEqual([4])
  })
  it('lets a condition that ended in time raise nothing', () => {
    const lasting = { ...rule, condition: 'DURATION' as const, withinSec: 300 }
    const signals = [signal(0), signal(2, 'FAULT_CLEARED'), signal(20)]
    expect(minutes(replayRule(lasting, signals, at(100)))).toEqual([25])
  })

  it('counts only signals that the user may see', async () => {
    const deviceId = await fixture.button()
    await fixture.say(deviceId, abuse(1))
    const before = await previewRule(fixture.db, fixture.zhang, draft())
    expect(before.alarms).toBeGreaterThan(0)
    expect((await previewRule(fixture.db, fixture.zhang, draft({ minConfidence: 0.95 }))).alarms).toBe(0)
    expect((await previewRule(fixture.db, fixture.zhang, draft({ schoolIds: [fixture.second.id] }))).alarms).toBe(0)
  })
})

describe('a simulated signal', () => {
  it('names the reason of each rule and stores nothing', async () => {
    const id = await fixture.rule({ matchCodes: ['PANIC'], class: 'PANIC', schoolIds: [fixture.second.id] })
    const deviceId = await fixture.button()
    const found = await simulateSignal(fixture.db, fixture.zhang, { deviceId, code: 'PANIC' })
    expect(found).toMatchObject({ outcome: 'RULE', class: 'PANIC', level: 2 })
    expect(found.rules.find(({ ruleId }) => ruleId === id)).toMatchObject({ finding: 'SCOPE' })
    expect(found.rules.filter(({ finding }) => finding === 'DECIDES').map(({ name }) => name)).toEqual(['紧急报警'])
    expect(await fixture.signalsOf(deviceId)).toEqual([])
    await fixture.turn('紧急报警', false)
    expect(await simulateSignal(fixture.db, fixture.zhang, { deviceId, code: 'PANIC' })).toMatchObject({
      outcome: 'FALLBACK',
      class: 'PANIC',
    })
    await fixture.turn('紧急报警', true)
    const nobody = simulateSignal(fixture.db, fixture.stranger, { deviceId, code: 'PANIC' })
    await expect(nobody).rejects.toThrow()
    await fixture.drop(id)
  })
})

describe('versions of a rule', () => {
  it('keep each change with the user, the latest first', async () => {
    const id = await fixture.rule({ level: 3 })
    await fixture.change(id, { level: 2, version: 2, updater: fixture.zhang.userId })
    const [second, first] = await listRuleVersions(fixture.db, id)
    expect(second).toMatchObject({ version: 2, byName: 'zhang 先生' })
    expect(second?.changes).toEqual([{ field: 'level', before: '3', after: '2' }])
    expect(first).toMatchObject({ version: 1, byName: null })
  })
})
