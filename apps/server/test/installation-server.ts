import { LEAD_PERMISSION, stateMachine } from '@tocsin/contract/alarm/state-machine'
import type { Alarm, AlarmCode } from '@tocsin/protocol/alarm'
import { expect } from 'vitest'
import { ingestSignal } from '../src/areas/alarm/ingest.ts'
import type { IngestResult } from '../src/areas/alarm/intake/ingest-pipeline.ts'
import type { LockedRecord } from '../src/areas/alarm/verb/verb-context.ts'
import { recordRoutes } from '../src/areas/alarm/record/routes.ts'
import type { Actor } from '../src/http/route.ts'
import { type DeviceServer, startDeviceServer } from './device-server.ts'
import { alarm } from './intake-fixture.ts'

export type Installed = { deviceId: number; id: number }

export type InstallationServer = DeviceServer & {
  /** Mounts a new device in the first room. */
  mount: (sn: string) => Promise<Installed>
  /** Accepts an installation, as a person who did not mount it. */
  accept: (id: number) => ReturnType<DeviceServer['act']>
  /** Mounts a new device that is pressed and accepted. */
  mountAccepted: (sn: string) => Promise<Installed>
  /** Sends an alarm of the device through the intake. */
  ingest: (deviceId: number, code?: AlarmCode, more?: Partial<Alarm>) => Promise<IngestResult>
  recordsOf: (deviceId: number) => Promise<LockedRecord[]>
  /** A person who may apply every verb to every alarm. */
  operator: Actor
}

/** The calls about devices and alarms, with an administrator who mounts and another person who accepts. */
export const startInstallationServer = async (): Promise<InstallationServer> => {
  const server = await startDeviceServer((db) => recordRoutes({ db }))
  const acceptor = await server.clerk('device:school-device:accept', 'device:school-device:query')
  await server.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
  const accept: InstallationServer['accept'] = (id) =>
    server.act('/device/school-device/accept', id, {}, acceptor.token)
  const mount: InstallationServer['mount'] = async (sn) => {
    const { id: deviceId } = await server.register(sn)
    const answer = await server.call('POST', '/device/school-device/mount', { deviceId, placeId: server.placeIds[0] })
    expect(answer.code).toBe(200)
    return { deviceId, id: answer.data as unknown as number }
  }
  const mountAccepted: InstallationServer['mountAccepted'] = async (sn) => {
    const made = await mount(sn)
    await server.press(made.deviceId)
    expect((await accept(made.id)).code).toBe(200)
    return made
  }
  let seq = 0
  const ingest: InstallationServer['ingest'] = (deviceId, code = 'PANIC', more = {}) => {
    seq += 1
    return ingestSignal(server.site.db, { deviceId, via: 'MQTT', channel: 'alarm', message: alarm(code, seq, more) })
  }
  const recordsOf: InstallationServer['recordsOf'] = (deviceId) =>
    server.all.selectFrom('warnRecord').selectAll().where('deviceId', '=', deviceId).orderBy('id').execute()
  const permissions = new Set<string>([
    LEAD_PERMISSION,
    ...Object.values(stateMachine).map(({ permission }) => permission),
  ])
  const person = { ...server.here, depts: 'all', schools: 'all', sessionId: 1, username: 'w', nickname: '王' } as const
  return { ...server, mount, accept, mountAccepted, ingest, recordsOf, operator: { ...person, permissions } }
}
