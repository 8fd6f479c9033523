import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { repoRoot } from '../src/config.ts'
import type { Connection } from '../src/db/embedded/probe.ts'
import { startEmbeddedPostgres } from '../src/db/embedded/start.ts'
import { seedSystem } from '../src/areas/access/seed/seed.ts'
import { openDb, openPool } from '../src/db/db.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import { quietLog } from './quiet-log.ts'
import { killLeftovers, testPrefix } from './kill-leftovers.ts'
import { SEED_PASSWORD } from './seed-password.ts'

declare module 'vitest' {
  // The type of inject('postgres'); it merges into vitest's own interface.
  interface ProvidedContext {
    postgres: { superuser: Connection; template: string; seededTemplate: string }
  }
}

const template = 'tocsin_template'
const seededTemplate = 'tocsin_template_seeded'

const makeTemplate = async (superuser: Connection) => {
  const maintenance = new pg.Pool({ ...superuser, max: 1 })
  await maintenance.query(`create database ${template} owner tocsin_owner`)
  await maintenance.end()
  const owner = new pg.Pool({ ...superuser, user: 'tocsin_owner', database: template, max: 1 })
  await migrate(owner, { log: quietLog })
  await owner.end()
}

/** The first start of an installation takes half a second, which two hundred files would spend. */
const makeSeededTemplate = async (superuser: Connection) => {
  const maintenance = new pg.Pool({ ...superuser, max: 1 })
  await maintenance.query(`create database ${seededTemplate} template ${template} owner tocsin_owner`)
  await maintenance.end()
  const pool = openPool({ ...superuser, user: 'tocsin_app', database: seededTemplate, max: 1 }, 30)
  await seedSystem(openDb(pool), SEED_PASSWORD).finally(() => pool.end())
}

/** One PostgreSQL for the run, with the templates that `cloneDatabase` and `cloneSeededDatabase` copy. */
export const setup = async (project: TestProject) => {
  await killLeftovers()
  const dataDir = mkdtempSync(join(tmpdir(), testPrefix))
  // Without fsync: these databases live as long as the run.
  const embedded = await startEmbeddedPostgres({
    dataDir,
    dataDirGiven: true,
    checkout: repoRoot,
    log: quietLog,
    durable: false,
  })
  const end = async () => {
    await embedded.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await makeTemplate(embedded.superuser)
    await makeSeededTemplate(embedded.superuser)
  } catch (error) {
    await end()
    throw error
  }
  project.provide('postgres', { superuser: embedded.superuser, template, seededTemplate })
  return end
}
