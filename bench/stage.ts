import { readFileSync } from 'node:fs'
import { makeUser } from '../apps/server/seed/make.ts'
import { tokenHash } from '../apps/server/src/http/session.ts'
import { makeNode, type ServerNode } from '../tools/fault/node.ts'
import { embedded, newMasterKey, scratch } from '../tools/fault/rig.ts'
import { type Access, makeDevices, openAccess } from '../tools/fault/world.ts'
import type { Credential } from '../tools/simulator/fleet-file.ts'
import { randomBytes } from 'node:crypto'

/** The server as `npm start` runs it, in a process of its own, on its embedded PostgreSQL with fsync. */
export type Stage = {
  node: ServerNode
  mqttPort: number
  access: Access
  devices: (count: number) => Promise<Credential[]>
  /** Access tokens of as many sockets, ten of each person, who see everything. */
  tokens: (count: number) => Promise<string[]>
  /** Ends every open record and its timers, so that the next press raises one again. */
  closeRecords: () => Promise<void>
  /** Resident memory of the server process, in MB. */
  memory: () => number
  postgres: string
  end: () => Promise<void>
}

const SOCKETS_EACH = 10

const makeTokens = async ({ db, pool }: Access, count: number): Promise<string[]> => {
  const tokens: string[] = []
  while (tokens.length < count) {
    const user = await makeUser(db, { roles: ['super_admin'] })
    for (let n = 0; n < SOCKETS_EACH && tokens.length < count; n += 1) {
      const token = randomBytes(32).toString('base64url')
      await pool.query(
        `with made as (
           insert into session (user_id, ip, user_agent, idle_expires_at, expires_at)
           values ($1, '127.0.0.1', 'bench', now() + interval '1 day', now() + interval '1 day') returning id
         ) insert into access_token (hash, session_id, expires_at)
         select $2, id, now() + interval '1 day' from made`,
        [user.id, tokenHash(token)],
      )
      tokens.push(token)
    }
  }
  return tokens
}

const closeRecords = async ({ pool }: Access): Promise<void> => {
  await pool.query(`update timer set done_at = now(), outcome = 'CANCELLED' where done_at is null`)
  await pool.query(`update warn_record set state = 'CLOSED', closed_at = now(), resolved_at = now() where open`)
  // What a quiet hour would have done by itself.
  await pool.query('vacuum analyze warn_record, timer, device_outbox, event, device_state, signal, warn_log')
}

export const openStage = async (nodeFlags: string[] = []): Promise<Stage> => {
  const { folder: dataDir, drop } = scratch()
  const key = newMasterKey()
  const node = await makeNode({ dataDir, nodeFlags, settings: { TOCSIN_MASTER_KEY: key.toString('base64') } })
  await node.start()
  const { owner } = embedded(dataDir)
  const access = openAccess({ ...owner, user: 'postgres' })
  const { rows } = await access.pool.query<{ server_version: string }>('show server_version')
  return {
    node,
    mqttPort: Number(new URL(node.mqtt).port),
    access,
    devices: (count) => makeDevices(access, key, count),
    tokens: (count) => makeTokens(access, count),
    closeRecords: () => closeRecords(access),
    memory: () => {
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${node.pid()}/status`, 'utf8')) ?? []
      return Number(kilobytes) / 1024
    },
    postgres: rows[0]?.server_version ?? '',
    end: async () => {
      await access.pool.end()
      await node.stop()
      drop()
    },
  }
}
