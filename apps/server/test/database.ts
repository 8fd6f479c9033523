import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { Connection } from '../src/db/embedded/probe.ts'

export type TestDatabase = {
  /** For `new pg.Pool(…)`: owner may do DDL, app is what the server has, read is for reports. */
  owner: Connection
  app: Connection
  read: Connection
  superuser: Connection
  /** Ends connections still open, then drops the database. */
  drop: () => Promise<void>
}

const maintain = async (statement: string) => {
  const client = new pg.Client(inject('postgres').superuser)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A migrated database of its own for a test file: call it in `beforeAll`, and `drop` in `afterAll`. */
export const cloneDatabase = async (): Promise<TestDatabase> => {
  const { superuser, template } = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  await maintain(`create database ${database} template ${template} owner tocsin_owner`)
  const as = (user: string): Connection => ({ ...superuser, user, database })
  return {
    owner: as('tocsin_owner'),
    app: as('tocsin_app'),
    read: as('tocsin_read'),
    superuser: as(superuser.user),
    drop: () => maintain(`drop database ${database} with (force)`),
  }
}
