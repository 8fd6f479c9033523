import { type WarnRuleDraft, warnRules } from '@tocsin/contract/alarm/rule'
import { codes } from '@tocsin/contract/codes'
import { issueText } from '@tocsin/contract/issue'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ValidationError, BusinessError } from '#http/business-error'
import type { Route } from '#http/route'
import { toErrorResponse } from '#http/errors'
import { alarm, event, type IntakeFixture, openIntakeFixture } from '../../../test/intake-fixture.ts'
import { isTimerOfRule } from './timer/condition-timers.ts'
import { seededRules, seedRules } from './rule-seed.ts'
import { ruleRoutes } from './rules.ts'

let world: IntakeFixture
let routes: Route[]
beforeAll(async () => {
  world = await openIntakeFixture()
  routes = ruleRoutes({ db: world.db })
})
afterAll(() => world.end())

const origin = { ip: '127.0.0.1', userAgent: 'test', traceId: 't' }

/** Calls a route like the HTTP layer after decoding: the values are already decoded. */
const call = (verb: keyof typeof warnRules, given: object): Promise<unknown> => {
  const found = routes.find((route) => route.endpoint === warnRules[verb])
  const caller = { actor: world.root, origin }
  return found ? found.handle({ ...given, ...caller, caller } as never) : Promise.reject(new Error(verb))
}

const draft = (more: Partial<WarnRuleDraft> = {}): WarnRuleDraft => ({
  name: crypto.randomUUID(),
  enabled: true,
  shadow: false,
  priority: 100,
  matchCodes: ['FAULT'],
  condition: 'INSTANT',
  repeatCount: null,
  withinSec: null,
  class: 'DEVICE_HEALTH',
  level: 3,
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

const create = async (more: Partial<WarnRuleDraft> = {}) => (await call('create', { body: draft(more) })) as number
const row = (id: number) => world.db.selectFrom('warnRule').selectAll().where('id', '=', id).executeTakeFirst()

const refused = (made: Promise<unknown>) =>
  made.then(
    () => undefined,
    (error: unknown) => toErrorResponse(error).envelope,
  )

const auditOf = (id: number) =>
  world.all.selectFrom('auditLog').selectAll().where('subject', '=', 'warn_rule').where('subjectId', '=', id).execute()

describe('rules', () => {
  it('are created, changed and deleted with audit and event, and take effect at once', async () => {
    const id = await create({ matchCodes: ['TAMPER'], level: 4 })
    const deviceId = await world.button()
    await world.say(deviceId, event('TAMPER', 1))
    expect(await world.recordsOf(deviceId)).toMatchObject([{ ruleId: id, level: 4 }])
    await call('update', { body: { id, version: 1, level: 2, matchCodes: ['FAULT'] } })
    expect(await row(id)).toMatchObject({ level: 2, version: 2, updater: world.root.userId, matchCodes: ['FAULT'] })
    const other = await world.button()
    await world.say(other, event('FAULT', 1))
    expect(await world.recordsOf(other)).toMatchObject([{ ruleId: id, ruleVersion: 2, level: 2 }])
    const unused = await create()
    await call('delete', { query: { id: unused } })
    expect(await row(unused)).toBeUndefined()
    expect((await auditOf(unused)).map(({ action }) => action)).toEqual(['warn:rule:create', 'warn:rule:delete'])
    const events = await world.db.selectFrom('event').select('ref').where('type', '=', 'rule.changed').execute()
    expect(events.map(({ ref }) => ref)).toEqual([id, id, unused, unused])
  })

  it('keep fields that were not sent, and clear those sent as null', async () => {
    const id = await create({ t1Sec: 5, t2Sec: 6 })
    await call('update', { body: { id, version: 1, t1Sec: null, t2Sec: undefined } })
    expect(await row(id)).toMatchObject({ t1Sec: null, t2Sec: 6 })
  })

  it('keep their open record in use when they no longer end it by themselves, and when they do again', async () => {
    const codesOfRule = { matchCodes: ['MAINS_LOST'], recoverCodes: ['MAINS_RESTORED'] }
    const id = await create({ ...codesOfRule, class: 'SECURITY_DUTY', level: 3, autoRecover: true, priority: 1 })
    const deviceId = await world.button()
    await world.say(deviceId, event('MAINS_LOST', 1))
    await call('update', { body: { id, version: 1, autoRecover: false } })
    await world.say(deviceId, event('MAINS_LOST', 2))
    await world.say(deviceId, event('MAINS_RESTORED', 3))
    expect(await world.recordsOf(deviceId)).toMatchObject([
      { occurrenceCount: 2, condition: 'RECOVERED', state: 'NEW' },
    ])
    await call('update', { body: { id, version: 2, autoRecover: true } })
    await world.say(deviceId, event('MAINS_LOST', 4))
    await world.say(deviceId, event('MAINS_RESTORED', 5))
    expect(await world.recordsOf(deviceId)).toMatchObject([{ occurrenceCount: 3, disposition: 'AUTO_RECOVERED' }])
    await call('update', { body: { id, version: 3, enabled: false } })
  })

  it('reject a stale version and return the current row', async () => {
    const id = await create()
    await call('update', { body: { id, version: 1, level: 1 } })
    const answer = await refused(call('update', { body: { id, version: 1, level: 4 } }))
    expect(answer).toMatchObject({ code: codes.stale.code, data: { current: { id, version: 2, level: 1 } } })
  })

  it('cannot automatically end what a person raised', async () => {
    const made = call('create', { body: draft({ class: 'PANIC', autoRecover: true }) })
    expect(await refused(made)).toMatchObject({ code: codes.ruleUsesRecover.code })
    const id = await create({ class: 'PANIC' })
    const changed = call('update', { body: { id, version: 1, autoRecover: true } })
    expect(await refused(changed)).toMatchObject({ code: codes.ruleUsesRecover.code })
    for (const code of ['PANIC', 'VOICE_HELP', 'INTRUSION']) {
      const disguised = draft({ class: 'DEVICE_HEALTH', matchCodes: ['FAULT', code], autoRecover: true })
      expect(await refused(call('create', { body: disguised }))).toMatchObject({ code: codes.ruleUsesRecover.code })
    }
  })

  it.each([
    ['REPEAT', ['repeatCount', 'withinSec']],
    ['DURATION', ['withinSec']],
    ['NO_DATA', ['withinSec']],
  ] as const)('of condition %s name what they miss', async (condition, fields) => {
    const error = await call('create', { body: draft({ condition }) }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ValidationError)
    expect(error instanceof ValidationError && error.errors.map(({ field }) => field)).toEqual(fields)
  })

  it('cannot recover by their own match codes, except for silence or while disabled', async () => {
    const matchCodes = ['FAULT', 'TAMPER', 'BOOT']
    const both = draft({ condition: 'DURATION', withinSec: 60, matchCodes, recoverCodes: ['BOOT', 'ONLINE', 'FAULT'] })
    const error = await call('create', { body: both }).catch((thrown: unknown) => thrown)
    const [refusal, ...others] = error instanceof ValidationError ? error.errors : []
    expect(others).toEqual([])
    expect(refusal).toMatchObject({ field: 'recoverCodes', message: '恢复代码不能包含本规则匹配的代码：BOOT, FAULT' })
    expect(refusal && issueText(refusal, 'en')).toBe('Recovery codes may not hold what the rule matches: BOOT, FAULT')
    for (const more of [{ condition: 'NO_DATA' }, { enabled: false }] as const)
      expect(await create({ ...both, ...more, name: crypto.randomUUID() })).toBeTypeOf('number')
    const id = await create({ ...both, recoverCodes: ['ONLINE'] })
    const changed = call('update', { body: { id, version: 1, recoverCodes: ['TAMPER'] } })
    expect(await changed.catch((thrown: unknown) => thrown)).toBeInstanceOf(ValidationError)
  })

  it('reject a duplicate name, and deletion while records refer to them', async () => {
    const name = crypto.randomUUID()
    const id = await create({ name, matchCodes: ['INTRUSION'], class: 'INTRUSION', priority: 1 })
    expect(await refused(create({ name }))).toMatchObject({ code: codes.duplicate.code })
    await world.say(await world.button(), alarm('INTRUSION', 1))
    expect(await refused(call('delete', { query: { id } }))).toMatchObject({ code: codes.referred.code })
  })

  it('answer every call with not found when they do not exist', async () => {
    for (const [verb, given] of [
      ['get', { query: { id: 999_999 } }],
      ['update', { body: { id: 999_999, version: 1 } }],
      ['delete', { query: { id: 999_999 } }],
    ] as const)
      expect(await call(verb, given).catch((error: unknown) => error)).toBeInstanceOf(BusinessError)
  })

  it('cancel their timers when they are disabled', async () => {
    const id = await create({ matchCodes: ['BOOT'], condition: 'NO_DATA', withinSec: 60 })
    await world.say(await world.button(), event('BOOT', 1))
    const waits = () => world.db.selectFrom('timer').select('outcome').where(isTimerOfRule(id)).execute()
    expect(await waits()).toEqual([{ outcome: null }])
    await call('update', { body: { id, version: 1, enabled: false } })
    expect(await waits()).toEqual([{ outcome: 'CANCELLED' }])
  })

  it('are filtered by name, class and whether they are enabled', async () => {
    const id = await create({ name: '找得到 100%', class: 'BULLY', enabled: false })
    const page = (query: object) => call('page', { query }) as Promise<{ list: { id: number }[]; total: number }>
    expect(await page({ keyword: '0%', class: ['BULLY'], enabled: false })).toMatchObject({ list: [{ id }], total: 1 })
    expect(await page({ keyword: '0%', enabled: true })).toMatchObject({ list: [], total: 0 })
    expect(await call('get', { query: { id } })).toMatchObject({ id })
  })
})

it('are exported with the filter of the list', async () => {
  const name = `导出 ${crypto.randomUUID()}`
  await create({ name, matchCodes: ['FAULT', 'TAMPER'], class: 'DEVICE_HEALTH' })
  const file = (await call('export', { query: { keyword: name } })) as { name: string; stream: AsyncIterable<string> }
  const text = (await Array.fromAsync(file.stream)).join('')
  expect(file.name).toBe('接警规则.csv')
  const [head, ...rows] = text.trimEnd().split('\r\n')
  expect(head).toContain('规则名称')
  expect(rows).toHaveLength(1)
  expect(rows[0]).toContain(`"${name}"`)
  expect(rows[0]).toContain('"设备故障、防拆报警"')
  expect(rows[0]).toContain('"设备异常"')
  const english = (await call('export', { query: { keyword: name, lang: 'en' } })) as typeof file
  expect(english.name).toBe('Alarm rules.csv')
  expect((await Array.fromAsync(english.stream)).join('')).toContain('"Fault, Tampered with"')
})

describe('default rules', () => {
  it('are created once, and edits are kept', async () => {
    await seedRules(world.db)
    await world.db.updateTable('warnRule').set({ level: 4 }).where('name', '=', '紧急报警').execute()
    await seedRules(world.db)
    const names = seededRules.map(({ name }) => name)
    const rules = await world.db.selectFrom('warnRule').selectAll().where('name', 'in', names).execute()
    expect(rules).toHaveLength(seededRules.length)
    expect(rules.find(({ name }) => name === '紧急报警')).toMatchObject({ level: 4 })
  })
})
