import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { seedSystem } from '../../apps/server/src/areas/access/seed/seed.ts'
import { seedRules } from '../../apps/server/src/areas/alarm/rule-seed.ts'
import { seedPolicies } from '../../apps/server/src/areas/notify/policy/policy-seed.ts'
import { openDb, openPool } from '../../apps/server/src/db/db.ts'
import { ADMIN } from './e2e-server.ts'

declare module 'vitest' {
  // The type of inject('seededTemplate'); it merges into vitest's own interface.
  interface ProvidedContext {
    seededTemplate: string
  }
}

const seededTemplate = 'tocsin_seeded'

/**
 * Makes a second template with the rows that the first start of an installation inserts, except timers, which would be
 * overdue. The server of each file then starts like a later start.
 */
export const setup = async (project: TestProject): Promise<void> => {
  const { superuser, template } = project.getProvidedContext().postgres
  const maintenance = new pg.Pool({ ...superuser, max: 1 })
  await maintenance.query(`create database ${seededTemplate} template ${template} owner tocsin_owner`)
  await maintenance.end()
  const pool = openPool({ ...superuser, user: 'tocsin_app', database: seededTemplate, max: 1 }, 30)
  const db = openDb(pool)
  try {
    await seedSystem(db, ADMIN.password)
    await seedRules(db)
    await seedPolicies(db)
  } finally {
    await pool.end()
  }
  project.provide('seededTemplate', seededTemplate)
}
