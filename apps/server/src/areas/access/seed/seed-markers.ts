import type { AllTablesDb } from '#db/db'

export type SeedMarkers = {
  db: AllTablesDb
  /** Rows that any start inserted, by key, as far as they still exist. */
  ids: Map<string, number>
  /** Keys inserted by any start: deleted rows do not return. */
  seeded: Set<string>
  /** Keys inserted by this start. */
  fresh: Set<string>
}

export const loadSeedMarkers = async (db: AllTablesDb): Promise<SeedMarkers> => {
  const rows = await db.selectFrom('seeded').select(['key', 'rowId']).execute()
  const menus = await db.selectFrom('menu').select('id').execute()
  const roles = await db.selectFrom('role').select('id').execute()
  const present = { menu: new Set(menus.map(({ id }) => id)), role: new Set(roles.map(({ id }) => id)) }
  const exists = (key: string, id: number) => {
    if (key.startsWith('menu/')) return present.menu.has(id)
    return key.startsWith('role/') ? present.role.has(id) : true
  }
  const kept = rows.filter(({ key, rowId }) => exists(key, rowId))
  return {
    db,
    ids: new Map(kept.map(({ key, rowId }) => [key, rowId])),
    seeded: new Set(rows.map(({ key }) => key)),
    fresh: new Set(),
  }
}

/**
 * Inserts a row exactly once in the life of this database: edited or deleted afterwards, it is left alone. An insert
 * without a result met a custom row with the same name, which wins.
 */
export const seedOnce = async (marks: SeedMarkers, key: string, insert: () => Promise<{ id: number } | undefined>) => {
  if (marks.seeded.has(key)) return marks.ids.get(key)
  const row = await insert()
  if (!row) return undefined
  await marks.db.insertInto('seeded').values({ key, rowId: row.id }).execute()
  marks.seeded.add(key)
  marks.fresh.add(key)
  marks.ids.set(key, row.id)
  return row.id
}
