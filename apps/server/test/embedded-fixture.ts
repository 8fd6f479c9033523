import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { repoRoot } from '../src/config.ts'
import { findOrphanPostmaster } from '../src/db/embedded/postmaster.ts'
import type { Connection } from '../src/db/embedded/probe.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded/start.ts'
import { testPrefix } from './kill-leftovers.ts'
import { quietLog } from './quiet-log.ts'

export type EmbeddedFixture = {
  /** One for all tests of a file: the first start creates the database cluster, which takes longer than many starts. */
  dataDir: string
  start: (options?: { silenceMs: number }) => Promise<EmbeddedPostgres>
  /** A server of the database alone, in a process that a test may kill. */
  spawnServer: () => ChildProcess
  /** For `afterEach`: ends the spawned servers and every PostgreSQL that a test left running. */
  stop: () => Promise<void>
  remove: () => void
}

const endProcess = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** Creates the data directory for tests that start, kill and stop the embedded PostgreSQL. */
export const createEmbeddedFixture = (): EmbeddedFixture => {
  const dataDir = mkdtempSync(join(tmpdir(), testPrefix))
  let children: ChildProcess[] = []
  let running: EmbeddedPostgres | undefined
  const start = async (options?: { silenceMs: number }) =>
    (running = await startEmbeddedPostgres({
      dataDir,
      dataDirGiven: true,
      checkout: repoRoot,
      log: quietLog,
      ...options,
    }))
  return {
    dataDir,
    start,
    spawnServer: () => {
      const program = join(repoRoot, 'apps/server/test/embedded-program.ts')
      const child = spawn(process.execPath, [program, dataDir, repoRoot], { stdio: ['ignore', 'pipe', 'pipe'] })
      children.push(child)
      return child
    },
    stop: async () => {
      for (const child of children) await endProcess(child)
      children = []
      await running?.stop()
      running = undefined
      // A killed server leaves its PostgreSQL alive; a start adopts it.
      if (findOrphanPostmaster(join(dataDir, 'pg'))) await (await start()).stop()
      running = undefined
    },
    remove: () => rmSync(dataDir, { recursive: true }),
  }
}

/** Waits for the line that embedded-program.ts prints when it is up. */
export const readStarted = async (child: ChildProcess): Promise<{ pid: number; app: Connection }> => {
  if (!child.stdout) throw new Error('the child has no output')
  const [line] = await once(child.stdout, 'data')
  return JSON.parse(String(line)) as { pid: number; app: Connection }
}

export const queryRows = async (connection: Connection, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
