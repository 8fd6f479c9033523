import { readdirSync, readFileSync } from 'node:fs'
import { makeUser } from '../apps/server/seed/fixtures.ts'
import { hashToken } from '../apps/server/src/http/session-auth.ts'
import { createNode, type ServerNode } from '../tools/fault/node.ts'
import { embedded, newMasterKey, createTempDir } from '../tools/fault/fault-setup.ts'
import { type Access, makeDevices, openAccess } from '../tools/fault/fault-devices.ts'
import type { Credential } from '../tools/simulator/fleet-file.ts'
import { randomBytes } from 'node:crypto'

/** The server as `npm start` runs it: a process of its own on its embedded PostgreSQL with fsync. */
export type BenchServer = {
  node: ServerNode
  access: Access
  devices: (count: number) => Promise<Credential[]>
  /** Access tokens for this many sockets, ten per user; the users can see everything. */
  tokens: (count: number) => Promise<string[]>
  /** An access token of this user. */
  tokenOf: (userId: number) => Promise<string>
  dataDir: string
  /** Ends every open record and its timers, so that the next press raises a new one. */
  closeRecords: () => Promise<void>
  /** Processor time used so far, in ms. Unlike a rate it hardly depends on the other load of this machine. */
  processor: () => Processor
  /** Resident memory of the server process, in MB. */
  memory: () => number
  /** Starts another server process on the same database: a process does not give memory back. */
  restart: () => Promise<void>
  postgres: string
  end: () => Promise<void>
}

export type Processor = { server: number; postgres: number }

/** The kernel counts in hundredths of a second (USER_HZ). */
const TICK_MS = 10

/** Of a process: its parent, its own time, and the time of its ended children (proc(5), stat). */
const statOf = (pid: number): { parent: number; ms: number; endedMs: number } => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((n) => fields[n])
    return { parent, ms: (user + system) * TICK_MS, endedMs: (endedUser + endedSystem) * TICK_MS }
  } catch {
    // The process ended while the list was read.
    return { parent: 0, ms: 0, endedMs: 0 }
  }
}

const processorOf = (server: number, postmaster: number): Processor => {
  const backends = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter(({ parent }) => parent === postmaster)
  const head = statOf(postmaster)
  return {
    server: statOf(server).ms,
    postgres: backends.reduce((sum, { ms }) => sum + ms, head.ms + head.endedMs),
  }
}

/** Resident memory of a process, in MB. */
export const memoryOf = (pid: number): number => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

const SOCKETS_EACH = 10

const makeToken = async ({ pool }: Access, userId: number): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  await pool.query(
    `with made as (
       insert into session (user_id, ip, user_agent, idle_expires_at, expires_at)
       values ($1, '127.0.0.1', 'bench', now() + interval '1 day', now() + interval '1 day') returning id
     ) insert into access_token (hash, session_id, expires_at)
     select $2, id, now() + interval '1 day' from made`,
    [userId, hashToken(token)],
  )
  return token
}

const makeTokens = async (access: Access, count: number): Promise<string[]> => {
  const tokens: string[] = []
  while (tokens.length < count) {
    const user = await makeUser(access.db, { roles: ['super_admin'] })
    for (let n = 0; n < SOCKETS_EACH && tokens.length < count; n += 1) tokens.push(await makeToken(access, user.id))
  }
  return tokens
}

const closeRecords = async ({ pool }: Access): Promise<void> => {
  await pool.query(`update timer set done_at = now(), outcome = 'CANCELLED' where done_at is null`)
  const ended = `state = 'CLOSED', closed_at = now(), resolved_at = now(), ended_at = now()`
  await pool.query(`update warn_record set ${ended} where open`)
  // What an idle hour would have done by itself.
  await pool.query('vacuum analyze warn_record, timer, device_outbox, event, device_state, signal, warn_log')
}

export const startBenchServer = async (nodeFlags: string[] = []): Promise<BenchServer> => {
  const { folder: dataDir, drop } = createTempDir()
  const key = newMasterKey()
  const node = await createNode({ dataDir, nodeFlags, settings: { TOCSIN_MASTER_KEY: key.toString('base64') } })
  await node.start()
  const { owner, pid: postmaster } = embedded(dataDir)
  const access = openAccess({ ...owner, user: 'postgres' })
  const { rows } = await access.pool.query<{ server_version: string }>('show server_version')
  return {
    node,
    access,
    devices: (count) => makeDevices(access, key, count),
    tokens: (count) => makeTokens(access, count),
    tokenOf: (userId) => makeToken(access, userId),
    dataDir,
    closeRecords: () => closeRecords(access),
    processor: () => processorOf(node.pid(), postmaster),
    memory: () => memoryOf(node.pid()),
    restart: async () => {
      // A killed server leaves its PostgreSQL to the next one.
      await node.kill()
      await node.start()
    },
    postgres: rows[0]?.server_version ?? '',
    end: async () => {
      await access.pool.end()
      await node.stop()
      drop()
    },
  }
}
