import type { Config, Log } from '#config'
import type { Db } from '#db/db'
import type { Takeovers } from './liveness/floods.ts'
import type { Sink } from './liveness/sink.ts'
import type { Strangers } from './strangers.ts'
import type { Hold } from './uplink/hold.ts'
import type { Uplink, UplinkParts } from './uplink/uplink.ts'

/** What both ways of reaching devices stand on. */
export type Parts = {
  db: Db
  screenDb: Db
  log: Log
  config: Pick<Config, 'mqtt' | 'mqttTls' | 'mqttUrl'>
  dataDir: string
  strangers: Strangers
  takeovers: Takeovers
  hold: Hold
  sink: Sink
  makeUplinkWith: (ends: Pick<UplinkParts, 'onReply' | 'onBirth'>) => Uplink
}
