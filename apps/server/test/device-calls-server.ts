import { httpKey, signedHeaders } from '@tocsin/protocol/sign'
import mqtt from 'mqtt'
import { randomBytes, randomUUID } from 'node:crypto'
import { makePlace, makeSchool, makeUser } from '../seed/fixtures.ts'
import { openSession } from '../src/areas/access/sign-in/session.ts'
import { endHealthRecords } from '../src/areas/alarm/end-health-records.ts'
import { startGateway } from '../src/gateway/gateway.ts'
import { createHttpApp } from '../src/http/app.ts'
import { startHub } from '../src/live/hub.ts'
import { startSequencer } from '../src/live/sequencer.ts'
import { openLog } from '../src/log.ts'
import { makeModelDraft, startDeviceServer } from './device-server.ts'
import { embedded } from './gateway-fixture.ts'
import { quietLog } from './quiet-log.ts'

type ModelKind = keyof typeof models
type Sent = { v: 1; eventId: string; boot: number; seq: number; ts: number; upMs: number; mode: 'LIVE'; code: string }
export type RegisteredDevice = { id: number; sn: string; productKey: string; secret: string }

const models = {
  button: { productKey: 'testbtn01', kind: 'PANIC_BUTTON', alarmCodes: ['PANIC'] },
  voice: { productKey: 'testvoice1', kind: 'VOICE_TERMINAL', alarmCodes: ['PANIC', 'VOICE_HELP'] },
  gateway: { productKey: 'testgate01', kind: 'GATEWAY', alarmCodes: [] },
} as const
const commandSchema = { LED: { type: 'object' }, REBOOT: { type: 'object' }, PLAY_TTS: { type: 'object' } }

let seq = 0
/** An alarm of a device that started 100 s before it. */
export const makePress = (code = 'PANIC', more: Partial<Sent> & { replay?: boolean } = {}): Sent => {
  seq += 1
  return { v: 1, eventId: randomUUID(), boot: 1, seq, ts: Date.now(), upMs: 100_000, mode: 'LIVE', code, ...more }
}

/** The device calls of two schools with the device gateway: users of each role, devices over MQTT and HTTP. */
export const startDeviceCallsServer = async () => {
  const removeHook = endHealthRecords()
  const server = await startDeviceServer()
  const { db } = server.site
  const connection = server.database.app
  const sequencer = startSequencer({ connection, log: quietLog })
  const hub = await startHub({ connection, log: quietLog, invalidateSessionCache: () => {} })
  const app = await createHttpApp({ loggerInstance: openLog('silent') })
  const gateway = await startGateway({
    db,
    screenDb: db,
    config: embedded,
    hub,
    log: quietLog,
    app,
    database: { masterKey: server.masterKey, dataDir: '' },
    limits: { recheckMs: 100 },
  })
  const clients: mqtt.MqttClient[] = []

  const school3 = await makeSchool(db, { eduDeptId: server.here.deptId })
  const place3 = await makePlace(db, { schoolId: school3.id })
  const { deptId: dept1 } = await server.all
    .selectFrom('school')
    .select('deptId')
    .where('id', '=', server.schoolId)
    .executeTakeFirstOrThrow()
  const user = async (role: string, deptId: number) => {
    const { id } = await makeUser(db, { deptId, roles: [role] })
    return (await openSession(db, id, { ip: '127.0.0.1', userAgent: 'test', traceId: '' })).accessToken
  }
  const tokens = {
    admin: server.adminToken,
    maintainer: await user('maintainer', server.here.deptId),
    school1: await user('school_admin', dept1),
    safety1: await user('safety_officer', dept1),
    guard1: await user('guard', dept1),
    school3: await user('school_admin', school3.deptId),
  }
  type Role = keyof typeof tokens
  const modelIds: Record<string, number> = { button: server.modelId }
  for (const kind of ['voice', 'gateway'] as const) {
    const draft = makeModelDraft({ ...models[kind], name: kind, commandSchema })
    modelIds[kind] = Number((await server.call('POST', '/device/model/create', draft)).data)
  }

  const connect = async ({ sn, productKey }: RegisteredDevice, secret: string) => {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${gateway.port}`, {
      protocolVersion: 4,
      clientId: sn,
      username: `${productKey}/${sn}`,
      password: secret,
      reconnectPeriod: 0,
    })
    clients.push(client)
    client.on('error', () => undefined)
    const received: { channel: string; message: Record<string, unknown> }[] = []
    client.on('message', (topic, bytes) =>
      received.push({ channel: topic.split('/').at(-1) ?? '', message: JSON.parse(bytes.toString()) }),
    )
    const root = `ax/v1/${productKey}/${sn}`
    return {
      client,
      received,
      subscribe: () => client.subscribeAsync(`${root}/down/#`, { qos: 1 }),
      /** Resolves after the commit. */
      publish: (channel: string, message: unknown) =>
        client.publishAsync(`${root}/up/${channel}`, JSON.stringify(message), { qos: 1 }),
    }
  }
  return {
    ...server,
    schools: [server.schoolId, school3.id] as const,
    places: [server.placeIds[0], place3.id] as const,
    as: (role: Role, method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
      server.call(method, path, body, tokens[role]),
    /** Applies a verb with the present version. */
    actAs: (role: Role, path: string, id: number, more: object = {}) => server.act(path, id, more, tokens[role]),
    device: async (sn: string, kind: ModelKind = 'button'): Promise<RegisteredDevice> => {
      const { data } = await server.call('POST', '/device/device/create', { sn, modelId: modelIds[kind] })
      return { id: Number(data['id']), sn, productKey: models[kind].productKey, secret: String(data['secret']) }
    },
    connect,
    /** Sends an alarm over HTTP; @returns the status. */
    sendAlarm: async ({ sn, productKey }: RegisteredDevice, secret: string, message: object): Promise<number> => {
      const path = '/device-api/v1/alarms'
      const body = Buffer.from(JSON.stringify(message))
      const nonce = randomBytes(16).toString('base64url')
      const signed = { method: 'POST', path, nonce, body }
      const key = httpKey(Buffer.from(secret, 'base64url'))
      const headers = {
        ...signedHeaders(key, { productKey, sn }, Date.now(), signed),
        'content-type': 'application/json',
      }
      return (await app.inject({ method: 'POST', url: path, headers, payload: body })).statusCode
    },
    close: async () => {
      for (const client of clients) await client.endAsync(true)
      await gateway.stop()
      await app.close()
      await hub.stop()
      await sequencer.stop()
      await server.end()
      removeHook()
    },
  }
}
export type DeviceCallsServer = Awaited<ReturnType<typeof startDeviceCallsServer>>
