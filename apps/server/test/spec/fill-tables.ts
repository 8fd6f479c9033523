import { sql } from 'kysely'
import { type DbColumn, type DbStructure, readStructures } from '../../src/areas/codegen/structure.ts'
import type { UnscopedDb } from '../../src/db/db.ts'

type Structures = ReadonlyMap<string, DbStructure>

const plainValue = ({ kind, words }: DbColumn): unknown => {
  switch (kind) {
    case 'BOOL':
      return false
    case 'FLOAT':
      return 0
    case 'DAY':
    case 'INSTANT':
      return '2026-01-01'
    case 'LIST':
      return []
    case 'TEXT':
      return words[0] ?? 'x'
    default:
      return 1
  }
}

/** @returns the id of a row, which is created with its references when there is none */
const rowIn = async (db: UnscopedDb, structures: Structures, table: string): Promise<number> => {
  const { rows } = await sql<{ id: number | null }>`select min(id) as id from ${sql.table(table)}`.execute(db)
  const [found] = rows
  if (found?.id) return found.id
  const needed = (structures.get(table)?.columns ?? []).filter(
    ({ name, nullable, preset }) => name !== 'id' && !nullable && preset === null,
  )
  const values: unknown[] = []
  for (const column of needed)
    values.push(column.refers === null ? plainValue(column) : await rowIn(db, structures, column.refers))
  const names = needed.map(({ name }) => sql.ref(name))
  const made = sql<{ id: number }>`
    insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)}) returning id`
  const { id } = (await made.execute(db)).rows[0] ?? { id: 0 }
  return id
}

/** @returns the id of a row of this table, which is created when there is none */
export const fillTable = async (db: UnscopedDb, table: string): Promise<number> =>
  rowIn(db, new Map((await readStructures(db)).map((structure) => [structure.name, structure])), table)

/** Inserts a row into every editable table whose columns are checked one by one, like those of generated modules. */
export const fillEmptyTables = async (db: UnscopedDb): Promise<void> => {
  const structures = new Map((await readStructures(db)).map((structure) => [structure.name, structure]))
  for (const { name, columns, rules } of structures.values())
    if (rules.length === 0 && columns.some((column) => column.name === 'version')) await rowIn(db, structures, name)
}
