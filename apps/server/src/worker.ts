import { zone } from '@tocsin/contract/time-zone'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type pg from 'pg'
import { jobHandlers } from './areas/jobs.ts'
import { transactionHooks } from './areas/transaction-hooks.ts'
import { initFileStore } from './areas/files/init-file-store.ts'
import { parseRegionTable } from './areas/audit/log/region.ts'
import { startActivation } from './areas/access/sign-in/verification-code/activation.ts'
import type { Log } from './config.ts'
import { openDb, openPool } from './db/db.ts'
import { registerHooks } from './db/transaction-hook.ts'
import { startJobConsumer } from './jobs/consume.ts'
import { startQueue } from './jobs/queue.ts'
import { type WorkerMessage, STOP } from './jobs/thread.ts'
import { tempFolder } from './store/temp-folder.ts'

/** What the process passes to the thread; they share nothing else. */
export type WorkerData = {
  connection: pg.ClientConfig
  timeZone: string
  dataDir: string
  s3Url: string | undefined
  masterKey: Uint8Array
  /** Region lines as `parseRegionTable` accepts them. */
  regions: string
  /** The address of the console, for links in mails. */
  origin: string | undefined
}

/** A lower priority than the thread that ingests alarms: Linux gives each thread its own. */
const NICE = 10
/** Connections: two jobs with a snapshot and a transaction each, and the queue. */
const CONNECTIONS = 5
const SECONDS = 120

const say = (level: WorkerMessage['level']) => (text: unknown) => parentPort?.postMessage({ level, text: String(text) })

const start = async () => {
  setPriority(NICE)
  // `startQueue` passes exactly this type.
  const { connection, timeZone, dataDir, s3Url, masterKey, regions, origin } = workerData as WorkerData
  const key = Buffer.from(masterKey)
  const log: Log = { info: say('info'), warn: say('warn'), error: say('error') }
  zone.name = timeZone
  initFileStore({ s3Url, dataDir, masterKey: key })
  tempFolder(dataDir, 'sheets')
  startActivation(key)
  registerHooks(transactionHooks)
  const pool = openPool({ ...connection, max: CONNECTIONS, application_name: 'tocsin worker' }, SECONDS)
  const db = openDb(pool)
  const queue = await startQueue(db, log)
  const handlers = jobHandlers({ regionOf: parseRegionTable(regions), origin })
  const consumer = await startJobConsumer({ db, handlers, log })
  parentPort?.on('message', async (message) => {
    if (message !== STOP) return
    await consumer.stop()
    await queue.stop()
    await pool.end()
    parentPort?.close()
  })
}

await start()
