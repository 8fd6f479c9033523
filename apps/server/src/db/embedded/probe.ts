import pg from 'pg'

/** Connection settings for `pg.Pool` or `pg.Client`. There is no password; cluster.ts says why. */
export type Connection = { host: string; port: number; user: string; database: string }

export const connectionTo = (socketFolder: string, user: string, database: string): Connection => ({
  host: socketFolder,
  port: 5432,
  user,
  database,
})

/**
 * `busy` is a PostgreSQL that answers but accepts no connections yet: recovering, shutting down or full (SQLSTATE
 * 57P03, 53300).
 */
export type ProbeResult = 'ready' | 'busy' | 'unresponsive'

/** Tries one connection and one query, within three seconds. */
export const probe = async (socketFolder: string): Promise<ProbeResult> => {
  const client = new pg.Client({
    ...connectionTo(socketFolder, 'postgres', 'postgres'),
    connectionTimeoutMillis: 3000,
    query_timeout: 3000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return 'ready'
  } catch (error) {
    return error instanceof pg.DatabaseError ? 'busy' : 'unresponsive'
  } finally {
    client.end().catch(() => {})
  }
}
