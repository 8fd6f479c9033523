import { zone } from '@tocsin/contract/clock'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type pg from 'pg'
import { jobHandlers } from './areas/jobs.ts'
import { reactions } from './areas/reactions.ts'
import { startFiles } from './areas/system/file/start.ts'
import { regionsOf } from './areas/system/log/region.ts'
import { startActivation } from './areas/system/code/activation.ts'
import type { Log } from './config.ts'
import { openDb, openPool } from './db/db.ts'
import { startConsumer } from './jobs/consume.ts'
import { startQueue } from './jobs/queue.ts'
import { type Said, STOP } from './jobs/thread.ts'
import { passingFolder } from './store/passing.ts'

/** What the process hands over; a thread shares nothing else with it. */
export type WorkerData = {
  connection: pg.ClientConfig
  timeZone: string
  dataDir: string
  s3Url: string | undefined
  masterKey: Uint8Array
  /** Lines that say where addresses lie, as `regionsOf` takes them. */
  regions: string
}

/** Behind the thread that takes alarms: Linux gives each thread a priority of its own. */
const NICE = 10
/** Two jobs, each with a snapshot and a transaction, and the queue. */
const CONNECTIONS = 5
const SECONDS = 120

const say = (level: Said['level']) => (text: unknown) => parentPort?.postMessage({ level, text: String(text) })

const start = async () => {
  setPriority(NICE)
  // The thread is started with exactly this.
  const { connection, timeZone, dataDir, s3Url, masterKey, regions } = workerData as WorkerData
  const key = Buffer.from(masterKey)
  const log: Log = { info: say('info'), warn: say('warn'), error: say('error') }
  zone.name = timeZone
  startFiles({ s3Url, dataDir, masterKey: key })
  passingFolder(dataDir, 'sheets')
  startActivation(key)
  for (const register of reactions) register()
  const pool = openPool({ ...connection, max: CONNECTIONS, application_name: 'tocsin worker' }, SECONDS)
  const db = openDb(pool)
  const queue = await startQueue(db, log)
  const consumer = await startConsumer({ db, handlers: jobHandlers({ regionOf: regionsOf(regions) }), log })
  parentPort?.on('message', async (message) => {
    if (message !== STOP) return
    await consumer.stop()
    await queue.stop()
    await pool.end()
    parentPort?.close()
  })
}

await start()
