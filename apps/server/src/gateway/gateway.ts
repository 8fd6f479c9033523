import type { EventType } from '@tocsin/contract/live'
import type { FastifyInstance } from 'fastify'
import type { Config, Log } from '#config'
import type { Db } from '#db/db'
import { armFault } from '../fault.ts'
import type { Limits } from './front/front.ts'
import { makeGaps } from './liveness/gaps.ts'
import { makePresence } from './liveness/presence.ts'
import { makeSink } from './liveness/sink.ts'
import { startWatch } from './liveness/watch.ts'
import { startEmbedded } from './mqtt/embedded.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Parts } from './parts.ts'
import { sparing } from './sparing.ts'
import { makeStrangers } from './strangers.ts'
import { makeHold } from './uplink/hold.ts'
import { makeUplink } from './uplink/uplink.ts'

/** What the gateway needs of the event hub. */
export type Ear = {
  onEvent: (type: EventType, call: (event: { ref: number | null }) => void) => () => void
  onBack: (call: () => void) => () => void
}

export type GatewayOptions = {
  /** The pool of alarms: nothing else may wait in it. */
  db: Db
  screenDb: Db
  config: Pick<Config, 'mqtt' | 'mqttTls' | 'mqttUrl' | 'faultAt'>
  hub: Ear
  log: Log
  /** Not listening yet: the calls of devices are added to it. */
  app: FastifyInstance
  database: { masterKey: Buffer; dataDir: string }
  limits?: Partial<Limits>
}

export type Gateway = {
  /** Of the embedded broker; undefined with an external one. */
  port: number | undefined
  /** Whether devices can reach this node. */
  works: () => boolean
  stop: () => Promise<void>
}

type Reach = { port: number | undefined; outbox: Outbox; works: () => boolean; stop: () => Promise<void> }

const follow = (hub: Ear, outbox: Outbox) => {
  const ends = [
    hub.onEvent('device.outbox', ({ ref }) => {
      if (ref !== null) outbox.wake(ref)
    }),
    hub.onBack(outbox.wakeAll),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Lets devices in: broker or external broker, HTTP fallback, liveness. */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { db, screenDb, config, hub, database } = options
  armFault(config.faultAt)
  const log = sparing(options.log)
  const watch = startWatch({ db: screenDb, log, presence: makePresence(screenDb) })
  const sink = makeSink({ db: screenDb, log, onReturn: watch.look })
  const gaps = makeGaps({ db: screenDb, log })
  const hold = makeHold({ log })
  const strangers = makeStrangers({ db: screenDb, log })
  const makeUplinkWith: Parts['makeUplinkWith'] = (ends) => makeUplink({ db, hold, sink, gaps, log, ...ends })
  const parts: Parts = { db, screenDb, log, config, dataDir: database.dataDir, strangers, hold, sink, makeUplinkWith }
  const stopParts = async () => {
    hold.stop()
    gaps.stop()
    await strangers.stop()
    await sink.stop()
    await watch.stop()
  }
  try {
    const reach = await startReach(parts, options.limits ?? {})
    const unfollow = follow(hub, reach.outbox)
    const stop = async () => {
      unfollow()
      await reach.stop()
      await stopParts()
    }
    return { port: reach.port, works: reach.works, stop }
  } catch (error) {
    await stopParts()
    throw error
  }
}

const startReach = async (parts: Parts, limits: Partial<Limits>): Promise<Reach> => {
  const embedded = await startEmbedded(parts, limits)
  return { ...embedded, works: () => true }
}
