import type { EventType } from '@tocsin/contract/live'
import type { FastifyInstance } from 'fastify'
import type { Config, Log } from '#config'
import type { Db } from '#db/db'
import { deriveKey } from '#db/master-key'
import { armFault } from '../fault.ts'
import type { Limits } from './front/front.ts'
import { makeCommandDesk } from './http/commands.ts'
import { mountBrokerAuth } from './http/broker-auth.ts'
import { mountDeviceApi } from './http/device-api.ts'
import { makeProve } from './http/signed.ts'
import { makeKeep } from './kept.ts'
import { makeFloods, makeTakeovers } from './liveness/floods.ts'
import { makeGaps } from './liveness/gaps.ts'
import { makePresence } from './liveness/presence.ts'
import { makeSink } from './liveness/sink.ts'
import { startWatch } from './liveness/watch.ts'
import { makeDoorkeeper } from './mqtt/admit.ts'
import { startEmbedded } from './mqtt/embedded.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Parts } from './parts.ts'
import { sparing } from './sparing.ts'
import { makeStrangers } from './strangers.ts'
import { makeHold } from './uplink/hold.ts'
import { makeUplink, type Uplink } from './uplink/uplink.ts'

/** What the gateway needs of the event hub. */
export type Ear = {
  onEvent: (type: EventType, call: (event: { ref: number | null }) => void) => () => void
  onBack: (call: () => void) => () => void
}

export type GatewayOptions = {
  /** The pool of alarms: nothing else may wait in it, but for one query at a time that asks who devices are. */
  db: Db
  screenDb: Db
  config: Pick<Config, 'mqtt' | 'mqttTls' | 'mqttUrl' | 'faultAt'>
  hub: Ear
  log: Log
  /** Not listening yet: the calls of devices are added to it. */
  app: FastifyInstance
  database: { masterKey: Buffer; dataDir: string }
  limits?: Partial<Limits>
  /** See Gateway.moves; 30,000 unless told. */
  stillMs?: number
}

export type Gateway = {
  /** Of the embedded broker; undefined with an external one. */
  port: number | undefined
  /** Of its TLS listener, where one is configured. */
  tlsPort: number | undefined
  /** Whether devices can reach this node. */
  works: () => boolean
  /** Whether what they say is committed: false when something waits `stillMs` and nothing was committed meanwhile. */
  moves: () => boolean
  stop: () => Promise<void>
}

type Reach = Pick<Gateway, 'port' | 'tlsPort' | 'works' | 'stop'> & { uplink: Uplink; outbox: Outbox }

const follow = (hub: Ear, outbox: Outbox, desk: { wake: (deviceId: number) => void }) => {
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
    hub.onBack(outbox.wakeAll),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** A bearer between the broker and us, or the password of our account on it: derived, so that nobody keeps it. */
export const brokerSecret = (masterKey: Buffer, purpose: 'broker-token' | 'broker-password'): string =>
  deriveKey(masterKey, purpose).toString('base64url')

const mountHttp = async ({ app, db, screenDb, database }: GatewayOptions, parts: Parts, uplink: Uplink) => {
  const { log, strangers } = parts
  const { masterKey } = database
  const prove = makeProve({ db, key: deriveKey(masterKey, 'device-http-key'), strangers })
  const desk = makeCommandDesk({ db: screenDb, prove })
  await mountDeviceApi(app, { uplink, prove, log }, (scope) => {
    desk.mount(scope)
    mountBrokerAuth(scope, {
      doorkeeper: makeDoorkeeper({ db, log, strangers }),
      token: brokerSecret(masterKey, 'broker-token'),
      password: brokerSecret(masterKey, 'broker-password'),
    })
  })
  return desk
}

/** Alarms under way at the same time from which on all else waits. */
const MANY_HELD = 20

/** Lets devices in: broker or external broker, HTTP fallback, liveness. */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { db, screenDb, config, hub, database } = options
  armFault(config.faultAt)
  const log = sparing(options.log)
  const hold = makeHold({ log, stillMs: options.stillMs })
  const busy = () => hold.held() > MANY_HELD
  const watch = startWatch({ db: screenDb, log, presence: makePresence(screenDb), busy })
  const sink = makeSink({ db: screenDb, log, onReturn: watch.look })
  const gaps = makeGaps({ db: screenDb, log })
  const floods = makeFloods({ db: screenDb, log })
  const takeovers = makeTakeovers({ db: screenDb, log })
  const keep = makeKeep({ db: screenDb, hold, floods })
  const strangers = makeStrangers({ db: screenDb, log })
  const makeUplinkWith: Parts['makeUplinkWith'] = (ends) =>
    makeUplink({ db, hold, sink, gaps, floods, keep, log, ...ends })
  const parts: Parts = {
    db,
    screenDb,
    log,
    config,
    dataDir: database.dataDir,
    strangers,
    takeovers,
    hold,
    sink,
    makeUplinkWith,
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
    const reach = await startReach(parts, options.limits ?? {})
    stops.unshift(reach.stop)
    const desk = await mountHttp(options, parts, reach.uplink)
    stops.unshift(follow(hub, reach.outbox, desk), desk.stop)
    return { port: reach.port, tlsPort: reach.tlsPort, works: reach.works, moves: hold.moves, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const startReach = async (parts: Parts, limits: Partial<Limits>): Promise<Reach> => {
  const { mqttUrl } = parts.config
  if (mqttUrl !== undefined) {
    // Only here is a client of MQTT needed: no other start reads its modules.
    const { startExternal } = await import('./external/external.ts')
    return { ...(await startExternal(parts, mqttUrl)), port: undefined, tlsPort: undefined }
  }
  return startEmbedded(parts, limits)
}
