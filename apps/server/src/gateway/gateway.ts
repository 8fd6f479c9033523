import type { EventType } from '@tocsin/contract/live'
import type { FastifyInstance } from 'fastify'
import type { Config, Log } from '#config'
import type { Db } from '#db/db'
import { deriveKey } from '#db/master-key'
import { enableFaultInjection } from '../fault-injection.ts'
import type { ListenerLimits } from './listener/device-listener.ts'
import { createCommandPolling } from './http/command-polling.ts'
import { mountBrokerAuth } from './http/broker-auth.ts'
import { mountDeviceApi } from './http/device-api.ts'
import { createRequestVerifier } from './http/signed-request.ts'
import { createDeviceMessageStore } from './device-message-store.ts'
import { createDroppedMessageCounter, createTakeoverCounter } from './liveness/anomaly-counters.ts'
import { createSequenceGapDetector } from './liveness/sequence-gaps.ts'
import { createNodePresence } from './liveness/node-presence.ts'
import { createActivityBuffer } from './liveness/activity-buffer.ts'
import { startLivenessMonitor } from './liveness/liveness-monitor.ts'
import { createDeviceAuthenticator } from './mqtt/device-authenticator.ts'
import { startEmbeddedTransport } from './mqtt/embedded-transport.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { GatewayDeps } from './deps.ts'
import { throttleLog } from './throttled-log.ts'
import { createRefusedDeviceLog } from './refused-devices.ts'
import { createPendingBudget, defaultBudgetLimits, type BudgetLimits } from './uplink/pending-budget.ts'
import { limitPending } from './uplink/count-pending.ts'
import { createRetryQueue } from './uplink/retry-queue.ts'
import { createUplinkHandler, type UplinkHandler } from './uplink/uplink.ts'

/** What the gateway needs of the event hub. */
export type HubEvents = {
  onEvent: (type: EventType, call: (event: { ref: number | null }) => void) => () => void
  onReconnect: (call: () => void) => () => void
}

export type GatewayOptions = {
  /** The pool of alarms: nothing else may wait in it, but for one query at a time that asks who devices are. */
  db: Db
  screenDb: Db
  config: Pick<Config, 'mqtt' | 'mqttTls' | 'mqttUrl' | 'faultAt'>
  hub: HubEvents
  log: Log
  /** Not listening yet: the calls of devices are added to it. */
  app: FastifyInstance
  database: { masterKey: Buffer; dataDir: string }
  limits?: Partial<ListenerLimits>
  /** See Gateway.moves; 30,000 unless told. */
  stillMs?: number
  /** How much may wait for the database. */
  budget?: Partial<BudgetLimits>
}

export type Gateway = {
  /** Of the embedded broker; undefined with an external one. */
  port: number | undefined
  /** Of its TLS listener, where one is configured. */
  tlsPort: number | undefined
  /** Whether devices can reach this node. */
  isHealthy: () => boolean
  /** Whether what they say is committed: false when something waits `stillMs` and nothing was committed meanwhile. */
  isProgressing: () => boolean
  /** False when the room for pending messages is nearly used up. */
  hasRoom: () => boolean
  stop: () => Promise<void>
}

type DeviceTransport = Pick<Gateway, 'port' | 'tlsPort' | 'isHealthy' | 'stop'> & {
  uplink: UplinkHandler
  outbox: Outbox
}

const follow = (hub: HubEvents, outbox: Outbox, desk: { wake: (deviceId: number) => void }) => {
  const ends = [
    hub.onEvent('device.outbox', ({ ref }) => {
      if (ref === null) return
      outbox.wake(ref)
      desk.wake(ref)
    }),
    // Behind a broker, what is meant for an absent device waits until it is heard of.
    hub.onEvent('device.status', ({ ref }) => {
      if (ref !== null) outbox.wake(ref)
    }),
    hub.onReconnect(outbox.wakeAll),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** A bearer between the broker and us, or the password of our account on it: derived, so that nobody keeps it. */
export const deriveBrokerSecret = (masterKey: Buffer, purpose: 'broker-token' | 'broker-password'): string =>
  deriveKey(masterKey, purpose).toString('base64url')

const mountHttp = async (
  { app, db, screenDb, database }: GatewayOptions,
  parts: GatewayDeps,
  uplink: UplinkHandler,
) => {
  const { log, strangers } = parts
  const { masterKey } = database
  const prove = createRequestVerifier({ db, key: deriveKey(masterKey, 'device-http-key'), strangers })
  const desk = createCommandPolling({ db: screenDb, prove })
  await mountDeviceApi(app, { uplink, prove, log }, (scope) => {
    desk.mount(scope)
    mountBrokerAuth(scope, {
      authenticator: createDeviceAuthenticator({ db, log, strangers }),
      token: deriveBrokerSecret(masterKey, 'broker-token'),
      password: deriveBrokerSecret(masterKey, 'broker-password'),
    })
  })
  return desk
}

/** Alarms under way at the same time from which on all else waits. */
const BUSY_PENDING_COUNT = 20

/** Lets devices in: broker or external broker, HTTP fallback, liveness. */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { db, screenDb, config, hub, database } = options
  enableFaultInjection(config.faultAt)
  const log = throttleLog(options.log)
  const budget = createPendingBudget({ ...defaultBudgetLimits, ...options.budget })
  const hold = createRetryQueue({ log, stillMs: options.stillMs })
  const busy = () => hold.pendingCount() > BUSY_PENDING_COUNT
  const watch = startLivenessMonitor({ db: screenDb, log, presence: createNodePresence(screenDb), busy })
  const sink = createActivityBuffer({ db: screenDb, log, onReturn: watch.reevaluate })
  const gaps = createSequenceGapDetector({ db: screenDb, log })
  const floods = createDroppedMessageCounter({ db: screenDb, log })
  const takeovers = createTakeoverCounter({ db: screenDb, log })
  const keep = createDeviceMessageStore({ db: screenDb, hold, floods })
  const strangers = createRefusedDeviceLog({ db: screenDb, log })
  const makeUplinkWith: GatewayDeps['createUplinkWith'] = (ends) =>
    createUplinkHandler({ db, hold, sink, gaps, floods, keep, log, ...ends })
  const parts: GatewayDeps = {
    db,
    screenDb,
    log,
    config,
    dataDir: database.dataDir,
    strangers,
    takeovers,
    hold,
    budget,
    sink,
    createUplinkWith: makeUplinkWith,
  }
  const stops: (() => Promise<unknown> | void)[] = [
    hold.stop,
    gaps.stop,
    floods.stop,
    takeovers.stop,
    strangers.stop,
    sink.stop,
    watch.stop,
  ]
  const stop = async () => {
    for (const end of stops.splice(0)) await end()
  }
  try {
    const reach = await startTransport(parts, options.limits ?? {})
    stops.unshift(reach.stop)
    const desk = await mountHttp(options, parts, limitPending(reach.uplink, budget))
    stops.unshift(follow(hub, reach.outbox, desk), desk.stop)
    return {
      port: reach.port,
      tlsPort: reach.tlsPort,
      isHealthy: reach.isHealthy,
      isProgressing: hold.isProgressing,
      hasRoom: budget.hasRoom,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const startTransport = async (parts: GatewayDeps, limits: Partial<ListenerLimits>): Promise<DeviceTransport> => {
  const { mqttUrl } = parts.config
  if (mqttUrl !== undefined) {
    // Only here is a client of MQTT needed: no other start reads its modules.
    const { startExternalTransport: startExternal } = await import('./external/external-transport.ts')
    return { ...(await startExternal(parts, mqttUrl)), port: undefined, tlsPort: undefined }
  }
  return startEmbeddedTransport(parts, limits)
}
