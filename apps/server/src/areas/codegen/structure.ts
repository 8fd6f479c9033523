import { type CodegenKind, decimalOf } from '@tocsin/contract/codegen/codegen'
import { sql } from 'kysely'
import { constraintError } from '#db/constraint-error'
import type { Db } from '#db/db'

/** A column as the database has it now. `kind` is undefined for types that neither forms nor lists support. */
export type DbColumn = {
  name: string
  dataType: string
  kind: CodegenKind | undefined
  length: number | null
  nullable: boolean
  preset: string | null
  single: boolean
  refers: string | null
  words: string[]
  comment: string | null
}
/** A column without a default, a rule or a reference. */
export const plainColumn = { length: null, nullable: false, preset: null, single: false, refers: null, words: [] }

export type DbStructure = {
  name: string
  comment: string | null
  keyed: boolean
  columns: DbColumn[]
  /** Rules of a table that a module would not know, in the text of the database. */
  rules: string[]
}

type Found = {
  table: string
  tableComment: string | null
  keyed: boolean
  tableRules: string[] | null
  name: string
  dataType: string
  type: string
  length: number | null
  nullable: boolean
  computed: boolean
  preset: string | null
  single: boolean
  refers: string | null
  checks: string[] | null
  comment: string | null
}

const kinds: Readonly<Record<string, CodegenKind>> = {
  varchar: 'TEXT',
  text: 'TEXT',
  int4: 'INT',
  int8: 'BIGINT',
  float8: 'FLOAT',
  bool: 'BOOL',
  date: 'DAY',
  timestamptz: 'INSTANT',
  _text: 'LIST',
}

// Reads the catalog itself, because the information schema hides tables created since the grants of the last start.
// The facts of a table are read once for each table, not once for each of its columns.
const catalog = sql<Found>`
  with base as materialized (
    select c.oid, c.relname, obj_description(c.oid, 'pg_class') as comment,
      exists (
        select from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = i.indkey[0]
        where i.indrelid = c.oid and i.indisprimary and i.indnkeyatts = 1 and k.attname = 'id' and k.atttypid = 'int8'::regtype
          and (k.attidentity <> '' or k.atthasdef)
      ) as keyed,
      (select array_agg(rule order by rule) from (
        select pg_get_constraintdef(k.oid) as rule from pg_constraint k
        where k.conrelid = c.oid and (k.contype = 'x' or k.contype = 'c' and cardinality(k.conkey) <> 1)
        union all
        select coalesce(pg_get_constraintdef(u.oid), pg_get_indexdef(i.indexrelid))
        from pg_index i join pg_class x on x.oid = i.indexrelid
        left join pg_attribute o on o.attrelid = c.oid and o.attnum = i.indkey[0] and i.indnkeyatts = 1 and i.indpred is null
        left join pg_constraint u on u.conrelid = c.oid and u.conindid = i.indexrelid and u.contype = 'u'
        where i.indrelid = c.oid and i.indisunique and not i.indisprimary
          and x.relname is distinct from left(c.relname || '_' || o.attname || '_key', 63)
      ) rules) as rules
    from pg_class c
    where c.relkind = 'r' and not c.relispartition and c.relnamespace = 'public'::regnamespace
  )
  select c.relname::text as "table", c.comment as "tableComment", c.keyed, c.rules as "tableRules",
    a.attname::text as name, format_type(a.atttypid, a.atttypmod) as "dataType", 
    -- A type of somebody's own may be called like one that is known.
    case when t.typnamespace = 'pg_catalog'::regnamespace then t.typname::text else '' end as type,
    case when t.typname = 'varchar' and a.atttypmod > 4 then a.atttypmod - 4 end as length,
    not a.attnotnull as nullable, a.attgenerated <> '' as computed,
    (select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d where d.adrelid = c.oid and d.adnum = a.attnum) as preset,
    exists (
      select from pg_index i where i.indrelid = c.oid and i.indisunique and i.indnkeyatts = 1
        and i.indkey[0] = a.attnum and i.indpred is null
    ) as single,
    (select r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any(f.conkey) order by f.oid limit 1) as refers,
    (select array_agg(pg_get_constraintdef(k.oid)) from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as checks,
    col_description(c.oid, a.attnum) as comment
  from base c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  order by c.relname, a.attnum`

const isList = (check: string): boolean => / = ANY \(/.test(check)

/**
 * The values of `check (state in ('A', 'B'))`, which PostgreSQL prints as `= ANY (ARRAY[…])`; none for other checks.
 */
const wordsOf = ({ type, checks }: Found): string[] => {
  const list = checks?.find(isList)
  if (type !== 'varchar' || !list) return []
  const words = [...list.matchAll(/'((?:[^']|'')*)'::/g)].map(([, word = '']) => word)
  return words.every((word) => /^\w{1,40}$/.test(word)) ? [...new Set(words)] : []
}

/** A default that is a constant or the current time; other defaults are left to the database. */
const presetOf = ({ preset }: Found): string | null => {
  const value = preset?.replace(/::[a-z ]+(\(\d+\)|\[\])?$/, '').replace(/^ARRAY\[\]$/, "'{}'") ?? ''
  if (/^(-?\d+(\.\d+)?|true|false|now\(\)|CURRENT_TIMESTAMP|CURRENT_DATE)$/.test(value)) return value
  return /^'(?:[^'\p{C}\p{Zl}\p{Zp}\\]|'')*'$/u.test(value) && value.length <= 200 ? value : null
}

const kindOf = (found: Found): CodegenKind | undefined => {
  if (found.computed) return undefined
  return decimalOf(found) ? 'FLOAT' : kinds[found.type]
}

const columnOf = (found: Found): DbColumn => ({
  name: found.name,
  dataType: found.computed ? `${found.dataType} generated` : found.dataType,
  kind: kindOf(found),
  length: found.length,
  nullable: found.nullable,
  preset: presetOf(found),
  single: found.single,
  refers: found.refers,
  words: wordsOf(found),
  comment: found.comment,
})

/** The checks of a column except its list of values. */
const checksOf = (found: Found): string[] => {
  const list = wordsOf(found).length > 0 ? found.checks?.find(isList) : undefined
  return found.checks?.filter((check) => check !== list) ?? []
}

/** The base tables of the schema `public`, with their columns in order. */
export const readStructures = async (db: Db): Promise<DbStructure[]> => {
  const { rows } = await catalog.execute(db)
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, of]) => ({
    name,
    comment: of[0]?.tableComment ?? null,
    keyed: of[0]?.keyed ?? false,
    columns: of.map(columnOf),
    rules: [...of.flatMap(checksOf), ...(of[0]?.tableRules ?? [])],
  }))
}

/** A database rule, and the meaning of its violation. */
export type UnmappedConstraint = { rule: string; means: 'duplicate' | 'referred' | 'invalid' }

/** The rules of a table whose violation no area explains: uniqueness, references to it, its checks. */
export const listUnmappedConstraints = async (db: Db, table: string): Promise<UnmappedConstraint[]> => {
  const { rows } = await sql<UnmappedConstraint>`
    select conname::text as rule, case contype when 'f' then 'referred' else 'invalid' end as means from pg_constraint
    where contype = 'c' and conrelid = to_regclass(${`public.${table}`})
      or contype = 'f' and confrelid = to_regclass(${`public.${table}`}) and confdeltype in ('a', 'r')
    union all
    select relname::text, 'duplicate' from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = to_regclass(${`public.${table}`}) and indisunique and not indisprimary
    order by means, rule`.execute(db)
  return rows.filter(({ rule }) => constraintError({ code: '23000', constraint: rule }) === undefined)
}
