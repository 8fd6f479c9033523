import pg from 'pg'
import { connectionTo } from './probe.ts'

const database = 'tocsin'

const roleIfMissing = (role: string) => `
  do $$ begin
    if not exists (select from pg_roles where rolname = '${role}') then create role ${role} login; end if;
  end $$`

/** Creates the three roles and the database. A start after an interrupted one creates what is missing. */
export const createRoles = async (socketFolder: string) => {
  const client = new pg.Client(connectionTo(socketFolder, 'postgres', 'postgres'))
  await client.connect()
  try {
    for (const role of ['tocsin_owner', 'tocsin_app', 'tocsin_read']) await client.query(roleIfMissing(role))
    const found = await client.query('select from pg_database where datname = $1', [database])
    if (found.rowCount === 0) await client.query(`create database ${database} owner tocsin_owner`)
    await client.query(`revoke all on database ${database} from public`)
    await client.query(`grant connect, temporary on database ${database} to tocsin_app, tocsin_read`)
  } finally {
    await client.end()
  }
}

/** The server's connections by role, and the superuser's for maintenance and tests. */
export const roleConnections = (socketFolder: string) => ({
  owner: connectionTo(socketFolder, 'tocsin_owner', database),
  app: connectionTo(socketFolder, 'tocsin_app', database),
  read: connectionTo(socketFolder, 'tocsin_read', database),
  superuser: connectionTo(socketFolder, 'postgres', 'postgres'),
})
