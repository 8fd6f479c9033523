import { CamelCasePlugin, type Kysely, Kysely as KyselyHandle, PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { namePreparedStatements } from './prepared-statements.ts'
import type { AllTables, OpenTables } from './tables.ts'

/** The ordinary handle: scoped tables do not exist in it. A transaction is one too. */
export type Db = Kysely<OpenTables>
/** A handle that came through `scoped` or `everything`. */
export type AllTablesDb = Kysely<AllTables>
declare const unlimited: unique symbol
/** One that came through `everything`: only here may raw SQL name a scoped table, for nothing limits it. */
export type UnscopedDb = AllTablesDb & { readonly [unlimited]: true }

const INT8 = 20
const INT8_LIST = 1016
const DATE = 1082
const NUMERIC = 1700

/** 64-bit ids and decimals as numbers (exact to 2^53, to 15 digits), calendar days as text, everything else as the driver reads it. */
export const readTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return Number
    if (oid === INT8_LIST) return (text: string) => JSON.parse(`[${text.slice(1, -1).replaceAll('NULL', 'null')}]`)
    if (oid === DATE) return (text: string) => text
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

export type PoolOptions = pg.PoolConfig & {
  max: number
  /** Statements are planned once per connection (plans.ts): for pools that ask few texts very often. */
  keepPlans?: boolean
}

/**
 * A pool whose queries end: statement and lock limits on the server, a query limit and TCP keepalive against
 * half-open links (trust X07).
 */
export const openPool = ({ max, keepPlans: plansKept = false, ...options }: PoolOptions, seconds: number): pg.Pool => {
  const pool = new pg.Pool({
    max,
    types: readTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    statement_timeout: seconds * 1000,
    query_timeout: seconds * 1000 + 2000,
    idle_in_transaction_session_timeout: 30_000,
    // A plan made while a table was small would read it whole for as long as it is kept, and the newest few of many
    // would be sought among all of them instead of in the order of their index.
    ...(plansKept && { options: '-c enable_seqscan=off -c enable_bitmapscan=off' }),
    ...options,
  })
  // A broken idle connection is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  // The same for one in use between two queries of a transaction, which the pool does not watch: its next query fails.
  pool.on('connect', (client) => client.on('error', () => undefined))
  if (plansKept) pool.on('connect', namePreparedStatements)
  return pool
}

export const openDb = (pool: pg.Pool): Db =>
  new KyselyHandle<OpenTables>({
    dialect: new PostgresDialect({ pool, cursor: Cursor }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
