import { type RawBuilder, sql } from 'kysely'

/** Column names to their types, as a statement reads them out of JSON. */
export type Columns = Readonly<Record<string, string>>

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
const list = (columns: Columns, each: (name: string, type: string) => string) =>
  sql.raw(
    Object.entries(columns)
      .map(([name, type]) => each(name, type))
      .join(', '),
  )

/** Bytes as a column of type bytea reads them out of JSON. */
export const toByteaHex = (bytes: Uint8Array | null): string | null =>
  bytes && `\\x${Buffer.from(bytes).toString('hex')}`

/**
 * Rows that become a FROM item named `row`, as one parameter: the statement's text does not depend on how many they
 * are, and thousands of parameters would take longer to read than to write.
 */
export const rowsFromJson = (columns: Columns) => {
  const names = Object.keys(columns)
  const shape = list(columns, (name, type) => `"${name}" ${type}`)
  return (rows: readonly object[]): RawBuilder<unknown> => {
    const plain = rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name as never]])))
    return sql`jsonb_to_recordset(${JSON.stringify(plain)}::jsonb) as row (${shape})`
  }
}

/** An INSERT of such rows, in their order. Columns that are not named get their defaults. */
export const bulkInsert = (table: string, columns: Columns) => {
  const into = sql`insert into ${sql.table(table)} (${list(columns, snake)}) overriding system value
    select ${list(columns, (name) => `row."${name}"`)} from`
  const from = rowsFromJson(columns)
  return (rows: readonly object[]): RawBuilder<unknown> => sql`${into} ${from(rows)}`
}

/** The SET list that takes these columns from such rows. */
export const setFromRow = (columns: Columns): RawBuilder<unknown> =>
  list(columns, (name) => `${snake(name)} = row."${name}"`)
