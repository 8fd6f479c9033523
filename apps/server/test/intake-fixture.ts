import type { Alarm, AlarmCode } from '@tocsin/protocol/alarm'
import type { DeviceEvent, EventKind } from '@tocsin/protocol/event'
import { randomUUID } from 'node:crypto'
import { hashLink } from '../src/areas/alarm/record-log.ts'
import { type SignalContent, ingestSignal } from '../src/areas/alarm/ingest.ts'
import { loadButtonState } from '../src/areas/alarm/record/button-reset.ts'
import { openAlarmFixture } from './alarm-fixture.ts'

const eventId = () => randomUUID()

/** A message of a device with a correct clock; `seq` is its order. */
export const alarm = (code: AlarmCode, seq: number, more: Partial<Alarm> = {}): Alarm => ({
  v: 1,
  eventId: eventId(),
  boot: 1,
  seq,
  ts: Date.now(),
  upMs: seq * 1000,
  mode: 'LIVE',
  code,
  ...more,
})

export const event = (kind: EventKind, seq: number, more: Partial<DeviceEvent> = {}): DeviceEvent => ({
  v: 1,
  eventId: eventId(),
  boot: 1,
  seq,
  ts: Date.now(),
  upMs: seq * 1000,
  mode: 'LIVE',
  kind,
  ...more,
})

export const carried = (message: Alarm | DeviceEvent): SignalContent =>
  'code' in message ? { channel: 'alarm', message } : { channel: 'event', message }

export type IntakeFixture = Awaited<ReturnType<typeof openIntakeFixture>>

/** The alarm fixture with any buttons, and readers of what the intake wrote. */
export const openIntakeFixture = async (connections = 4) => {
  const world = await openAlarmFixture(connections)
  const { all, db } = world
  const { modelId } = await all.selectFrom('device').select('modelId').executeTakeFirstOrThrow()
  const button = async (at: { schoolId?: number | null; deptId?: number } = {}): Promise<number> => {
    const sn = `B${randomUUID().replaceAll('-', '').slice(0, 16)}`
    const { schoolId = world.first.id, deptId = world.bureau } = at
    const device = all.insertInto('device').values({ sn, modelId, deptId, schoolId, lifecycle: 'IN_SERVICE' })
    return (await device.returning('id').executeTakeFirstOrThrow()).id
  }
  const say = (deviceId: number, message: Alarm | DeviceEvent, more: { skewMs?: number } = {}) =>
    ingestSignal(db, { deviceId, via: 'MQTT', ...carried(message), ...more })
  /** As users see them: whether the button is reset is read from the device. */
  const recordsOf = async (deviceId: number) => {
    const found = all.selectFrom('warnRecord').selectAll().where('deviceId', '=', deviceId)
    const records = await found.orderBy('id').execute()
    return records.map(await loadButtonState(db, records))
  }
  const signalsOf = (deviceId: number) =>
    all.selectFrom('signal').selectAll().where('deviceId', '=', deviceId).orderBy('id').execute()
  const logOf = (recordId: number) =>
    all.selectFrom('warnLog').selectAll().where('recordId', '=', recordId).orderBy('no').execute()
  const timersOf = (recordId: number) =>
    db
      .selectFrom('timer')
      .selectAll()
      .where('kind', '=', 'record')
      .where('subjectId', '=', recordId)
      .where('doneAt', 'is', null)
      .orderBy('step')
      .execute()
  const eventsOf = async (ref: number) =>
    (await db.selectFrom('event').selectAll().where('ref', '=', ref).orderBy('id').execute())
      .map(({ type }) => type)
      .filter((type) => type.startsWith('alarm.'))
  /** The first broken link of the chain, or undefined. */
  const brokenLink = async (recordId: number): Promise<number | undefined> => {
    const head = await all.selectFrom('warnRecord').selectAll().where('id', '=', recordId).executeTakeFirstOrThrow()
    let prev: Uint8Array = Buffer.alloc(0)
    let no = 0
    for (const { id: _id, hash, prevHash, ...row } of await logOf(recordId)) {
      no += 1
      const right = hashLink(prev, { ...row, at: row.at.getTime() })
      if (row.no !== no || !right.equals(hash) || Buffer.compare(prevHash, prev) !== 0) return no
      prev = hash
    }
    return no === head.logCount && Buffer.compare(head.logHash, prev) === 0 ? undefined : no + 1
  }
  return { ...world, button, say, recordsOf, signalsOf, logOf, timersOf, eventsOf, brokenLink }
}
