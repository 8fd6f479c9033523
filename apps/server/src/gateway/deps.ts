import type { Config, Log } from '#config'
import type { Db } from '#db/db'
import type { TakeoverCounter } from './liveness/anomaly-counters.ts'
import type { ConnectFaultReport } from './liveness/connect-fault-report.ts'
import type { ActivityBuffer } from './liveness/activity-buffer.ts'
import type { RefusedDeviceLog } from './refused-devices.ts'
import type { PendingBudget } from './uplink/pending-budget.ts'
import type { RetryQueue } from './uplink/retry-queue.ts'
import type { UplinkHandler, UplinkDeps } from './uplink/uplink.ts'

/** Shared dependencies of both transports. */
export type GatewayDeps = {
  db: Db
  screenDb: Db
  log: Log
  config: Pick<Config, 'mqtt' | 'mqttTls' | 'mqttUrl'>
  dataDir: string
  refusedDevices: RefusedDeviceLog
  takeovers: TakeoverCounter
  connectFaults: ConnectFaultReport
  retryQueue: RetryQueue
  budget: PendingBudget
  sink: ActivityBuffer
  createUplinkWith: (ends: Pick<UplinkDeps, 'onReply' | 'onBirth' | 'onUnreadable'>) => UplinkHandler
}
