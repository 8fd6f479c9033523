import type { EventType } from '@tocsin/contract/live'
import type { FastifyInstance } from 'fastify'
import type { Config, Log } from '#config'
import type { Db } from '#db/db'
import { deriveKey } from '#db/master-key'
import { enableFaultInjection } from '../fault-injection.ts'
import type { StorageStatus } from '#db/storage/storage-status'
import type { ListenerLimits } from './listener/device-listener.ts'
import { createCommandPolling } from './http/command-polling.ts'
import { mountBrokerAuth } from './http/broker-auth.ts'
import { mountDeviceApi } from './http/device-api.ts'
import { mountExchangeApi } from './http/exchange-api.ts'
import { createRequestVerifier } from './http/signed-request.ts'
import { createDeviceMessageStore } from './device-message-store.ts'
import { createDroppedMessageCounter, createTakeoverCounter } from './liveness/anomaly-counters.ts'
import { createConnectFaultReport } from './liveness/connect-fault-report.ts'
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
import { limitHeapGrowth } from './uplink/heap-growth.ts'
import { limitPending } from './uplink/count-pending.ts'
import { createRetryQueue } from './uplink/retry-queue.ts'
import { createUplinkHandler, type UplinkHandler } from './uplink/uplink.ts'

/** The part of the event hub that the gateway uses. */
export type HubEvents = {
  onEvent: (type: EventType, call: (event: { ref: number | null }) => void) => () => void
  onReconnect: (call: () => void) => () => void
}

export type GatewayOptions = {
  /** The pool of the alarm intake. Only authentication uses it besides, with one query at a time. */
  db: Db
  screenDb: Db
  config: Pick<Config, 'mqtt' | 'mqttTls' | 'mqttUrl' | 'faultAt'>
  hub: HubEvents
  log: Log
  /** Not listening yet, so that the device API can be mounted. */
  app: FastifyInstance
  database: { masterKey: Buffer; dataDir: string }
  limits?: Partial<ListenerLimits>
  /** See Gateway.isProgressing; default 30,000. */
  stillMs?: number
  /** Is notified of alarms that cannot be committed. */
  storage?: StorageStatus
  /** How much may wait for the database. */
  budget?: Partial<BudgetLimits>
}

export type Gateway = {
  /** Port of the embedded broker; undefined with an external one. */
  port: number | undefined
  /** Port of its TLS listener; undefined when none is configured. */
  tlsPort: number | undefined
  /** Whether devices can reach this node. */
  isHealthy: () => boolean
  /** Why devices cannot reach this node, with an external broker. */
  problem: () => string | undefined
  /** False when a message has waited for `stillMs` and nothing was committed meanwhile. */
  isProgressing: () => boolean
  /** False when the room for pending messages is nearly used up. */
  hasRoom: () => boolean
  stop: () => Promise<void>
}

type DeviceTransport = Pick<Gateway, 'port' | 'tlsPort' | 'isHealthy' | 'problem' | 'stop'> & {
  uplink: UplinkHandler
  outbox: Outbox
}

const subscribeToHub = (hub: HubEvents, outbox: Outbox, polling: { wake: (deviceId: number) => void }) => {
  const ends = [
    hub.onEvent('device.outbox', ({ ref }) => {
      if (ref === null) return
      outbox.wake(ref)
      polling.wake(ref)
    }),
    // With an external broker, messages to an absent device wait until its status changes.
    hub.onEvent('device.status', ({ ref }) => {
      if (ref !== null) outbox.wake(ref)
    }),
    hub.onReconnect(outbox.wakeAll),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** The bearer of the broker, or the password of the server on the broker. Derived, so that it is stored nowhere. */
export const deriveBrokerSecret = (masterKey: Buffer, purpose: 'broker-token' | 'broker-password'): string =>
  deriveKey(masterKey, purpose).toString('base64url')

const mountHttp = async (options: GatewayOptions, parts: GatewayDeps, uplink: UplinkHandler) => {
  const { app, db, screenDb, database } = options
  const { log, refusedDevices } = parts
  const { masterKey } = database
  const prove = createRequestVerifier({ db, screenDb, key: deriveKey(masterKey, 'device-http-key'), refusedDevices })
  const polling = createCommandPolling({ db: screenDb, prove })
  await mountDeviceApi(app, { db: screenDb, uplink, prove, log }, (scope) => {
    polling.mount(scope)
    // Only an external broker calls these.
    if (options.config.mqttUrl === undefined) return
    mountBrokerAuth(scope, {
      authenticator: createDeviceAuthenticator({ db, screenDb, log, refusedDevices }),
      token: deriveBrokerSecret(masterKey, 'broker-token'),
      password: deriveBrokerSecret(masterKey, 'broker-password'),
    })
  })
  await mountExchangeApi(app, { db: screenDb, settingKey: deriveKey(masterKey, 'setting'), log })
  return polling
}

/** Device trouble that the server finds and the device does not report. */
const createAnomalyReports = (options: { db: Db; log: Log }) => ({
  gaps: createSequenceGapDetector(options),
  droppedMessages: createDroppedMessageCounter(options),
  takeovers: createTakeoverCounter(options),
  connectFaults: createConnectFaultReport(options),
})

/** From this number of pending alarms on, other work waits. */
const BUSY_PENDING_COUNT = 20

/** Starts everything that devices need: a transport, the HTTP fallback and liveness. */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { db, screenDb, config, hub, database } = options
  enableFaultInjection(config.faultAt)
  const log = throttleLog(options.log)
  const budget = createPendingBudget({ ...defaultBudgetLimits, ...options.budget }, limitHeapGrowth)
  const retryQueue = createRetryQueue({ log, stillMs: options.stillMs, storage: options.storage })
  const busy = () => retryQueue.pendingCount() > BUSY_PENDING_COUNT
  const watch = startLivenessMonitor({ db: screenDb, log, presence: createNodePresence(screenDb), busy })
  const sink = createActivityBuffer({ db: screenDb, log, onReturn: watch.reevaluate })
  const { gaps, droppedMessages, takeovers, connectFaults } = createAnomalyReports({ db: screenDb, log })
  const storeMessage = createDeviceMessageStore({ db: screenDb, retryQueue, droppedMessages })
  const refusedDevices = createRefusedDeviceLog({ db: screenDb, log })
  const makeUplinkWith: GatewayDeps['createUplinkWith'] = (ends) =>
    createUplinkHandler({ db, retryQueue, sink, gaps, droppedMessages, storeMessage, log, ...ends })
  const parts: GatewayDeps = {
    db,
    screenDb,
    log,
    config,
    dataDir: database.dataDir,
    refusedDevices,
    takeovers,
    connectFaults,
    retryQueue,
    budget,
    sink,
    createUplinkWith: makeUplinkWith,
  }
  const stops: (() => Promise<unknown> | void)[] = [
    retryQueue.stop,
    gaps.stop,
    droppedMessages.stop,
    takeovers.stop,
    connectFaults.stop,
    refusedDevices.stop,
    sink.stop,
    watch.stop,
  ]
  const stop = async () => {
    for (const end of stops.splice(0)) await end()
  }
  try {
    const reach = await startTransport(parts, options.limits ?? {})
    stops.unshift(reach.stop)
    const polling = await mountHttp(options, parts, limitPending(reach.uplink, budget))
    stops.unshift(subscribeToHub(hub, reach.outbox, polling), polling.stop)
    return {
      port: reach.port,
      tlsPort: reach.tlsPort,
      isHealthy: reach.isHealthy,
      problem: reach.problem,
      isProgressing: retryQueue.isProgressing,
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
    // The MQTT client is needed only here, so other starts do not load its modules.
    const { startExternalTransport: startExternal } = await import('./external/external-transport.ts')
    return { ...(await startExternal(parts, mqttUrl)), port: undefined, tlsPort: undefined }
  }
  return { ...(await startEmbeddedTransport(parts, limits)), problem: () => undefined }
}
