import { readFileSync } from 'node:fs'
import { fromAlarm } from '#areas/alarm/intake/normalize-signal'
import { ingestOne } from '#areas/alarm/intake/ingest-pipeline'
import { verifyLog } from '#areas/alarm/verify-chain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeInstallation } from '../../../../seed/fixtures.ts'
import { alarm } from '../../../../test/intake-fixture.ts'
import { type InstallationServer, startInstallationServer } from '../../../../test/installation-server.ts'
import { somebodyWaits } from '../../../../test/lock-waiters.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'
import { applyOutcome } from './execute-verb.ts'
import { claim } from './claim.ts'
import { dispatch, escalate, markArrived, verify } from './handle.ts'
import { merge } from './merge.ts'
import { resolve } from './resolve.ts'
import { reopen } from './review.ts'
import { type LockedRecord, lockForUser } from './verb-context.ts'

let site: InstallationServer
useTransactionHooks()
beforeAll(async () => {
  site = await startInstallationServer()
})
afterAll(() => site.end())

let devices = 0
/** A press that the installation of a new device expects, claimed at the desk. */
const claimCommissioning = async () => {
  const installed = await site.mount(`CONVERT-${(devices += 1)}`)
  const { recordId } = await site.ingest(installed.deviceId)
  const record = await claim(site.site.db, site.operator, { id: recordId ?? 0 })
  expect(record).toMatchObject({ mode: 'TEST', commissioning: true })
  return { ...installed, record }
}

/** A press that a running button test expects, claimed at the desk. */
const claimTestPress = async () => {
  const { id: deviceId } = await site.register(`CONVERT-${(devices += 1)}`)
  const id = await makeInstallation(site.site.db, { id: deviceId }, { id: site.placeIds[0], schoolId: site.schoolId })
  await startTest()
  const { recordId } = await site.ingest(deviceId)
  const record = await claim(site.site.db, site.operator, { id: recordId ?? 0 })
  expect(record).toMatchObject({ mode: 'TEST', testPlanId: expect.any(Number) })
  return { id, deviceId, record }
}

const startTest = async () => {
  await site.pool.query('update test_plan set closed_at = now() where closed_at is null')
  const window = { schoolId: site.schoolId, windowFrom: Date.now(), windowTo: Date.now() + 3_600_000 }
  const { data } = await site.call('POST', '/device/test/create', window)
  await site.act('/device/test/tell', Number(data))
}

const told = { toldName: '王', toldPhone: '13800000000' }
const convert = {
  dispatch: (record: Versioned) => dispatch(site.site.db, site.operator, { ...record, ...told }),
  verify: (record: Versioned) => verify(site.site.db, site.operator, { ...record, validation: 3 }),
  escalate: (record: Versioned) => escalate(site.site.db, site.operator, { ...record, reason: '求助' }),
}
type Versioned = { id: number; version: number }

const end = async ({ id }: { id: number }) => {
  await claim(site.site.db, site.operator, { id })
  await site.pool.query('update warn_record set validation = 3 where id = $1', [id])
  const { version } = await read(id)
  const ending = { disposition: 'REAL_HANDLED', note: '已处置', overrideReason: '复位' } as const
  return resolve(site.site.db, site.operator, { id, version, ...ending })
}
const read = (id: number): Promise<LockedRecord> =>
  site.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const openOf = async (deviceId: number) => (await site.recordsOf(deviceId)).filter(({ open }) => open)
const areLinked = (records: readonly LockedRecord[]): boolean =>
  records.some(({ linkedRecordId }) => records.some(({ id }) => id === linkedRecordId))
const verbsOf = async (recordId: number) => {
  const log = site.all.selectFrom('warnLog').select('verb').where('recordId', '=', recordId).orderBy('no')
  return (await log.execute()).map(({ verb }) => verb)
}

afterEach(async () => expect((await verifyLog(site.site.db)).broken).toBeUndefined())

describe.each([
  ['commissioning', claimCommissioning],
  ['button test', claimTestPress],
])('the expected press of a %s that people found real', (_kind, claimExpected) => {
  it.each(['dispatch', 'verify', 'escalate'] as const)('takes further presses of its button after %s', async (verb) => {
    const { deviceId, record } = await claimExpected()
    await convert[verb](record)
    const further = await site.ingest(deviceId)
    expect(further).toMatchObject({ recordId: record.id, created: false })
    expect(await site.recordsOf(deviceId)).toMatchObject([{ mode: 'LIVE', open: true, occurrenceCount: 2 }])
  })

  it('is found by a cancel, which its device sees no stage after', async () => {
    const { deviceId, record } = await claimExpected()
    const dispatched = await convert.dispatch(record)
    const cancelled = await site.ingest(deviceId, 'CANCEL')
    expect(cancelled.recordId).toBe(record.id)
    expect(await read(record.id)).toMatchObject({ presserCancelled: true })
    await site.pool.query('delete from device_outbox where device_id = $1', [deviceId])
    expect(await markArrived(site.site.db, site.operator, dispatched)).toMatchObject({ onSiteAt: expect.any(Date) })
    const stages = await site.pool.query(`select key from device_outbox where device_id = $1 and key ~ '^[0-9]+\\.'`, [
      deviceId,
    ])
    expect(stages.rows).toEqual([])
  })

  it('is not cancelled by a cancel that the device sent before the press', async () => {
    const { deviceId, record } = await claimExpected()
    await convert.dispatch(record)
    await site.ingest(deviceId, 'CANCEL', { seq: 0 })
    expect(await read(record.id)).toMatchObject({ presserCancelled: false })
  })

  it('is cancelled when its device was cancelled before people found it real', async () => {
    const { deviceId, record } = await claimExpected()
    await site.ingest(deviceId, 'CANCEL')
    await convert.dispatch(record)
    expect(await read(record.id)).toMatchObject({ mode: 'LIVE', presserCancelled: true })
  })

  it('counts for a burst with the presses that it takes', async () => {
    const { deviceId, record } = await claimExpected()
    await convert.dispatch(record)
    await site.ingest(deviceId)
    await site.ingest(deviceId)
    expect(await read(record.id)).toMatchObject({ level: 1, occurrenceCount: 3 })
  })

  it('is linked with the alarm that its button raised in between, which takes the presses until it ends', async () => {
    const { deviceId, record } = await claimExpected()
    const between = await site.ingest(deviceId)
    expect(between.created).toBe(true)
    await convert.dispatch(record)
    const both = await site.recordsOf(deviceId)
    expect(both).toMatchObject([
      { mode: 'LIVE', open: true },
      { mode: 'LIVE', open: true },
    ])
    expect(areLinked(both)).toBe(true)
    expect((await site.ingest(deviceId)).recordId).toBe(between.recordId)
    await end({ id: between.recordId ?? 0 })
    expect((await site.ingest(deviceId)).recordId).toBe(record.id)
    expect(await site.recordsOf(deviceId)).toHaveLength(2)
  })

  it('takes the presses of an alarm of its button that was merged into it', async () => {
    const { deviceId, record } = await claimExpected()
    const between = await site.ingest(deviceId)
    await convert.dispatch(record)
    const { version } = await read(between.recordId ?? 0)
    await merge(site.site.db, site.operator, { id: between.recordId ?? 0, version, intoId: record.id })
    expect((await site.ingest(deviceId)).recordId).toBe(record.id)
    expect(await site.recordsOf(deviceId)).toHaveLength(2)
  })

  it('is linked with an alarm whose press was being stored at the same time', async () => {
    const { deviceId, record } = await claimExpected()
    const normalize = () => fromAlarm(alarm('PANIC', 500), { via: 'MQTT' })
    const [raised, converting] = await site.site.db.transaction().execute(async (trx) => {
      const stored = await ingestOne(trx, { deviceId, normalize }, [])
      const found = convert.dispatch(record)
      await expect.poll(() => somebodyWaits(site.site.db)).toBe(true)
      return [stored.recordId ?? 0, found] as const
    })
    await expect(converting).resolves.toMatchObject({ mode: 'LIVE' })
    expect((await site.ingest(deviceId)).recordId).toBe(raised)
    expect(areLinked(await site.recordsOf(deviceId))).toBe(true)
  })

  it('takes a press that waited for the people who found it real', async () => {
    const { deviceId, record } = await claimExpected()
    const pressed = await site.site.db.transaction().execute(async (trx) => {
      const context = await lockForUser(trx, site.operator, record.id)
      await applyOutcome(context, 'dispatch', { reached: ['dispatchedAt'] })
      const waiting = site.ingest(deviceId)
      await expect.poll(() => somebodyWaits(site.site.db)).toBe(true)
      return { waiting }
    })
    expect((await pressed.waiting).recordId).toBe(record.id)
    expect(await openOf(deviceId)).toMatchObject([{ id: record.id, occurrenceCount: 2 }])
  })

  it('loses and duplicates no press when several arrive while people find it real', async () => {
    const { deviceId, record } = await claimExpected()
    await Promise.all([site.ingest(deviceId), convert.dispatch(record), site.ingest(deviceId), site.ingest(deviceId)])
    const open = await openOf(deviceId)
    expect(open.reduce((sum, { occurrenceCount }) => sum + occurrenceCount, 0)).toBe(4)
    expect(new Set(open.map(({ mode }) => mode))).toEqual(new Set(['LIVE']))
    expect(open.length).toBeLessThanOrEqual(2)
    if (open.length === 2) expect(areLinked(open)).toBe(true)
  })
})

describe('a commissioning press that ended or was left to its owner', () => {
  it('is a LIVE alarm for further presses once a lead reopens it', async () => {
    const installed = await site.mount(`CONVERT-${(devices += 1)}`)
    const { recordId } = await site.ingest(installed.deviceId)
    await site.accept(installed.id)
    const closed = await read(recordId ?? 0)
    expect(closed).toMatchObject({ state: 'CLOSED', mode: 'TEST' })
    await reopen(site.site.db, site.operator, { id: closed.id, version: closed.version, reason: '有人求助' })
    expect((await site.ingest(installed.deviceId)).recordId).toBe(closed.id)
    expect(await site.recordsOf(installed.deviceId)).toMatchObject([{ mode: 'LIVE', state: 'HANDLING' }])
  })

  it('is reopened beside an alarm of its button that is open, and linked with it', async () => {
    const installed = await site.mount(`CONVERT-${(devices += 1)}`)
    const { recordId } = await site.ingest(installed.deviceId)
    await site.accept(installed.id)
    const between = await site.ingest(installed.deviceId)
    const { id, version } = await read(recordId ?? 0)
    await reopen(site.site.db, site.operator, { id, version, reason: '有人求助' })
    expect((await site.ingest(installed.deviceId)).recordId).toBe(between.recordId)
    expect(areLinked(await site.recordsOf(installed.deviceId))).toBe(true)
  })

  it('is a LIVE alarm when its owner acts on it after the acceptance', async () => {
    const { deviceId, id, record } = await claimCommissioning()
    expect((await site.accept(id)).code).toBe(200)
    expect(await read(record.id)).toMatchObject({ state: 'CLAIMED', commissioning: false, mode: 'TEST' })
    await convert.escalate({ id: record.id, version: (await read(record.id)).version })
    expect((await site.ingest(deviceId)).recordId).toBe(record.id)
    expect(await verbsOf(record.id)).toContain('foundReal')
  })

  it('stays a test when the device itself called it one', async () => {
    const { deviceId } = await site.mountAccepted(`CONVERT-${(devices += 1)}`)
    const { recordId } = await site.ingest(deviceId, 'PANIC', { mode: 'TEST' })
    const record = await claim(site.site.db, site.operator, { id: recordId ?? 0 })
    expect(await convert.dispatch(record)).toMatchObject({ mode: 'TEST' })
  })
})

it('has the key of further presses after the update from a version that gave it none', async () => {
  const file = readFileSync('apps/server/migrations/0230_expected_press_keys.sql', 'utf8')
  const updates = [...file.matchAll(/^update warn_record [^;]*;/gm)].map(([update]) => update)
  expect(updates).toHaveLength(2)
  const [waiting, alone, beside] = [await claimCommissioning(), await claimCommissioning(), await claimTestPress()]
  const between = await site.ingest(beside.deviceId)
  for (const { record } of [alone, beside]) await convert.dispatch(record)
  const keysOf = async () => {
    const { rows } = await site.pool.query<{ id: number; key: string }>(
      'select id, dedup_key as key from warn_record where id = any($1) order by id',
      [[waiting.record.id, alone.record.id, beside.record.id, between.recordId]],
    )
    return rows
  }
  const keys = await keysOf()
  await site.pool.query(
    `update warn_record set dedup_key = case when id = $2 then 'test:7/' else '' end
       || 'installation:' || school_device_id || '|PANIC' where id in ($1, $2, $3)`,
    [waiting.record.id, beside.record.id, alone.record.id],
  )
  for (const update of updates) await site.pool.query(update)
  const testPlan = /^test:[0-9]+/
  expect((await keysOf()).map(({ key }) => key.replace(testPlan, ''))).toEqual(
    keys.map(({ key }) => key.replace(testPlan, '')),
  )
})
