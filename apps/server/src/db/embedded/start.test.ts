import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { quietLog } from '../../../test/quiet-log.ts'
import { testPrefix } from '../../../test/kill-leftovers.ts'
import { repoRoot } from '../../config.ts'
import { isPostmasterOf } from './postmaster.ts'
import type { Connection } from './probe.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts'

let dataDir: string
let running: EmbeddedPostgres | undefined
let children: ChildProcess[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), testPrefix))
  children = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  // Adopts and stops every PostgreSQL that a test left running.
  running ??= await start()
  await running.stop()
  running = undefined
  rmSync(dataDir, { recursive: true })
})

const start = () => startEmbeddedPostgres({ dataDir, dataDirGiven: true, checkout: repoRoot, log: quietLog })

const spawnServer = () => {
  const program = join(repoRoot, 'apps/server/test/embedded-program.ts')
  const child = spawn(process.execPath, [program, dataDir, repoRoot], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  return child
}

const up = async (child: ChildProcess): Promise<{ pid: number; app: Connection }> => {
  if (!child.stdout) throw new Error('the child has no output')
  const [line] = await once(child.stdout, 'data')
  // The line that embedded-program.ts prints.
  return JSON.parse(String(line)) as { pid: number; app: Connection }
}

const ask = async (connection: Connection, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

describe('startEmbeddedPostgres', () => {
  it('creates a durable database with checksums, Unicode and its roles, closed to other users', async () => {
    running = await start()
    const rows = await ask(
      running.app,
      `select current_user as user, current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
        current_setting('server_encoding') as encoding, current_setting('listen_addresses') as tcp, datlocale as locale
       from pg_database where datname = current_database()`,
    )
    expect(rows).toEqual([
      { user: 'tocsin_app', fsync: 'on', checksums: 'on', encoding: 'UTF8', tcp: '', locale: 'C.UTF-8' },
    ])
    expect(await ask(running.owner, "select upper('école 学校') as upper")).toEqual([{ upper: 'ÉCOLE 学校' }])
    expect(statSync(running.app.host).mode & 0o777).toBe(0o700)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(Buffer.byteLength(join(running.app.host, '.s.PGSQL.5432'))).toBeLessThan(107)
  })

  it('keeps data over a stop and a second start, and leaves no socket behind', async () => {
    running = await start()
    await ask(running.owner, 'create table kept (id int)')
    const { pid, app } = running
    const first = pid()
    await running.stop()
    expect(isPostmasterOf(first, join(dataDir, 'pg'))).toBe(false)
    expect(existsSync(app.host)).toBe(false)
    running = await start()
    expect(await ask(running.owner, 'select count(*)::int from kept')).toEqual([{ count: 0 }])
  })

  it('rejects a second server on the same data directory without disturbing the first', async () => {
    running = await start()
    await expect(start()).rejects.toThrow(`Another Tocsin server is already running on the data directory ${dataDir}.`)
    const second = spawnServer()
    if (!second.stderr) throw new Error('the child has no output')
    const [output, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')])
    expect({ code, output }).toEqual({
      code: 1,
      output: `Another Tocsin server is already running on the data directory ${dataDir}.\n`,
    })
    expect(await ask(running.app, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('adopts the PostgreSQL of a server that was killed', async () => {
    const server = spawnServer()
    const orphan = await up(server)
    server.kill('SIGKILL')
    await once(server, 'exit')
    running = await start()
    expect(running.pid()).toBe(orphan.pid)
    expect(running.app).toEqual(orphan.app)
    expect(await ask(running.app, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('starts a new process when PostgreSQL died with the killed server', async () => {
    const server = spawnServer()
    const { pid } = await up(server)
    server.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
    await once(server, 'exit')
    running = await start()
    expect(running.pid()).not.toBe(pid)
    expect(await ask(running.app, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.each(['started', 'adopted'])('restarts one it has %s when it is killed, at the same address', async (how) => {
    if (how === 'adopted') {
      const server = spawnServer()
      await up(server)
      server.kill('SIGKILL')
      await once(server, 'exit')
    }
    running = await start()
    const { app, pid, onRestart } = running
    await ask(running.owner, 'create table kept as select 1 as one')
    const before = pid()
    const restarted = new Promise<void>((done) => onRestart(done))
    process.kill(before, 'SIGKILL')
    await restarted
    expect(pid()).not.toBe(before)
    expect(await ask({ ...app, user: 'tocsin_owner' }, 'select one from kept')).toEqual([{ one: 1 }])
  })

  it('ends a process that is alive but unresponsive, and starts another at the same address', async () => {
    running = await startEmbeddedPostgres({
      dataDir,
      dataDirGiven: true,
      checkout: repoRoot,
      log: quietLog,
      silenceMs: 4000,
    })
    const { app, pid, onRestart } = running
    await ask(running.owner, 'create table kept as select 1 as one')
    const before = pid()
    const restarted = new Promise<void>((done) => onRestart(done))
    process.kill(before, 'SIGSTOP')
    await restarted
    expect(isPostmasterOf(before, join(dataDir, 'pg'))).toBe(false)
    expect(pid()).not.toBe(before)
    expect(await ask({ ...app, user: 'tocsin_owner' }, 'select one from kept')).toEqual([{ one: 1 }])
    // Ending it takes 15 s, because PostgreSQL is probed twice before.
  }, 150_000)

  it('is back at the same address after the socket folder was removed', async () => {
    running = await startEmbeddedPostgres({
      dataDir,
      dataDirGiven: true,
      checkout: repoRoot,
      log: quietLog,
      silenceMs: 2000,
    })
    const { app, onRestart } = running
    const restarted = new Promise<void>((done) => onRestart(done))
    rmSync(app.host, { recursive: true })
    await restarted
    expect(await ask(app, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(statSync(app.host).mode & 0o777).toBe(0o700)
  })

  it('stops PostgreSQL when the server is stopped normally', async () => {
    const server = spawnServer()
    const { pid, app } = await up(server)
    server.kill('SIGTERM')
    expect(await once(server, 'exit')).toEqual([0, null])
    expect(isPostmasterOf(pid, join(dataDir, 'pg'))).toBe(false)
    expect(existsSync(app.host)).toBe(false)
  })
})
