import { zone } from '@tocsin/contract/time-zone'
import release from '../package.json' with { type: 'json' }
import { sql } from 'kysely'
import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { invalidateRuleCache } from './areas/alarm/intake/evaluate-rules.ts'
import { countOpen, recordDisplayed, renewLeases } from './areas/alarm/record/lease.ts'
import { allRoutes, rateLimitExempt, seedAll, sweepHandlers, timerHandlers } from './areas/index.ts'
import { transactionHooks } from './areas/transaction-hooks.ts'
import { createDenialAudit } from './areas/audit/denial-audit.ts'
import { initFileStore } from './areas/files/init-file-store.ts'
import { getSetting, invalidateSettings } from './settings/settings-cache.ts'
import { authKeys } from './areas/access/sign-in/deps.ts'
import { restrictedSessionAllowList } from './areas/access/sign-in/routes.ts'
import { parseRegionTable } from './areas/audit/log/region.ts'
import { startSealer } from './areas/audit/log/seal.ts'
import { startActivation } from './areas/access/sign-in/verification-code/activation.ts'
import { listMapHosts } from './areas/insight/map/library.ts'
import { startExchangeSender } from './areas/police/exchange/exchange-sender.ts'
import { startNotifySender } from './areas/notify/sender.ts'
import { startOutbound } from './areas/access/outbound/deliver.ts'
import { repoRoot, type Config, type Log, StartupError } from './config.ts'
import { type Database, openDatabase } from './database.ts'
import { type Db, openDb, openPool } from './db/db.ts'
import { deriveKey } from './db/master-key.ts'
import { type Gateway, startGateway } from './gateway/gateway.ts'
import { startHousekeeping } from './housekeeping.ts'
import { createHttpApp } from './http/app.ts'
import { mountHealthRoutes } from './http/health.ts'
import { mountRoutes } from './http/mount.ts'
import { invalidateSessionCache, authenticateToken } from './http/session-auth.ts'
import { startQueue } from './jobs/queue.ts'
import { startWorkerThread } from './jobs/thread.ts'
import { type Hub, startHub } from './live/hub.ts'
import { startSequencer } from './live/sequencer.ts'
import { mountLiveSocket } from './live/socket.ts'
import { metrics } from './metrics.ts'
import { tempFolder } from './store/temp-folder.ts'
import { serveMetrics } from './metrics-server.ts'
import { readDiskSpace, startDiskMonitor } from './db/storage/disk-space.ts'
import { registerHooks } from './db/transaction-hook.ts'
import { createStorageStatus, type StorageStatus } from './db/storage/storage-status.ts'
import { type Overdue, startOverdueMonitor } from './timer/overdue-monitor.ts'
import { startScheduler, startSweepScheduler } from './timer/scheduler.ts'
import type { WorkerData } from './worker.ts'

export type RunningServer = {
  /** The console's address, like `http://127.0.0.1:8080`. */
  url: string
  /** Port of the embedded broker; undefined with an external one. */
  mqttPort: number | undefined
  dataDir: string
  db: Db
  database: Database
  stop: () => Promise<void>
}

type Stop = () => Promise<unknown> | unknown
/** Parts in the order they were started; stopped in reverse, each even if another one fails. */
const stack = (log: Log) => {
  const stops: { name: string; stop: Stop }[] = []
  const unwind = async () => {
    for (const { name, stop } of stops.splice(0).reverse())
      try {
        await stop()
      } catch (error) {
        log.error(`${name} did not stop cleanly: ${error instanceof Error ? error.message : String(error)}`)
      }
  }
  let unwinding: Promise<void> | undefined
  return {
    push: (name: string, stop: Stop) => void stops.push({ name, stop }),
    /** A second call waits for the same stop. */
    unwind: () => (unwinding ??= unwind()),
  }
}
type Stack = ReturnType<typeof stack>

/** One pool per purpose, so that reports can never starve alarms (DESIGN 3). */
export const poolSizes = { ingest: 4, timers: 2, sweeps: 2, http: 10 } as const

const openPools = (database: Database, stops: Stack) => {
  const open = (name: keyof typeof poolSizes, seconds: number, plansKept = false): Db => {
    const max = poolSizes[name]
    const pool = openPool({ ...database.app, max, keepPlans: plansKept, application_name: `tocsin ${name}` }, seconds)
    stops.push(`pool ${name}`, () => pool.end())
    return openDb(pool)
  }
  return {
    ingest: open('ingest', 10, true),
    timers: open('timers', 10, true),
    sweeps: open('sweeps', 30),
    http: open('http', 5),
  }
}
type Pools = ReturnType<typeof openPools>

const startLive = async (database: Database, log: Log, stops: Stack): Promise<Hub> => {
  const sequencer = startSequencer({ connection: database.app, log })
  stops.push('sequencer', sequencer.stop)
  const hub = await startHub({ connection: database.app, log, invalidateSessionCache: invalidateSessionCache })
  stops.push('hub', hub.stop)
  hub.onEvent('rule.changed', invalidateRuleCache)
  hub.onEvent('config.changed', invalidateSettings)
  return hub
}

const startTimers = ({ pools, log, stops, database: { masterKey } }: Parts) => {
  stops.push('timers', startScheduler({ db: pools.timers, handlers: timerHandlers, log }).stop)
  const sweeps = { db: pools.sweeps, handlers: sweepHandlers, log }
  stops.push('sweeps', startSweepScheduler(sweeps, poolSizes.sweeps).stop)
  const onOverdue = ({ count }: Overdue) => metrics.overdueTimers.set(count)
  stops.push('overdue monitor', startOverdueMonitor({ db: pools.http, log, onOverdue }).stop)
  stops.push('sealer', startSealer({ db: pools.http, log }).stop)
  stops.push('housekeeping', startHousekeeping({ db: pools.http, log, masterKey }).stop)
}

/** Bulk work: queued by calls, run by a thread that alarms do not share. */
const startJobs = async ({ database, pools, log, stops }: Parts) => {
  const queue = await startQueue(pools.http, log)
  stops.push('queue', queue.stop)
  startActivation(database.masterKey)
}

/** The worker loads half as many modules as the server; waiting devices and desks come first. */
const WORKER_AFTER_MS = 2000

const startWorker = ({ config, database, log, stops, regions }: Parts) => {
  const { app: connection, dataDir, masterKey } = database
  const { timeZone, s3Url, origin } = config
  const data: WorkerData = { connection, dataDir, masterKey, timeZone, s3Url, regions, origin }
  const file = new URL('./worker.ts', import.meta.url)
  const thread = startWorkerThread({ file, data, log, afterMs: WORKER_AFTER_MS })
  stops.push('worker', thread.stop)
}

type Parts = {
  config: Config
  database: Database
  pools: Pools
  hub: Hub
  log: Logger
  stops: Stack
  regions: string
  storage: StorageStatus
}

/** Per user (trust 6.9); opening a page takes some twenty calls. */
export const apiRateLimit = { perSecond: 50, atOnce: 100, not: rateLimitExempt }

/** The validated lines of the operator's file. */
const readRegions = (file: string | undefined): string => {
  if (file === undefined) return ''
  try {
    const lines = readFileSync(file, 'utf8')
    parseRegionTable(lines)
    return lines
  } catch (error) {
    throw new StartupError(`TOCSIN_IP_REGION ${file}: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

const startHttp = async ({ config, database, pools, hub, log, stops, regions, storage }: Parts) => {
  const trustProxy = config.trustedProxies.length > 0 ? config.trustedProxies : false
  const dist = join(repoRoot, 'apps/web/dist')
  const built = existsSync(join(dist, 'index.html'))
  if (!built) log.warn('the console is not built (npm run build): only calls are answered')
  const app = await createHttpApp({
    loggerInstance: log,
    trustProxy,
    mapHosts: listMapHosts(config.map),
    ...(built && { dist }),
  })
  stops.push('http', () => app.close())
  const find = authenticateToken(pools.http)
  await mountLiveSocket(app, {
    db: pools.http,
    hub,
    authenticate: find,
    log,
    origin: config.origin,
    storage,
    countOpen: (actor) => countOpen(pools.http, actor),
    onHeartbeat: async ({ actor, renew, shown, sounded }) => {
      await renewLeases(pools.http, actor, renew)
      await recordDisplayed(pools.http, actor, { shown, sounded })
    },
  })
  initFileStore({ s3Url: config.s3Url, dataDir: database.dataDir, masterKey: database.masterKey })
  const uploads = tempFolder(database.dataDir, 'uploads')
  const keys = authKeys((purpose) => deriveKey(database.masterKey, purpose))
  stops.push('messages', startOutbound({ db: pools.http, keys, log }).stop)
  const senderDeps = { db: pools.http, settingKey: keys.setting, log }
  stops.push('deliveries', startNotifySender(senderDeps).stop)
  stops.push('exchange', startExchangeSender(senderDeps).stop)
  const wait = (seconds: number) => pause(seconds * 1000)
  const { testCaptcha, origin: site, demoReadonly, map } = config
  const warn = log.warn.bind(log)
  const regionOf = parseRegionTable(regions)
  const auth = { db: pools.http, keys, testCaptcha, wait, site, version: release.version, warn, regionOf, map }
  mountRoutes(app, allRoutes(auth), {
    authenticate: find,
    exempt: restrictedSessionAllowList,
    uploads,
    hasUploadSpace: async () =>
      (await readDiskSpace(database.dataDir)).freeBytes >=
      Number(await getSetting(pools.http, 'file.min-free-mb')) * 1_048_576,
    demoReadonly,
    rateLimit: apiRateLimit,
    onDenied: createDenialAudit(pools.http),
  })
  return app
}

const startOps = async (config: Config, stops: Stack) => {
  const ops: Server = await serveMetrics(config.ops)
  stops.push('ops', () => new Promise((done) => ops.close(done)))
}

const describeStorage = (since: number | undefined): string | undefined =>
  since === undefined ? undefined : `alarms cannot be stored since ${new Date(since).toISOString()}`

const checks = ({ pools, hub, storage }: Parts, gateway: Gateway) => [
  {
    name: 'database',
    // A write, because a full disk or a standby can still read.
    isHealthy: async () => {
      await sql`update event_head set last_seq = last_seq`.execute(pools.http)
      return true
    },
  },
  { name: 'live', isHealthy: async () => hub.isCurrent() },
  { name: 'broker', isHealthy: async () => gateway.isHealthy(), reason: gateway.problem },
  {
    name: 'storage',
    isHealthy: async () => storage.failingSince() === undefined,
    reason: () => describeStorage(storage.failingSince()),
  },
  { name: 'intake', isHealthy: async () => gateway.isProgressing() },
  { name: 'room', isHealthy: async () => gateway.hasRoom() },
]

/**
 * Starts everything in order; after a failure the started parts are stopped again.
 * @param onAdmin receives the random password of the administrator that was created now, whatever fails afterwards.
 */
export const startServer = async (
  config: Config,
  log: Logger,
  onAdmin: (password: string) => void,
): Promise<RunningServer> => {
  const stops = stack(log)
  zone.name = config.timeZone
  try {
    const database = await openDatabase(config, log)
    stops.push('database', database.stop)
    const pools = openPools(database, stops)
    stops.push('transaction hooks', registerHooks(transactionHooks))
    const adminPassword = await seedAll(pools.http, config.adminPassword)
    if (adminPassword) onAdmin(adminPassword)
    const hub = await startLive(database, log, stops)
    const regions = readRegions(config.ipRegion)
    const storage = createStorageStatus()
    const parts = { config, database, pools, hub, log, stops, regions, storage }
    const disk = await startDiskMonitor({ folder: database.dataDir, log })
    stops.push('disk monitor', disk.stop)
    const app = await startHttp(parts)
    const gateway = await startGateway({
      db: pools.ingest,
      screenDb: pools.http,
      config,
      hub,
      log,
      app,
      database,
      storage,
    })
    stops.push('gateway', gateway.stop)
    mountHealthRoutes(app, checks(parts, gateway))
    startTimers(parts)
    await startJobs(parts)
    await startOps(config, stops)
    const url = await app.listen(config.http)
    startWorker(parts)
    return {
      url,
      mqttPort: gateway.port,
      dataDir: database.dataDir,
      db: pools.http,
      database,
      stop: stops.unwind,
    }
  } catch (error) {
    await stops.unwind()
    throw error
  }
}
