import { zone } from '@tocsin/contract/time-zone'
import { CamelCasePlugin, type Kysely, Kysely as KyselyHandle, PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { AllTables, OpenTables } from './tables.ts'

/** How many texts one connection prepares. Further texts are planned each time, as everywhere else. */
const MOST = 200

/** A migration by another node changed the result of `select *`, so the plan is invalid. */
const PLAN_OUTDATED = '0A000'

/**
 * Names the statements of a connection, so that PostgreSQL plans each text once instead of each time: planning is half
 * of the database's work for an alarm. Use it for pools with few texts that look rows up by key, where a generic plan
 * is as good. After a plan became outdated the statement fails once, and the next call plans again.
 */
const namePreparedStatements = (client: pg.PoolClient): void => {
  const names = new Map<string, string>()
  let made = 0
  // The driver has many signatures; only the one with text and values is changed.
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || names.size >= MOST) return known
    made += 1
    const name = `kept_${made}`
    names.set(text, name)
    return name
  }
  const ask = (text: unknown, values: unknown, ...rest: unknown[]): unknown => {
    const repeatable = typeof text === 'string' && Array.isArray(values) && values.length > 0
    const name = repeatable ? nameOf(text) : undefined
    if (name === undefined) return query(text, values, ...rest)
    const item = query({ name, text, values }, ...rest)
    if (item instanceof Promise)
      item.catch((error: { code?: unknown }) => {
        if (error.code === PLAN_OUTDATED) names.clear()
      })
    return item
  }
  client.query = ask as typeof client.query
}

/** The default handle: scoped tables do not exist in it. A transaction is one too. */
export type Db = Kysely<OpenTables>
/** A handle obtained through `scoped` or `unscoped`. */
export type AllTablesDb = Kysely<AllTables>
declare const unlimited: unique symbol
/**
 * A handle obtained through `unscoped`. Only here may raw SQL name a scoped table, because nothing adds a predicate.
 */
export type UnscopedDb = AllTablesDb & { readonly [unlimited]: true }

const INT8 = 20
const INT8_LIST = 1016
const DATE = 1082
const NUMERIC = 1700

/**
 * Parses 64-bit ids and decimals to numbers (exact to 2^53 and 15 digits), keeps calendar days as text, and leaves
 * everything else to the driver.
 */
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
  /**
   * Plans each statement once per connection (prepared-statements.ts): for pools that run few different texts very
   * often.
   */
  keepPlans?: boolean
}

/**
 * Creates a pool whose queries cannot hang: statement and lock timeouts on the server, a query timeout and TCP
 * keepalive against half-open connections (trust X07).
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
    // `current_date` and the day of an instant are those of the installation, whatever zone the database has.
    // A generic plan made while a table was small would keep scanning it whole, and would sort many rows to find the
    // newest few instead of reading them in index order.
    options: `-c TimeZone=${zone.name}${plansKept ? ' -c enable_seqscan=off -c enable_bitmapscan=off' : ''}`,
    ...options,
  })
  // The pool replaces a broken idle connection. Without this listener the error would end the process.
  pool.on('error', () => undefined)
  // The pool does not watch a connection that is checked out between two queries; its next query fails.
  pool.on('connect', (client) => client.on('error', () => undefined))
  if (plansKept) pool.on('connect', namePreparedStatements)
  return pool
}

export const openDb = (pool: pg.Pool): Db =>
  new KyselyHandle<OpenTables>({
    dialect: new PostgresDialect({ pool, cursor: Cursor }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
