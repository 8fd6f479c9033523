import type { DeviceEvent } from '@tocsin/protocol/event'
import { type Insertable, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { AllTables } from '../src/db/tables.ts'
import { forgetRules } from '../src/areas/alarm/intake/rulebook.ts'
import { ruleSteps } from '../src/areas/alarm/step/rule.ts'
import { event, intakeWorld } from './intake-world.ts'

type Draft = Partial<Insertable<AllTables['warnRule']>>

/** The intake world with rules at will, and a hand that ends what they wait for. */
export const ruleWorld = async () => {
  const world = await intakeWorld()
  const { db } = world
  /** One more rule, tried before the default ones. */
  const rule = async (draft: Draft): Promise<number> => {
    const name = crypto.randomUUID()
    const { id } = await db
      .insertInto('warnRule')
      .values({ name, matchCodes: ['TAMPER'], class: 'DEVICE_HEALTH', level: 1, priority: 1, ...draft })
      .returning('id')
      .executeTakeFirstOrThrow()
    forgetRules()
    return id
  }
  const change = async (id: number, set: Draft) => {
    await db.updateTable('warnRule').set(set).where('id', '=', id).execute()
    forgetRules()
  }
  /** Turns a default rule on or off. */
  const turn = async (name: string, enabled: boolean) => {
    await db.updateTable('warnRule').set({ enabled }).where('name', '=', name).execute()
    forgetRules()
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
  /** Does what the wheel does when the waits of rules end. */
  const elapse = async (deviceId: number) => {
    for (const { kind, subjectId, step, epoch } of await waitsOf(deviceId))
      await db.transaction().execute(async (trx) => {
        const ended = trx.updateTable('timer').set((eb) => ({ doneAt: eb.fn<Date>('now', []), outcome: 'FIRED' }))
        await ended.where('kind', '=', kind).where('subjectId', '=', subjectId).where('step', '=', step).execute()
        await ruleSteps.rule.carryOut(trx, [{ kind, subjectId, step, epoch }])
      })
  }
  /** What was heard of the device so far was heard that much earlier. */
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

export type RuleWorld = Awaited<ReturnType<typeof ruleWorld>>

// What the tests of waits share: a world of their file, and for each test a device and the rule it gave last.
export let world: RuleWorld
export let deviceId: number
export let id: number

export const newDevice = async () => {
  deviceId = await world.button()
}
export const giveRule = async (draft: Draft) => {
  id = await world.rule(draft)
}

type More = Partial<DeviceEvent>
export const fault = (seq: number, more: More = {}) => world.say(deviceId, event('FAULT', seq, more))
export const clear = (seq: number, more: More = {}) => world.say(deviceId, event('FAULT_CLEARED', seq, more))

export const withRules = () => {
  beforeAll(async () => {
    world = await ruleWorld()
  })
  afterAll(() => world.end())
  beforeEach(newDevice)
  afterEach(() => world.drop(id))
}
