import { TEST_OVERDUE_DAYS } from '@tocsin/contract/device/maintenance'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstallation } from '../../../../seed/fixtures.ts'
import { makeRecord, type RecordDraft } from '../../../../seed/record-fixtures.ts'
import { pageIn } from '../../../../test/admin-server.ts'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { MAINTENANCE_TIMER, maintenanceTimerHandlers } from './auto-orders.ts'
import { maintenanceExport } from './order-reads.ts'

const M = '/device/maintenance'

let site: DeviceServer
beforeAll(async () => {
  site = await startDeviceServer()
})
afterAll(() => site.end())

let devices = 0
const makeDevice = async (): Promise<number> => {
  devices += 1
  const { id } = await site.register(`AUTO-${String(devices).padStart(4, '0')}`)
  await makeInstallation(site.site.db, { id }, { id: site.placeIds[0], schoolId: site.schoolId })
  return id
}
/** What the timer does: it ends orders whose cause is over and opens the missing ones. */
const search = () =>
  site.site.db.transaction().execute((trx) => maintenanceTimerHandlers[MAINTENANCE_TIMER].execute(trx, []))
const ordersOf = (deviceId: number) =>
  site.all.selectFrom('maintenanceOrder').selectAll().where('deviceId', '=', deviceId).orderBy('id').execute()
const orderOf = async (deviceId: number) => {
  const [order] = await ordersOf(deviceId)
  if (!order) throw new Error('the device has an order')
  return order
}
const statesOf = async (deviceId: number) => (await ordersOf(deviceId)).map(({ cause, state }) => [cause, state])
const logOf = async (orderId: number) => {
  const entries = await site.all
    .selectFrom('maintenanceLog')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('id')
    .execute()
  return entries.map(({ verb, toState }) => [verb, toState])
}

describe('an order for a fault that the device reported', () => {
  const report = (deviceId: number, more: Partial<RecordDraft> = {}) =>
    makeRecord(site.site.db, {
      deptId: site.here.deptId,
      schoolId: site.schoolId,
      deviceId,
      class: 'DEVICE_HEALTH',
      code: 'FAULT',
      level: 3,
      faults: ['MIC'],
      ...more,
    })
  const clear = (id: number) =>
    site.pool.query(
      `update warn_record set condition = 'RECOVERED', faults = '{}', state = 'RESOLVED', disposition = 'AUTO_RECOVERED',
         resolved_at = now() where id = $1`,
      [id],
    )

  it('is opened once, with the name of the fault, however often it is searched for', async () => {
    const [faulty, unnamed, tested, cleared] = [
      await makeDevice(),
      await makeDevice(),
      await makeDevice(),
      await makeDevice(),
    ]
    await report(faulty)
    await report(unnamed, { code: 'SELF_TEST_FAILED', faults: [''] })
    await report(tested, { mode: 'TEST' })
    await clear((await report(cleared)).id)
    await Promise.all([search(), search()])
    await search()
    expect(await statesOf(faulty)).toEqual([['FAULT', 'OPEN']])
    expect(await orderOf(faulty)).toMatchObject({ priority: 'HIGH', description: '设备报告故障 MIC，系统自动开单' })
    expect((await orderOf(unnamed)).description).toBe('设备报告故障，系统自动开单')
    expect(await statesOf(tested)).toEqual([])
    expect(await statesOf(cleared)).toEqual([])
  })

  it('is not opened again when somebody cancelled it while the fault lasts, and is for the next fault', async () => {
    const deviceId = await makeDevice()
    const record = await report(deviceId)
    await search()
    await site.act(`${M}/cancel`, (await orderOf(deviceId)).id, { reason: '已知' })
    await search()
    expect(await statesOf(deviceId)).toEqual([['FAULT', 'CANCELLED']])
    await clear(record.id)
    await report(deviceId)
    await search()
    expect(await statesOf(deviceId)).toEqual([
      ['FAULT', 'CANCELLED'],
      ['FAULT', 'OPEN'],
    ])
  })

  it('ends with the fault while nobody has it, and notes that once for its assignee', async () => {
    const [untouched, given, byHand] = [await makeDevice(), await makeDevice(), await makeDevice()]
    const draft = { deviceId: byHand, cause: 'FAULT', priority: 'NORMAL', description: '按键松动' }
    await site.call('POST', `${M}/create`, draft)
    const records = [await report(untouched), await report(given)]
    await search()
    const { id } = await orderOf(given)
    const { userId } = await site.clerk('device:maintenance:query', 'device:maintenance:work')
    expect((await site.act(`${M}/assign`, id, { assigneeId: userId })).code).toBe(200)
    for (const record of records) await clear(record.id)
    await search()
    await search()
    const ended = await orderOf(untouched)
    expect(ended.state).toBe('CANCELLED')
    expect(await logOf(ended.id)).toEqual([
      ['create', 'OPEN'],
      ['recover', 'OPEN'],
      ['cancel', 'CANCELLED'],
    ])
    expect(await statesOf(given)).toEqual([['FAULT', 'ASSIGNED']])
    expect(await logOf(id)).toEqual([
      ['create', 'OPEN'],
      ['assign', 'ASSIGNED'],
      ['recover', 'ASSIGNED'],
    ])
    expect(await site.audited('maintenance_order', ended.id)).toEqual([
      'device:maintenance:create',
      'device:maintenance:cancel',
    ])
    expect(await statesOf(byHand)).toEqual([['FAULT', 'OPEN']])
  })

  it('stays when a person closed the alarm and the device did not say that the fault is over', async () => {
    const deviceId = await makeDevice()
    const { id } = await report(deviceId)
    await search()
    await site.pool.query(
      `update warn_record set state = 'CLOSED', disposition = 'REAL_HANDLED', closed_at = now(), ended_at = now()
       where id = $1`,
      [id],
    )
    await search()
    expect(await statesOf(deviceId)).toEqual([['FAULT', 'OPEN']])
  })
})

describe('an order for an overdue button test', () => {
  const setDue = (deviceId: number, daysAgo: number) =>
    site.pool.query(
      `update school_device set next_test_due = (now() at time zone 'Asia/Shanghai')::date - $2::int where device_id = $1`,
      [deviceId, daysAgo],
    )

  it('is opened after the days of grace, for devices with a button, and ends with the test', async () => {
    const [late, nearly, gateway, failed] = [
      await makeDevice(),
      await makeDevice(),
      await makeDevice(),
      await makeDevice(),
    ]
    for (const id of [late, gateway, failed]) await setDue(id, TEST_OVERDUE_DAYS + 1)
    await setDue(nearly, TEST_OVERDUE_DAYS)
    await site.pool.query(
      `with model as (insert into device_model (product_key, vendor, name, kind, power)
         values ('autogateway', 'v', 'G1', 'GATEWAY', 'MAINS') returning id)
       update device set model_id = model.id from model where device.id = $1`,
      [gateway],
    )
    const draft = { deviceId: failed, cause: 'TEST_FAILED', priority: 'HIGH', description: '未收到' }
    await site.call('POST', `${M}/create`, draft)
    await search()
    await search()
    expect(await statesOf(late)).toEqual([['TEST_OVERDUE', 'OPEN']])
    expect(await orderOf(late)).toMatchObject({
      priority: 'NORMAL',
      description: `按钮测试逾期 ${TEST_OVERDUE_DAYS + 1} 天，系统自动开单`,
    })
    expect(await statesOf(nearly)).toEqual([])
    expect(await statesOf(gateway)).toEqual([])
    expect(await statesOf(failed)).toEqual([['TEST_FAILED', 'OPEN']])
    await setDue(late, -90)
    await search()
    expect(await statesOf(late)).toEqual([['TEST_OVERDUE', 'CANCELLED']])
  })
})

describe('the list of orders', () => {
  it('is ordered by district and school for the route of a person, without finished work', async () => {
    const { userId, token } = await site.clerk('device:maintenance:query', 'device:maintenance:work')
    await site.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
    const ids = []
    for (const cause of ['MANUAL', 'OFFLINE', 'FAULT'] as const) {
      const draft = { deviceId: await makeDevice(), cause, priority: 'NORMAL', description: null, assigneeId: userId }
      ids.push(Number((await site.call('POST', `${M}/create`, draft)).data))
    }
    const [done, far, near] = ids
    await site.pool.query(
      `with district as (insert into dept (kind, name) values ('EDU_BUREAU', '0 区') returning id),
       home as (insert into dept (kind, name, parent_id) select 'SCHOOL', '近', id from district returning id),
       near as (insert into school (dept_id, code, name, stage, area_type, status)
         select id, 'NEAR', '近', 'PRIMARY', 'URBAN', 'ACTIVE' from home returning id)
       update maintenance_order set school_id = near.id from near where maintenance_order.id = $1`,
      [near],
    )
    await site.pool.query(
      `update maintenance_order set state = 'DONE', finished_at = create_time + interval '90 minutes' where id = $1`,
      [done],
    )
    const page = async (query: string) =>
      pageIn(await site.call('GET', `${M}/page?mine=true${query}`, undefined, token)).list
    const route = await page('&route=true')
    expect(route.map(({ id }) => id)).toEqual([near, far])
    expect(route[0]?.['districtName']).toBe('0 区')
    const all = await page('')
    expect(all.find(({ id }) => id === done)?.['repairHours']).toBe(1.5)
    expect(all.find(({ id }) => id === far)?.['repairHours']).toBeNull()
  })

  it('is exported with creation and hours to repair', async () => {
    const columns = await maintenanceExport.columns(site.site.db, 'en')
    const titles = columns.map(({ title, titleEn }) => titleEn ?? title)
    expect(titles).toEqual(expect.arrayContaining(['Created', 'Finished', 'Hours to repair', 'Times reopened']))
  })
})
