import { isDownChannel, parseUp, parseUsername, type UpChannel } from '@tocsin/protocol/topics'
import { MAX_UP_BYTES } from '@tocsin/protocol/decode'
import { Aedes, type Client, type PublishPacket, type Subscription } from 'aedes'
import type { Socket } from 'node:net'
import type { Log } from '#config'
import { metrics } from '#metrics'
import { faultPoint } from '../../fault-injection.ts'
import { remoteAddress } from '../listener/device-listener.ts'
import type { FrameGuard } from '../listener/frame-guard.ts'
import { asAuthenticateError, isOwnWill, type DeviceAuthenticator } from './device-authenticator.ts'
import { allowedFilters } from './topic-filters.ts'
import { createDeviceSession, type DeviceSession } from './device-session.ts'
import type { SessionRegistry } from './session-registry.ts'

export type BrokerOptions = {
  log: Log
  authenticator: DeviceAuthenticator
  sessions: SessionRegistry
  /** Resolves when the message is kept, which is when its sender may know; undefined: it is not waited for. */
  onUplink: (session: DeviceSession, channel: UpChannel, bytes: Uint8Array) => Promise<void> | undefined
  onOpen: (session: DeviceSession) => void
  /** Whether more may be read from the device now; where not, the broker is told to read when it may. */
  canRead: (session: DeviceSession) => boolean
  /** The connection ended, however it did. */
  onClosed: (session: DeviceSession) => void
  /** Another connection of the same device is about to end this one. */
  onTakeover: (session: DeviceSession) => void
  /** The link broke: the device did not say that it goes. */
  onBroken: (session: DeviceSession) => void
  /** A device listens now: what waits for it can be sent. */
  onListening: (session: DeviceSession) => void
}
export type Broker = { accept: (socket: Socket, frames: FrameGuard) => void; stop: () => Promise<void> }

/** CONNACK, unacceptable protocol version (MQTT 3.1.1 section 3.2.2.3). */
const WRONG_VERSION = Buffer.from([0x20, 2, 0, 1])
const MQTT_3_1_1 = 4
const MOST_FILTERS = 10
/** Topic and packet identifier around a gateway's largest batch. */
const TOPIC_BYTES = 1024

const bytesOf = (payload: PublishPacket['payload']): Uint8Array =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

type Parts = BrokerOptions & { droppedWills: WeakSet<Client>; framesOf: WeakMap<Client, FrameGuard> }

const preConnect =
  ({ droppedWills }: Parts): Aedes['preConnect'] =>
  (client, packet, done) => {
    if (packet.protocolVersion !== MQTT_3_1_1) {
      metrics.refusedLinks.inc({ reason: 'version' })
      client.conn.write(WRONG_VERSION)
      return done(new Error('only MQTT 3.1.1 is spoken'), false)
    }
    // A session that outlives its link would promise what the database keeps instead; the CONNACK says so.
    packet.clean = true
    const address = parseUsername(packet.username ?? '')
    if (packet.will && !(address && isOwnWill(address, packet.will))) {
      delete packet.will
      droppedWills.add(client)
    }
    done(null, true)
  }

const authenticate =
  ({
    droppedWills,
    framesOf,
    authenticator: doorkeeper,
    sessions,
    onTakeover,
    canRead,
    onClosed,
    log,
  }: Parts): Aedes['authenticate'] =>
  (client, username, password, done) => {
    const ip = remoteAddress(client.conn as Socket)
    const decide = async () => {
      const admission = await doorkeeper({ client, username, password, ip })
      if ('refused' in admission) return done(asAuthenticateError(admission.refused), false)
      const { device } = admission
      const before = sessions.byDevice(device.id)
      if (before && before.device.id === device.id) {
        metrics.takeovers.inc()
        onTakeover(before)
        log.warn(`device ${device.sn} at ${ip} takes over from its connection at ${before.ip}`)
      }
      if (droppedWills.has(client)) log.warn(`device ${device.sn} has a will of another form, which was dropped`)
      if (device.kind === 'GATEWAY') framesOf.get(client)?.setMaxPacketBytes(MAX_UP_BYTES + TOPIC_BYTES)
      const session = createDeviceSession(client, device, ip)
      framesOf.get(client)?.setReadGate(() => canRead(session))
      client.conn.once('close', () => onClosed(session))
      sessions.admit(session)
      done(null, true)
    }
    void decide()
  }

const authorizePublish =
  ({ sessions, onUplink, log }: Parts): Aedes['authorizePublish'] =>
  (client, packet, done) => {
    // Nothing is retained: an alarm that rings again on every restart is worse than none (domain 3.2).
    packet.retain = false
    const session = client && sessions.of(client)
    const to = parseUp(packet.topic)
    if (!session || !to || to.sn !== session.device.sn || to.productKey !== session.device.productKey) {
      metrics.uplinks.inc({ channel: 'foreign', outcome: 'refused' })
      log.warn(`${session ? `device ${session.device.sn}` : 'nobody'} published where it may not`)
      return done(new Error('the topic is not its own'))
    }
    const taken = onUplink(session, to.channel, bytesOf(packet.payload))
    session.heardAt = performance.now()
    if (!taken) return done()
    const answer = () => {
      faultPoint('beforePuback')
      done()
      // Its bytes leave when this turn of the process ends.
      setImmediate(faultPoint, 'afterPuback')
    }
    taken.then(answer, (error: unknown) => done(error instanceof Error ? error : new Error(String(error))))
  }

const authorizeSubscribe =
  ({ sessions }: Parts): Aedes['authorizeSubscribe'] =>
  (client, subscription, done) => {
    const session = sessions.of(client)
    if (!session) return done(new Error('not admitted'))
    session.requestedFilters.add(subscription.topic)
    if (session.requestedFilters.size > MOST_FILTERS) return done(new Error('too many subscriptions'))
    done(null, allowedFilters(session.device).includes(subscription.topic) ? subscription : null)
  }

const REFUSED = 128

const follow = (aedes: Aedes, { sessions, framesOf, onListening, onOpen, onBroken, log }: Parts) => {
  aedes.on('client', (client) => {
    const session = sessions.open(client)
    if (session) onOpen(session)
  })
  aedes.on('clientDisconnect', (client) => {
    const session = sessions.close(client)
    if (session && !framesOf.get(client)?.sawDisconnect()) onBroken(session)
  })
  aedes.on('subscribe', (subscriptions: Subscription[], client) => {
    const session = sessions.of(client)
    if (!session) return
    const granted = subscriptions.filter(({ qos }) => Number(qos) !== REFUSED)
    for (const { topic, qos } of granted) session.grantedFilters.set(topic, qos === 0 ? 0 : 1)
    if (granted.length > 0) onListening(session)
  })
  aedes.on('unsubscribe', (topics, client) => {
    for (const topic of topics) sessions.of(client)?.grantedFilters.delete(topic)
  })
  // One of many sockets had trouble: it is closed, which the device notices.
  aedes.on('keepaliveTimeout', () => metrics.refusedLinks.inc({ reason: 'silent' }))
  aedes.on('clientError', () => metrics.refusedLinks.inc({ reason: 'client_error' }))
  aedes.on('connectionError', () => metrics.refusedLinks.inc({ reason: 'connection_error' }))
  aedes.on('error' as 'closed', ((error: unknown) => log.error(`the broker: ${String(error)}`)) as () => void)
}

type Persistence = { outgoingClearMessageId: (client: Client, packet: { messageId: number }) => Promise<undefined> }

/**
 * The embedded broker: devices speak to the server through it and never to each other. It keeps nothing; a publish is
 * acknowledged after `onUplink` resolved, because this broker sends PUBACK right after authorizePublish.
 */
export const startBroker = async (options: BrokerOptions): Promise<Broker> => {
  const parts: Parts = { ...options, droppedWills: new WeakSet(), framesOf: new WeakMap() }
  const { sessions } = options
  const aedes = await Aedes.createBroker({
    preConnect: preConnect(parts),
    authenticate: authenticate(parts),
    authorizePublish: authorizePublish(parts),
    authorizeSubscribe: authorizeSubscribe(parts),
    authorizeForward: (client, packet) => {
      const [, , , sn, direction, channel] = packet.topic.split('/')
      return client.id === sn && direction === 'down' && isDownChannel(channel) ? packet : null
    },
    // The front has its own, shorter.
    connectTimeout: 60_000,
    maxClientsIdLength: 40,
    maxTopicLevels: 12,
    drainTimeout: 20_000,
  })
  // Its types leave the property out. A PUBACK of a clean session shows nowhere else with its number.
  const { persistence } = aedes as unknown as { persistence: Persistence }
  persistence.outgoingClearMessageId = async (client, { messageId }) => {
    sessions.of(client)?.acknowledged(messageId)
    return undefined
  }
  follow(aedes, parts)
  return {
    accept: (socket, frames) => void parts.framesOf.set(aedes.handle(socket), frames),
    stop: () => new Promise((closed) => aedes.close(closed)),
  }
}
