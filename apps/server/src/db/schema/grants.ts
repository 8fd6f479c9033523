import type pg from 'pg'
import type { Log } from '../../config.ts'

/** The server's rights on append-only tables; partitions follow their parent. */
export const appendOnly: Record<string, string> = {
  audit_log: 'select, insert',
  login_log: 'select, insert',
  maintenance_log: 'select, insert',
  procedure_version: 'select, insert',
  readiness_weights: 'select, insert',
  police_situation_log: 'select, insert',
  seal: 'select, insert',
  signal: 'select, insert, update',
  warn_log: 'select, insert',
  supervise_order_log: 'select, insert',
  announcement_edition: 'select, insert',
  announcement_log: 'select, insert',
}

/** What reports must not see: whole tables, and columns of these names in every table. */
export const hiddenTables = [
  'secret',
  'access_token',
  'refresh_token',
  'device_credential',
  'verification_code',
  'second_factor',
  'recovery_code',
  'qr_ticket',
  'social_state',
  'outbound',
  'activation_code',
  'import_row',
  'assignment_position',
  'wall_token',
]
export const hiddenColumns = ['password_hash', 'lock_hash']

type Relation = { schema: string; name: string; root: string; columns: string[]; kind: string }

const relations = `
  select n.nspname as schema, c.relname as name, c.relkind as kind,
    (select r.relname from pg_class r where r.oid = coalesce(pg_partition_root(c.oid), c.oid)) as root,
    array(
      select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum
    ) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'S')
    and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
    and pg_get_userbyid(c.relowner) = current_user
  order by 1, 2`

/** Functions that run with the owner's rights because the server lacks them. */
const ownersFunctions = `
  select p.oid::regprocedure::text as name from pg_proc p
  where p.prosecdef and pg_get_userbyid(p.proowner) = current_user order by 1`

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

const forApp = ({ kind, root }: Relation): string => {
  if (kind === 'S') return 'usage, select'
  return appendOnly[root] ?? 'select, insert, update, delete'
}

const forRead = ({ kind, root, columns }: Relation): string | undefined => {
  if (kind === 'S' || hiddenTables.includes(root)) return undefined
  const open = columns.filter((column) => !hiddenColumns.includes(column))
  if (open.length === columns.length) return 'select'
  return `select (${open.map(quote).join(', ')})`
}

const grants = (relation: Relation): string[] => {
  const target = `${relation.kind === 'S' ? 'sequence ' : ''}${quote(relation.schema)}.${quote(relation.name)}`
  const read = forRead(relation)
  return [
    `revoke all on ${target} from tocsin_app, tocsin_read`,
    `grant ${forApp(relation)} on ${target} to tocsin_app`,
    ...(read ? [`grant ${read} on ${target} to tocsin_read`] : []),
  ]
}

/**
 * Grants `tocsin_app` and `tocsin_read` exactly their rights, in one transaction. An operator's own database need not
 * have these roles; then the single role of DATABASE_URL does everything.
 */
export const grantRoles = async (client: pg.ClientBase, log: Log) => {
  const roles = await client.query("select from pg_roles where rolname in ('tocsin_app', 'tocsin_read')")
  if (roles.rowCount !== 2) {
    log.info('the roles tocsin_app and tocsin_read do not exist: no grants made')
    return
  }
  const found = await client.query<Relation>(relations)
  const functions = await client.query<{ name: string }>(ownersFunctions)
  const schemas = [...new Set(found.rows.map(({ schema }) => schema))]
  const statements = [
    ...schemas.map((schema) => `grant usage on schema ${quote(schema)} to tocsin_app, tocsin_read`),
    ...found.rows.filter(({ name }) => name !== 'migration').flatMap(grants),
    ...functions.rows.map(({ name }) => `grant execute on function ${name} to tocsin_app`),
    'grant select on migration to tocsin_app, tocsin_read',
  ]
  await client.query('begin')
  try {
    await client.query(statements.join(';\n'))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
