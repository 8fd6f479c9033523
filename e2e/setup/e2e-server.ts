import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { inject } from 'vitest'
import { repoRoot } from '../../apps/server/src/config.ts'
import { type Db, openDb, openPool } from '../../apps/server/src/db/db.ts'
import { lockDataDir } from '../../apps/server/src/db/embedded/data-dir.ts'
import { cloneDatabase } from '../../apps/server/test/database.ts'
import { testPrefix } from '../../apps/server/test/kill-leftovers.ts'
import { freePort } from '../../tools/fault/port.ts'

/** The solution of every captcha during a test. */
export const CAPTCHA = 'ABDEF'
export const ADMIN = { username: 'admin', password: 'bright-heron-71-lake' }

/** An address with its region in the operator's file. */
export const REGION = { address: '203.0.113.9', network: '203.0.113.0/24', name: '朝阳分局' }

/** The whole product as a customer runs it: a process of its own with a database of its own. */
export type E2eServer = {
  url: string
  mqtt: string
  db: Db
  /** Connection of the owner of its tables. */
  owner: pg.ClientConfig
  masterKey: Buffer
  start: () => Promise<void>
  /** Kills the process; its ports stay reserved for the next start. */
  kill: () => Promise<void>
  /** Returns the log of the server so far. */
  log: () => string
  close: () => Promise<void>
}

const ready = async (url: string, child: ChildProcess, log: () => string) => {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server did not start:\n${log()}`)
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await pause(50)
  }
}

/** An ordered stop takes a second or two. */
const STOP_MS = 30_000

const end = async (child: ChildProcess | undefined, signal: 'SIGTERM' | 'SIGKILL') => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  // An exit can wait forever for the threads of the compiler (nodejs/node#54918).
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(late)
}

/** The whole environment of the server; nothing of the test run's own gets in. */
const environment = (ports: number[], folder: string, database: string, key: Buffer) => ({
  PATH: process.env['PATH'] ?? '',
  ...(process.env['NODE_COMPILE_CACHE'] && { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
  NODE_ENV: 'test',
  TOCSIN_HTTP: `127.0.0.1:${ports[0]}`,
  TOCSIN_MQTT: `127.0.0.1:${ports[1]}`,
  TOCSIN_OPS: `127.0.0.1:${ports[2]}`,
  TOCSIN_DATA: folder,
  TOCSIN_MASTER_KEY: key.toString('base64'),
  TOCSIN_TEST_CAPTCHA: CAPTCHA,
  TOCSIN_ADMIN_PASSWORD: ADMIN.password,
  TOCSIN_LOG_LEVEL: 'info',
  DATABASE_URL: database,
  TOCSIN_IP_REGION: join(folder, 'regions.csv'),
})

/** @param more variables of the server beside the usual ones. */
export const startE2eServer = async (more: Record<string, string> = {}): Promise<E2eServer> => {
  const database = await cloneDatabase(inject('seededTemplate'))
  const pool = openPool({ ...database.app, max: 3 }, 20)
  const folder = mkdtempSync(join(tmpdir(), testPrefix))
  // Otherwise a test run beside this one would treat it as a leftover of a killed run.
  const lock = await lockDataDir(folder)
  const logFile = join(folder, 'server.log')
  const ports = [await freePort(), await freePort(), await freePort()]
  const { user, host, database: name } = database.owner
  const masterKey = randomBytes(32)
  const env = environment(ports, folder, `postgres://${user}@localhost/${name}?host=${host}`, masterKey)
  const url = `http://${env.TOCSIN_HTTP}`
  writeFileSync(env.TOCSIN_IP_REGION, `${REGION.network},${REGION.name}\n`)
  const log = () => readFileSync(logFile, 'utf8')
  let child: ChildProcess | undefined
  const main = join(repoRoot, 'apps/server/src/main.ts')
  const start = async () => {
    const out = openSync(logFile, 'a')
    child = spawn(process.execPath, [main], { env: { ...env, ...more }, stdio: ['ignore', out, out] })
    await ready(url, child, log)
  }
  const close = async () => {
    await end(child, 'SIGTERM')
    await pool.end()
    await database.drop()
    await lock.release()
    rmSync(folder, { recursive: true, force: true })
  }
  const mqtt = `mqtt://${env.TOCSIN_MQTT}`
  const site = { url, mqtt, db: openDb(pool), owner: database.owner, masterKey, start, log, close }
  try {
    await start()
  } catch (error) {
    await close()
    throw error
  }
  return { ...site, kill: () => end(child, 'SIGKILL') }
}
