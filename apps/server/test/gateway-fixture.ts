import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { startFleet } from '../../../tools/simulator/fleet.ts'
import type { Credential } from '../../../tools/simulator/fleet-file.ts'
import { makeInstallation, makeDept, makeDevice, makeModel, makePlace, makeSchool } from '../seed/fixtures.ts'
import { seedRules } from '../src/areas/alarm/rule-seed.ts'
import { createCredential } from '../src/areas/device/credential.ts'
import { openDb, openPool } from '../src/db/db.ts'
import { emitEvents, wakeSequencer } from '../src/db/event.ts'
import { deriveKey } from '../src/db/master-key.ts'
import { type GatewayOptions, startGateway } from '../src/gateway/gateway.ts'
import { createHttpApp } from '../src/http/app.ts'
import { startHub } from '../src/live/hub.ts'
import { startSequencer } from '../src/live/sequencer.ts'
import { openLog } from '../src/log.ts'
import { cloneDatabase } from './database.ts'
import { quietLog } from './quiet-log.ts'

export const listener = { host: '127.0.0.1', port: 0 }
export const embedded = { mqtt: listener, mqttTls: undefined, mqttUrl: undefined, faultAt: undefined }

/** A migrated database with rules, a school with a room, the hub, and the devices and gateways of a test. */
export const openGatewayFixture = async () => {
  const database = await cloneDatabase()
  const pool = openPool({ ...database.app, max: 4, connectionTimeoutMillis: 0 }, 10)
  const screenPool = openPool({ ...database.app, max: 6, connectionTimeoutMillis: 0 }, 10)
  const owner = new pg.Pool({ ...database.owner, max: 2 })
  const [db, screenDb] = [openDb(pool), openDb(screenPool)]
  const sequencer = startSequencer({ connection: database.app, log: quietLog })
  const hub = await startHub({ connection: database.app, log: quietLog, invalidateSessionCache: () => {} })
  await seedRules(db)
  const bureau = await makeDept(db)
  const school = await makeSchool(db, { eduDeptId: bureau.id })
  const room = await makePlace(db, { schoolId: school.id, name: '301' })
  // The school has neither a station nor users: missing requirements of its devices must not affect these tests.
  const given = { productKey: 'panic1', heartbeatSec: 30, offlineAfterSec: 90, alarmCodes: ['PANIC'] }
  const model = await makeModel(db, given)
  const masterKey = randomBytes(32)
  const ends: (() => Promise<unknown> | unknown)[] = []

  const device = async (given: { sn?: string; modelId?: number; installed?: boolean; gatewayId?: number } = {}) => {
    const { installed = true, ...rest } = given
    const key = deriveKey(masterKey, 'device-http-key')
    const made = await makeDevice(db, { modelId: model.id, deptId: school.deptId, key, ...rest })
    if (installed) await makeInstallation(db, made.device, room)
    const credential: Credential = {
      productKey: 'panic1',
      sn: made.device.sn,
      secret: Buffer.from(made.secret, 'base64url'),
    }
    return { id: made.device.id, sn: made.device.sn, credential }
  }
  const gateway = async (options: Partial<GatewayOptions> = {}) => {
    const app = await createHttpApp({ loggerInstance: openLog('silent') })
    const keys = { masterKey, dataDir: '' }
    const started = await startGateway({
      db,
      screenDb,
      config: embedded,
      hub,
      log: quietLog,
      app,
      database: keys,
      ...options,
    })
    const http = await app.listen({ host: '127.0.0.1', port: 0 })
    const stop = async () => {
      await started.stop()
      await app.close()
    }
    ends.push(stop)
    return { ...started, http, mqtt: `mqtt://127.0.0.1:${started.port}`, stop }
  }
  let gatewayMade: ReturnType<typeof makeModel> | undefined
  /** Gateway devices; the product key is gateway1. */
  const gatewayModel = async () => {
    gatewayMade ??= makeModel(db, { productKey: 'gateway1', kind: 'GATEWAY' })
    return (await gatewayMade).id
  }
  /** Another secret of a device, as its password. */
  const credential = (deviceId: number) => createCredential(db, deriveKey(masterKey, 'device-http-key'), deviceId)
  /** A row in the form an area writes. */
  const command = async (deviceId: number, commandId: string) => {
    await screenDb.transaction().execute(async (trx) => {
      const payload = { commandId, type: 'LED', payload: {}, expiresAt: Date.now() + 60_000 }
      await trx.insertInto('deviceOutbox').values({ deviceId, channel: 'cmd', key: commandId, payload }).execute()
      await emitEvents(trx, { type: 'device.outbox', ref: deviceId, schoolId: school.id, deptId: school.deptId })
    })
    wakeSequencer()
  }
  /** Devices that are stopped with the test. */
  const fleet = (options: Parameters<typeof startFleet>[0]) => {
    const started = startFleet({ heartbeatSec: 0, reconnect: { baseMs: 50, capMs: 200 }, ...options })
    ends.push(started.stop)
    return started
  }
  const clear = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  const close = async () => {
    await clear()
    await hub.stop()
    await sequencer.stop()
    await Promise.all([pool.end(), screenPool.end(), owner.end()])
    await database.drop()
  }
  const query = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await screenPool.query<T>(text, values)).rows
  return {
    database,
    db,
    screenDb,
    owner,
    hub,
    school,
    room,
    model,
    masterKey,
    device,
    gateway,
    command,
    gatewayModel,
    credential,
    fleet,
    clear,
    close,
    query,
  }
}
export type GatewayFixture = Awaited<ReturnType<typeof openGatewayFixture>>
