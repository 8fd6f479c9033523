import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { type DemoKeys, deriveDemoSecret } from './demo-keys.ts'
import { makeDevice } from './fixtures.ts'

// Maintenance in the demo: devices that are not installed, and button tests done and overdue.

const stored = [
  { sn: 'DEMO-K1', lifecycle: 'IN_STOCK', lifecycleReason: null },
  { sn: 'DEMO-K2', lifecycle: 'IN_STOCK', lifecycleReason: null },
  { sn: 'DEMO-K3', lifecycle: 'UNDER_REPAIR', lifecycleReason: '按键松动' },
  { sn: 'DEMO-K4', lifecycle: 'LOST', lifecycleReason: '装修时遗失' },
] as const

/** Two in stock, one under repair, one lost. */
export const buildStore = async (trx: Db, keys: DemoKeys, model: Pick<Row<'deviceModel'>, 'id'>): Promise<void> => {
  for (const given of stored) {
    const secret = deriveDemoSecret(keys.secrets, `device ${given.sn}`)
    const more = { modelId: model.id, batchNo: '2026-09', warrantyUntil: '2029-09-30', key: keys.http, secret }
    const { device } = await makeDevice(trx, { ...given, ...more })
    const log = { deviceId: device.id, reason: given.lifecycleReason }
    await trx.insertInto('deviceLog').values({ deviceId: device.id, verb: 'create', toState: 'IN_STOCK' }).execute()
    if (given.lifecycle === 'LOST')
      await trx
        .insertInto('deviceLog')
        .values({ ...log, verb: 'lost', fromState: 'IN_STOCK', toState: 'LOST' })
        .execute()
    if (given.lifecycle === 'UNDER_REPAIR')
      await trx
        .insertInto('deviceLog')
        .values({ ...log, verb: 'repair', fromState: 'IN_SERVICE', toState: 'UNDER_REPAIR' })
        .execute()
  }
}

const daysAgo = (days: number) =>
  sql<Date>`date_trunc('day', now()) - make_interval(days => ${days}) + interval '9 hours'`

/** A school that passed its last test some days ago, except for its last device. */
const buildTest = async (trx: Db, schoolId: number, days: number): Promise<void> => {
  const all = unscoped(trx, 'the seed acts for nobody in particular')
  const plan = await all
    .insertInto('testPlan')
    .values({
      schoolId,
      windowFrom: daysAgo(days),
      windowTo: sql<Date>`${daysAgo(days)} + interval '2 hours'`,
      stationToldAt: daysAgo(days + 1),
      closedAt: sql<Date>`${daysAgo(days)} + interval '2 hours'`,
      note: '季度按钮测试',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const walls = await all
    .selectFrom('schoolDevice')
    .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select(['schoolDevice.id', 'schoolDevice.deviceId'])
    .where('schoolDevice.schoolId', '=', schoolId)
    .where('schoolDevice.status', '=', 'ACCEPTED')
    .where(sql<boolean>`cardinality(device_model.alarm_codes) > 0`)
    .orderBy('schoolDevice.id')
    .execute()
  for (const [n, { id, deviceId }] of walls.entries()) {
    const passed = n < walls.length - 1
    const at = passed ? sql<Date>`${daysAgo(days)} + make_interval(mins => ${n * 3})` : null
    await all
      .insertInto('testResult')
      .values({
        planId: plan.id,
        schoolId,
        deviceId,
        schoolDeviceId: id,
        result: passed ? 'PASSED' : 'NOT_PRESSED',
        at,
      })
      .execute()
    const due = sql<string>`current_date + ${92 - days}::int`
    await all.updateTable('schoolDevice').set({ lastTestAt: at, nextTestDue: due }).where('id', '=', id).execute()
  }
}

/** The first school was tested this quarter; at the second it is overdue; at the third a test is planned. */
export const buildTests = async (trx: Db, [first, second, third]: readonly number[]): Promise<void> => {
  if (first !== undefined) await buildTest(trx, first, 20)
  if (second !== undefined) await buildTest(trx, second, 100)
  if (third === undefined) return
  const all = unscoped(trx, 'the seed acts for nobody in particular')
  const plan = await all
    .insertInto('testPlan')
    .values({
      schoolId: third,
      windowFrom: daysAgo(-7),
      windowTo: sql<Date>`${daysAgo(-7)} + interval '2 hours'`,
      note: '季度按钮测试',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await all
    .insertInto('testResult')
    .columns(['planId', 'schoolId', 'deviceId', 'schoolDeviceId'])
    .expression((eb) =>
      eb
        .selectFrom('schoolDevice')
        .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
        .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
        .select((of) => [
          of.val(plan.id).as('planId'),
          'schoolDevice.schoolId',
          'schoolDevice.deviceId',
          'schoolDevice.id as schoolDeviceId',
        ])
        .where('schoolDevice.schoolId', '=', third)
        .where('schoolDevice.status', '=', 'ACCEPTED')
        .where(sql<boolean>`cardinality(device_model.alarm_codes) > 0`),
    )
    .execute()
}
