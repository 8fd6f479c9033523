import { type DownChannel, qosOf } from '@tocsin/protocol/topics'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Config, StartupError } from '#config'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { GatewayDeps } from '../deps.ts'
import {
  defaultListenerLimits,
  type DeviceListener,
  type ListenerLimits,
  startDeviceListener,
} from '../listener/device-listener.ts'
import { encodeDownlink, type Outbox, type DeliveryRoute, startOutboxDispatcher } from '../outbox/outbox.ts'
import type { UplinkSender } from '../uplink/ingest-adapter.ts'
import { countPending } from '../uplink/count-pending.ts'
import type { UplinkHandler } from '../uplink/uplink.ts'
import { createDeviceAuthenticator } from './device-authenticator.ts'
import { type Broker, startBroker } from './broker.ts'
import { subscribedQos, type DeviceSession } from './device-session.ts'
import { createReadGate } from './read-gate.ts'
import { createSessionRegistry, type SessionRegistry } from './session-registry.ts'

export type EmbeddedTransport = {
  port: number
  tlsPort: number | undefined
  outbox: Outbox
  uplink: UplinkHandler
  /** Whether devices can connect. */
  isHealthy: () => boolean
  stop: () => Promise<void>
}

/** A device that does not get it repeats the press and is answered again, so its PUBACK need not be awaited. */
const isReceipt = (channel: DownChannel, message: object | null): boolean =>
  channel === 'ack' && message !== null && 'stage' in message && message.stage === 'accepted'

const createDeliveryRoutes = (sessions: SessionRegistry) => {
  const roads = new WeakMap<DeviceSession, DeliveryRoute>()
  const roadOf = (session: DeviceSession): DeliveryRoute => {
    const known = roads.get(session)
    if (known) return known
    const send: DeliveryRoute['send'] = (deviceId, channel, message) => {
      const subscribed = subscribedQos(session, channel)
      if (subscribed === undefined) return null
      const qos = qosOf(channel) === 0 || (session.isLagging() && isReceipt(channel, message)) ? 0 : subscribed
      return session.send(channel, encodeDownlink(message, sessions.childSn(deviceId)), qos)
    }
    const road: DeliveryRoute = { send, sent: new Map() }
    roads.set(session, road)
    return road
  }
  return (deviceId: number): DeliveryRoute | undefined => {
    const session = sessions.byDevice(deviceId)
    return session && roadOf(session)
  }
}

/** Those of the secrets that are still valid. Retiring a device deletes its secrets. */
const findValidCredentials = async (db: Db, ids: readonly number[]): Promise<Set<number>> => {
  const rows = await unscoped(db, 'connected devices are checked again')
    .selectFrom('deviceCredential')
    .innerJoin('device', 'device.id', 'deviceCredential.deviceId')
    .select('deviceCredential.id')
    .where('deviceCredential.id', '=', sql<number>`any(${ids})`)
    .where('device.lifecycle', '!=', 'RETIRED')
    .where(({ eb, or }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', sql<Date>`now()`)]))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Ends each connection whose own secret has ended, whatever other secrets its device has. */
const startRecheck = ({ screenDb, log }: GatewayDeps, sessions: SessionRegistry, everyMs: number) => {
  const turn = async () => {
    const connected = sessions.all()
    if (connected.length === 0) return
    const valid = await findValidCredentials(
      screenDb,
      connected.flatMap(({ credentialId }) => credentialId ?? []),
    )
    for (const session of connected) {
      if (session.credentialId === null || valid.has(session.credentialId)) continue
      log.warn(`the link of device ${session.device.sn} is closed: it was retired or its secret has ended`)
      session.client.close()
    }
  }
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= turn()
      .catch((error: unknown) => log.warn(`connected devices could not be checked: ${String(error)}`))
      .finally(() => (running = undefined))
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}

const readTls = async ({ cert, key }: NonNullable<Config['mqttTls']>, dataDir: string) => {
  const read = async (name: string, file = join(dataDir, 'tls', name)) => {
    try {
      return await readFile(file, 'utf8')
    } catch (error) {
      throw new StartupError(`TOCSIN_MQTT_TLS needs ${file}, which cannot be read: ${String(error)}`)
    }
  }
  return { cert: await read('mqtt.crt', cert), key: await read('mqtt.key', key) }
}

type Listening = { parts: GatewayDeps; broker: Broker; limits: Partial<ListenerLimits>; fronts: DeviceListener[] }

const listen = async ({ parts, broker, limits, fronts }: Listening) => {
  const { config, log, dataDir } = parts
  const plain = await startDeviceListener({ at: config.mqtt, limits, log, accept: broker.accept })
  fronts.push(plain)
  if (!config.mqttTls) return { port: plain.port, tlsPort: undefined }
  const tls = await readTls(config.mqttTls, dataDir)
  const secure = await startDeviceListener({ at: config.mqttTls, tls, limits, log, accept: broker.accept })
  fronts.push(secure)
  return { port: plain.port, tlsPort: secure.port }
}

const createSenderFactory = (sessions: SessionRegistry, outbox: Outbox) => {
  const senders = new WeakMap<DeviceSession, UplinkSender>()
  return (session: DeviceSession): UplinkSender => {
    const known = senders.get(session)
    if (known) return known
    // One for all messages of the link, since many of them may wait.
    const sender: UplinkSender = {
      device: session.device,
      via: 'MQTT',
      get heardAt() {
        return session.heardAt
      },
      link: session,
      receipt: outbox.receipt,
      // The broker stops reading while messages wait. The event makes it read on, so that it answers pings (X05).
      onTrouble: () => void session.client.conn.emit('readable'),
      onChild: (child) => {
        if (sessions.bind(child, session)) outbox.wake(child.id)
      },
    }
    senders.set(session, sender)
    return sender
  }
}

/** Starts the transport in which devices connect to this process (DESIGN 3, the default). */
export const startEmbeddedTransport = async (
  parts: GatewayDeps,
  limits: Partial<ListenerLimits>,
): Promise<EmbeddedTransport> => {
  const { db, screenDb, log, refusedDevices, takeovers, connectFaults, sink, budget, createUplinkWith } = parts
  const sessions = createSessionRegistry()
  const routeTo = createDeliveryRoutes(sessions)
  const outbox = startOutboxDispatcher({
    db: screenDb,
    log,
    routeTo,
    reachable: sessions.reachable,
    reachesDevice: true,
  })
  const uplink = createUplinkWith({
    onReply: (id, { commandId }) => outbox.answered(id, commandId),
    onBirth: () => {},
    onUnreadable: (id, error) =>
      void routeTo(id)
        ?.send(id, 'error', error)
        ?.catch(() => undefined),
  })
  const { stop: stopGate, ...gate } = createReadGate(budget, parts.retryQueue)
  let stopping = false
  const counted = countPending(uplink, budget)
  const senderOf = createSenderFactory(sessions, outbox)
  const broker = await startBroker({
    log,
    sessions,
    authenticator: createDeviceAuthenticator({ db, screenDb: parts.screenDb, log, refusedDevices }),
    // The server ends these links itself, so the devices are not at fault.
    onUplink: (session, channel, bytes) =>
      stopping && channel === 'state' ? undefined : counted(senderOf(session), channel, bytes),
    ...gate,
    onOpen: ({ device }) => sink.seen(device),
    onConnectFaults: ({ device }, faults) => connectFaults.note(device, faults),
    onTakeover: ({ device }) => takeovers.countTakeover(device.id),
    onBroken: ({ device, heardAt }) => {
      if (!stopping) sink.linkLost(device.id, { boot: null, heardAt })
    },
    onListening: ({ device }) => outbox.wake(device.id),
  })
  const fronts: DeviceListener[] = []
  const stopRecheck = startRecheck(parts, sessions, limits.recheckMs ?? defaultListenerLimits.recheckMs)
  const stop = async () => {
    stopping = true
    await stopRecheck()
    await Promise.all(fronts.map((front) => front.stop()))
    await broker.stop()
    stopGate()
    await outbox.stop()
  }
  const isHealthy = () => fronts.every((front) => front.isListening())
  try {
    return { ...(await listen({ parts, broker, limits, fronts })), outbox, uplink, isHealthy, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
