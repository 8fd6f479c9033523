import { type RawBuilder, sql } from 'kysely'

/** Maps column names to their PostgreSQL types, for reading rows from a JSON parameter. */
export type Columns = Readonly<Record<string, string>>

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
const list = (columns: Columns, each: (name: string, type: string) => string) =>
  sql.raw(
    Object.entries(columns)
      .map(([name, type]) => each(name, type))
      .join(', '),
  )

/** Encodes bytes so that a statement can read them from JSON as bytea. */
export const toByteaHex = (bytes: Uint8Array | null): string | null =>
  bytes && `\\x${Buffer.from(bytes).toString('hex')}`

/**
 * Passes rows as one JSON parameter that becomes a FROM item named `row`. The statement's text stays the same for any
 * number of rows, and parsing thousands of parameters would cost more than writing the rows.
 */
export const rowsFromJson = (columns: Columns) => {
  const names = Object.keys(columns)
  const shape = list(columns, (name, type) => `"${name}" ${type}`)
  return (rows: readonly object[]): RawBuilder<unknown> => {
    const plain = rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name as never]])))
    return sql`jsonb_to_recordset(${JSON.stringify(plain)}::jsonb) as row (${shape})`
  }
}

/** Builds an INSERT of such rows in their order. Columns that are not named get their defaults. */
export const bulkInsert = (table: string, columns: Columns) => {
  const into = sql`insert into ${sql.table(table)} (${list(columns, snake)}) overriding system value
    select ${list(columns, (name) => `row."${name}"`)} from`
  const from = rowsFromJson(columns)
  return (rows: readonly object[]): RawBuilder<unknown> => sql`${into} ${from(rows)}`
}

/** Builds the SET list that copies these columns from such rows. */
export const setFromRow = (columns: Columns): RawBuilder<unknown> =>
  list(columns, (name) => `${snake(name)} = row."${name}"`)
