import type { Alarm } from '@tocsin/protocol/alarm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ingestSignal } from '../../apps/server/src/areas/alarm/ingest.ts'
import { cloneDatabase, type TestDatabase } from '../../apps/server/test/database.ts'
import type { Credential } from '../simulator/fleet-file.ts'
import { openLedger } from '../simulator/ledger.ts'
import { violations, checkConsistency, cleanReport, type ConsistencyReport } from './consistency-check.ts'
import { newMasterKey, createTempDir } from './fault-setup.ts'
import { type Access, makeDevices, openAccess } from './fault-devices.ts'

const { folder, drop } = createTempDir()
let database: TestDatabase
let access: Access
let devices: Credential[]
let ledgers = 0

beforeAll(async () => {
  database = await cloneDatabase()
  // The superuser, because these tests do what the server's role cannot.
  access = openAccess({ ...database.superuser, max: 1 })
  devices = await makeDevices(access, newMasterKey(), 8)
})
afterAll(async () => {
  await access?.pool.end()
  await database?.drop()
  drop()
})

/** Ingests one press of a device of its own, with its receipt in a ledger of its own. */
const press = async () => {
  const device = devices.pop()
  if (!device) throw new Error('all devices are used')
  ledgers += 1
  const file = `${folder}/${ledgers}.jsonl`
  const { productKey, sn } = device
  const stamp = { v: 1, boot: 1, seq: 1, ts: Date.now(), upMs: 1000 } as const
  const message: Alarm = { ...stamp, eventId: `event-of-${sn}`, mode: 'LIVE', code: 'PANIC' }
  const found = await access.pool.query<{ id: number }>('select id from device where sn = $1', [sn])
  const deviceId = found.rows[0]?.id ?? 0
  const { recordNo } = await ingestSignal(access.db, { deviceId, via: 'MQTT', channel: 'alarm', message })
  // Does the work of gateway and sequencer.
  await access.pool.query('update device_outbox set sent_at = now()')
  await access.pool.query('update event set seq = id')
  const ledger = openLedger(file)
  const { eventId, mode } = message
  const said = { at: Date.now(), eventId, sn }
  ledger.write({ ...said, kind: 'sent', channel: 'alarm', productKey, what: 'PANIC', mode, boot: 1, seq: 1 })
  ledger.write({ ...said, kind: 'receipt', stage: 'accepted', via: 'mqtt', latencyMs: 1, recordNo: recordNo ?? '' })
  ledger.close()
  return { file, eventId, sn, deviceId }
}

/** Returns the violations after this change of the database, made with the constraints of signals disabled. */
const after = async (harm: string, file: string): Promise<ConsistencyReport> => {
  const client = await access.pool.connect()
  await client.query('begin')
  try {
    await client.query('set local session_replication_role = replica')
    await client.query(harm)
    return await checkConsistency(
      { ...access, pool: Object.assign(Object.create(access.pool), { query: client.query.bind(client) }) },
      file,
      0,
    )
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('finds nothing in consistent data', async () => {
  const { file } = await press()
  const report = await checkConsistency(access, file)
  expect(violations(report)).toEqual(cleanReport)
  expect(report.counts).toMatchObject({ sent: 1, accepted: 1, signals: 1 })
})

test('finds a confirmed press that is missing in the database', async () => {
  const { file, eventId } = await press()
  const report = await after(`delete from signal where event_id = '${eventId}'`, file)
  expect(report.lost).toEqual([eventId])
})

test('finds a press that is stored twice', async () => {
  const { file, eventId } = await press()
  const columns = 'device_id, kind, code, mode, occurred_at, via, dept_id, record_id'
  const harm = `alter table signal drop constraint signal_event_key;
    insert into signal (event_id, ${columns}) select event_id, ${columns} from signal where event_id = '${eventId}'`
  expect((await after(harm, file)).doubled).toContain(eventId)
})

test('finds a changed log, a removed entry and a moved head', async () => {
  const { file } = await press()
  const last = '(select max(id) from warn_log)'
  for (const harm of [
    `update warn_log set payload = '{}' where id = ${last}`,
    `delete from warn_log where id = ${last}`,
    `update warn_record set log_count = log_count + 1 where id = (select max(id) from warn_record)`,
  ])
    expect((await after(harm, file)).broken).toHaveLength(1)
})

test('finds a press that no device sent', async () => {
  const { file, eventId } = await press()
  const report = await after(`update signal set event_id = 'made-up-by-nobody' where event_id = '${eventId}'`, file)
  expect(report).toMatchObject({ invented: ['made-up-by-nobody'], lost: [eventId] })
})

test('finds a record without event or timer, and receipts that were not sent', async () => {
  const { file } = await press()
  const ref = '(select max(id) from warn_record)'
  expect((await after(`delete from event where type = 'alarm.raised' and ref = ${ref}`, file)).incomplete).toEqual(
    expect.arrayContaining([expect.stringContaining('announced 0 times')]),
  )
  expect((await after(`delete from timer where subject_id = ${ref}`, file)).incomplete).toEqual([
    expect.stringContaining('no timer'),
  ])
  expect((await after('update device_outbox set sent_at = null', file)).unsent.length).toBeGreaterThan(0)
})

test('finds a device that was reported lost, also after its return', async () => {
  const { file, sn, deviceId } = await press()
  const harm = `insert into device_connectivity (device_id, from_state, to_state, reason)
    values (${deviceId}, 'ONLINE', 'OFFLINE', 'SILENCE'), (${deviceId}, 'OFFLINE', 'ONLINE', 'SEEN')`
  expect((await after(harm, file)).offline).toEqual([sn])
})
