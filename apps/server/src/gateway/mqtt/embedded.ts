import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Config, StartRefusal } from '#config'
import type { Db } from '#db/db'
import { everything } from '#db/scope'
import type { Parts } from '../parts.ts'
import { defaultLimits, type Front, type Limits, startFront } from '../front/front.ts'
import { bytesOf, type Outbox, type Road, startOutbox } from '../outbox/outbox.ts'
import type { Sender } from '../uplink/intake.ts'
import type { Uplink } from '../uplink/uplink.ts'
import { makeDoorkeeper } from './admit.ts'
import { type Broker, startBroker } from './broker.ts'
import { listening, type Session } from './session.ts'
import { makeSessions, type Sessions } from './sessions.ts'

export type Embedded = {
  port: number
  tlsPort: number | undefined
  outbox: Outbox
  uplink: Uplink
  /** Whether devices can connect. */
  works: () => boolean
  stop: () => Promise<void>
}

const makeRoads = (sessions: Sessions) => {
  const roads = new WeakMap<Session, Road>()
  const roadOf = (session: Session): Road => {
    const known = roads.get(session)
    if (known) return known
    const send: Road['send'] = (deviceId, channel, message) => {
      const qos = listening(session, channel)
      if (qos === undefined) return null
      return session.send(channel, bytesOf(message, sessions.childSn(deviceId)), channel === 'time' ? 0 : qos)
    }
    const road: Road = { send, sent: new Map() }
    roads.set(session, road)
    return road
  }
  return (deviceId: number): Road | undefined => {
    const session = sessions.byDevice(deviceId)
    return session && roadOf(session)
  }
}

/** Of the connected devices those that may not be: retired, or without a valid secret by now. */
const findRevoked = async (db: Db, ids: number[]): Promise<Set<number>> => {
  const rows = await everything(db, 'connected devices are checked again')
    .selectFrom('device')
    .select('id')
    .where('id', '=', sql<number>`any(${ids})`)
    .where('lifecycle', '!=', 'RETIRED')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('deviceCredential')
          .select('deviceCredential.id')
          .whereRef('deviceCredential.deviceId', '=', 'device.id')
          .where((or) => or.or([or('expiresAt', 'is', null), or('expiresAt', '>', sql<Date>`now()`)])),
      ),
    )
    .execute()
  return new Set(ids).difference(new Set(rows.map(({ id }) => id)))
}

const startRecheck = ({ screenDb, log }: Parts, sessions: Sessions, everyMs: number) => {
  const turn = async () => {
    const ids = sessions.ids()
    if (ids.length === 0) return
    for (const id of await findRevoked(screenDb, ids)) {
      const session = sessions.byDevice(id)
      log.warn(`device ${session?.device.sn} may no longer be connected`)
      session?.client.close()
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
      throw new StartRefusal(`TOCSIN_MQTT_TLS needs ${file}, which cannot be read: ${String(error)}`)
    }
  }
  return { cert: await read('mqtt.crt', cert), key: await read('mqtt.key', key) }
}

type Listening = { parts: Parts; broker: Broker; limits: Partial<Limits>; fronts: Front[] }

const listen = async ({ parts, broker, limits, fronts }: Listening) => {
  const { config, log, dataDir } = parts
  const plain = await startFront({ at: config.mqtt, limits, log, accept: broker.accept })
  fronts.push(plain)
  if (!config.mqttTls) return { port: plain.port, tlsPort: undefined }
  const tls = await readTls(config.mqttTls, dataDir)
  const secure = await startFront({ at: config.mqttTls, tls, limits, log, accept: broker.accept })
  fronts.push(secure)
  return { port: plain.port, tlsPort: secure.port }
}

/** Devices connect to this process (DESIGN 3, the default). */
export const startEmbedded = async (parts: Parts, limits: Partial<Limits>): Promise<Embedded> => {
  const { db, screenDb, log, strangers, takeovers, sink, makeUplinkWith } = parts
  const sessions = makeSessions()
  const outbox = startOutbox({ db: screenDb, log, roadTo: makeRoads(sessions), reachable: sessions.reachable })
  const uplink = makeUplinkWith({ onReply: (id, { commandId }) => outbox.answered(id, commandId), onBirth: () => {} })
  let stopping = false
  const senderOf = (session: Session): Sender => ({
    device: session.device,
    via: 'MQTT',
    heardAt: session.heardAt,
    receipt: outbox.receipt,
    // The broker reads no further while messages wait; the event lets it, so that pings are answered (X05).
    onTrouble: () => void session.client.conn.emit('readable'),
    onChild: (child) => {
      if (sessions.bind(child, session)) outbox.wake(child.id)
    },
  })
  const broker = await startBroker({
    log,
    sessions,
    doorkeeper: makeDoorkeeper({ db, log, strangers }),
    // Links that we end ourselves say nothing about devices.
    onUplink: (session, channel, bytes) =>
      stopping && channel === 'state' ? undefined : uplink(senderOf(session), channel, bytes)?.then(() => undefined),
    onOpen: ({ device }) => sink.seen(device),
    onTakeover: ({ device }) => takeovers.happened(device.id),
    onBroken: ({ device, heardAt }) => {
      if (!stopping) sink.linkLost(device.id, { boot: null, heardAt })
    },
    onListening: ({ device }) => outbox.wake(device.id),
  })
  const fronts: Front[] = []
  const stopRecheck = startRecheck(parts, sessions, limits.recheckMs ?? defaultLimits.recheckMs)
  const stop = async () => {
    stopping = true
    await stopRecheck()
    await Promise.all(fronts.map((front) => front.stop()))
    await broker.stop()
    await outbox.stop()
  }
  const works = () => fronts.every((front) => front.listening())
  try {
    return { ...(await listen({ parts, broker, limits, fronts })), outbox, uplink, works, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
