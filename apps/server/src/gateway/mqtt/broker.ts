import { isDownChannel, parseUp, type UpChannel } from '@tocsin/protocol/topics'
import { MAX_UP_BYTES } from '@tocsin/protocol/decode'
import { Aedes, type Client, type PublishPacket, type Subscription } from 'aedes'
import type { Socket } from 'node:net'
import type { Log } from '#config'
import { metrics } from '#metrics'
import { faultPoint } from '../../fault-injection.ts'
import { remoteAddress, WRONG_VERSION } from '../listener/device-listener.ts'
import type { FrameGuard } from '../listener/frame-guard.ts'
import { type ConnectFault, dropInvalidSettings } from './connect-settings.ts'
import { asAuthenticateError, type DeviceAuthenticator } from './device-authenticator.ts'
import { LinkEndedError } from '../uplink/copy-waiters.ts'
import { allowedFilters } from './topic-filters.ts'
import { createDeviceSession, type DeviceSession } from './device-session.ts'
import type { SessionRegistry } from './session-registry.ts'

export type BrokerOptions = {
  log: Log
  authenticator: DeviceAuthenticator
  sessions: SessionRegistry
  /** Resolves when the message is committed, so that the sender may get its PUBACK. Undefined: no commit is needed. */
  onUplink: (session: DeviceSession, channel: UpChannel, bytes: Uint8Array) => Promise<unknown> | undefined
  onOpen: (session: DeviceSession) => void
  /** A device was admitted; these settings of its CONNECT were dropped. */
  onConnectFaults: (session: DeviceSession, faults: readonly ConnectFault[]) => void
  /** Whether more may be read from the device now. Otherwise the broker is told to read as soon as it may. */
  canRead: (session: DeviceSession) => boolean
  /** The connection ended for any reason. */
  onClosed: (session: DeviceSession) => void
  /** Another connection of the same device is about to end this one. */
  onTakeover: (session: DeviceSession) => void
  /** The link broke without a DISCONNECT. */
  onBroken: (session: DeviceSession) => void
  /** The device has subscribed, so its pending messages can be sent. */
  onListening: (session: DeviceSession) => void
}
export type Broker = { accept: (socket: Socket, frames: FrameGuard) => void; stop: () => Promise<void> }

const MQTT_3_1_1 = 4
const MOST_FILTERS = 10
/** Topic and packet identifier around a gateway's largest batch. */
const TOPIC_BYTES = 1024

const bytesOf = (payload: PublishPacket['payload']): Uint8Array =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

type Parts = BrokerOptions & { faultsOf: WeakMap<Client, ConnectFault[]>; framesOf: WeakMap<Client, FrameGuard> }

const preConnect =
  ({ faultsOf }: Parts): Aedes['preConnect'] =>
  (client, packet, done) => {
    if (packet.protocolVersion !== MQTT_3_1_1) {
      metrics.rejectedConnections.inc({ reason: 'version' })
      client.conn.write(WRONG_VERSION)
      return done(new Error('only MQTT 3.1.1 is spoken'), false)
    }
    // The database keeps messages for absent devices, and the broker keeps no session. The CONNACK tells the device.
    packet.clean = true
    faultsOf.set(client, dropInvalidSettings(packet))
    done(null, true)
  }

const authenticate =
  ({
    faultsOf,
    framesOf,
    authenticator,
    sessions,
    onTakeover,
    onConnectFaults,
    canRead,
    onClosed,
    log,
  }: Parts): Aedes['authenticate'] =>
  (client, username, password, done) => {
    const ip = remoteAddress(client.conn as Socket)
    const decide = async () => {
      const admission = await authenticator({ client, username, password, ip })
      if ('refused' in admission) return done(asAuthenticateError(admission.refused), false)
      const { device, credentialId } = admission
      const before = sessions.byDevice(device.id)
      if (before && before.device.id === device.id) {
        metrics.connectionTakeovers.inc()
        onTakeover(before)
        log.warn(`device ${device.sn} at ${ip} takes over from its connection at ${before.ip}`)
      }
      if (device.kind === 'GATEWAY') framesOf.get(client)?.setMaxPacketBytes(MAX_UP_BYTES + TOPIC_BYTES)
      const session = createDeviceSession(client, { device, credentialId }, ip)
      framesOf.get(client)?.setReadGate(() => canRead(session))
      client.conn.once('close', () => onClosed(session))
      sessions.admit(session)
      onConnectFaults(session, faultsOf.get(client) ?? [])
      done(null, true)
    }
    void decide()
  }

const authorizePublish =
  ({ sessions, onUplink, log }: Parts): Aedes['authorizePublish'] =>
  (client, packet, done) => {
    // The broker retains no message: a retained alarm would ring again after every restart (domain 3.2).
    packet.retain = false
    const session = client && sessions.of(client)
    const to = parseUp(packet.topic)
    if (!session || !to || to.sn !== session.device.sn || to.productKey !== session.device.productKey) {
      metrics.deviceMessages.inc({ channel: 'unknown', outcome: 'rejected' })
      log.warn(
        `${session ? `device ${session.device.sn}` : 'an unknown client'} published to a topic that is not its own`,
      )
      return done(new Error('the topic is not its own'))
    }
    const taken = onUplink(session, to.channel, bytesOf(packet.payload))
    session.heardAt = performance.now()
    if (!taken) return done()
    const answer = () => {
      // The link ended meanwhile. The broker would count the answer as an error of the link.
      if (client.closed) return
      // MQTT 3.1.1, 2.3.1 requires an identifier: a PUBACK without one could not be written.
      if (packet.qos > 0 && !packet.messageId) return client.close()
      faultPoint('beforePuback')
      done()
      // The PUBACK is written at the end of this turn of the event loop.
      setImmediate(faultPoint, 'afterPuback')
    }
    taken.then(answer, (error: unknown) => {
      // The link ended, so there is no one to answer.
      if (error instanceof LinkEndedError) return
      done(error instanceof Error ? error : new Error(String(error)))
    })
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
  // An error of one socket closes it. The device notices and reconnects.
  aedes.on('keepaliveTimeout', () => metrics.rejectedConnections.inc({ reason: 'keepalive_timeout' }))
  aedes.on('clientError', () => metrics.rejectedConnections.inc({ reason: 'client_error' }))
  aedes.on('connectionError', () => metrics.rejectedConnections.inc({ reason: 'connection_error' }))
  aedes.on('error' as 'closed', ((error: unknown) => log.error(`the broker: ${String(error)}`)) as () => void)
}

type Persistence = { outgoingClearMessageId: (client: Client, packet: { messageId: number }) => Promise<undefined> }

/**
 * Starts the embedded broker. Devices exchange messages with the server only, never with each other. The broker stores
 * nothing. It sends the PUBACK right after authorizePublish, so a publish is acknowledged when `onUplink` has resolved.
 */
export const startBroker = async (options: BrokerOptions): Promise<Broker> => {
  const parts: Parts = { ...options, faultsOf: new WeakMap(), framesOf: new WeakMap() }
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
    // The listener has its own limit, which is shorter.
    connectTimeout: 60_000,
    maxClientsIdLength: 40,
    maxTopicLevels: 12,
    drainTimeout: 20_000,
  })
  // The types omit this property. It is the only place that shows the message id of a PUBACK in a clean session.
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
