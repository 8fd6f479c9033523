import type { DeviceEvent } from '@tocsin/protocol/event'
import { type Insertable, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { AllTables } from '../src/db/tables.ts'
import { invalidateRuleCache } from '../src/areas/alarm/intake/evaluate-rules.ts'
import { ruleTimerHandlers } from '../src/areas/alarm/timer/rule-timers.ts'
import { event, openIntakeFixture } from './intake-fixture.ts'

type Draft = Partial<Insertable<AllTables['warnRule']>>

/** The intake fixture with any rules, and a way to end their waits. */
export const openRuleFixture = async () => {
  const world = await openIntakeFixture()
  const { db } = world
  /** Adds a rule before the default ones. */
  const rule = async (draft: Draft): Promise<number> => {
    const name = crypto.randomUUID()
    const { id } = await db
      .insertInto('warnRule')
      .values({ name, matchCodes: ['TAMPER'], class: 'DEVICE_HEALTH', level: 1, priority: 1, ...draft })
      .returning('id')
      .executeTakeFirstOrThrow()
    invalidateRuleCache()
    return id
  }
  const change = async (id: number, set: Draft) => {
    await db.updateTable('warnRule').set(set).where('id', '=', id).execute()
    invalidateRuleCache()
  }
  /** Enables or disables a default rule. */
  const turn = async (name: string, enabled: boolean) => {
    await db.updateTable('warnRule').set({ enabled }).where('name', '=', name).execute()
    invalidateRuleCache()
  }
  const waitsOf = (deviceId: number) =>
    db
      .selectFrom('timer')
      .selectAll()
      .where('kind', '=', 'rule')
      .where('subjectId', '=', deviceId)
      .where('doneAt', 'is', null)
      .orderBy('dueAt')
      .execute()
  /** Ends the waits of rules like the scheduler. */
  const elapse = async (deviceId: number) => {
    for (const { kind, subjectId, step, epoch } of await waitsOf(deviceId))
      await db.transaction().execute(async (trx) => {
        const ended = trx.updateTable('timer').set((eb) => ({ doneAt: eb.fn<Date>('now', []), outcome: 'FIRED' }))
        await ended.where('kind', '=', kind).where('subjectId', '=', subjectId).where('step', '=', step).execute()
        await ruleTimerHandlers.rule.execute(trx, [{ kind, subjectId, step, epoch }])
      })
  }
  /** Moves the earlier signals of the device back in time. */
  const age = (deviceId: number, seconds: number) =>
    world.all
      .updateTable('signal')
      .set((eb) => {
        const back = sql<Date>`make_interval(secs => ${seconds})`
        return { occurredAt: eb('occurredAt', '-', back), receivedAt: eb('receivedAt', '-', back) }
      })
      .where('deviceId', '=', deviceId)
      .execute()
  const only = async (deviceId: number) => {
    const [record, ...more] = await world.recordsOf(deviceId)
    if (!record || more.length > 0) throw new Error(`${more.length + (record ? 1 : 0)} records of device ${deviceId}`)
    return record
  }
  const drop = (id: number) => change(id, { enabled: false })
  return { ...world, rule, change, drop, turn, waitsOf, elapse, age, only }
}

export type RuleFixture = Awaited<ReturnType<typeof openRuleFixture>>

// The shared state of the tests of waits: a database per file, and for each test a device and its rule.
export let fixture: RuleFixture
export let deviceId: number
export let id: number

export const newDevice = async () => {
  deviceId = await fixture.button()
}
export const giveRule = async (draft: Draft) => {
  id = await fixture.rule(draft)
}

type More = Partial<DeviceEvent>
export const fault = (seq: number, more: More = {}) => fixture.say(deviceId, event('FAULT', seq, more))
export const clear = (seq: number, more: More = {}) => fixture.say(deviceId, event('FAULT_CLEARED', seq, more))

export const withRules = () => {
  beforeAll(async () => {
    fixture = await openRuleFixture()
  })
  afterAll(() => fixture.end())
  beforeEach(newDevice)
  afterEach(() => fixture.drop(id))
}
