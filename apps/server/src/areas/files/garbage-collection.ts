import { type SqlBool, sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { unscoped } from '#db/scope'
import { getFileStore } from './file-store.ts'
import { isReferenced } from './read.ts'

const BATCH = 200
const DAY_MS = 86_400_000

/** Expired, or a day old without references. An export without an expiry lives a day as well. */
const over = sql<SqlBool>`(
  file.expires_at <= now()
  or (file.purpose <> 'LIBRARY' and file.expires_at is null and file.created_at < now() - interval '1 day')
)`

const forgetBatch = async (all: AllTablesDb): Promise<number> => {
  const { store } = getFileStore()
  const gone = await all.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('file')
      .select('id')
      .where(over)
      .where(sql<SqlBool>`not ${isReferenced}`)
      .orderBy('id')
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute()
    const ids = found.map(({ id }) => id)
    if (ids.length > 0) await trx.deleteFrom('file').where('id', 'in', ids).execute()
    return ids
  })
  for (const id of gone) await store.remove(id)
  return gone.length
}

/** Deletes expired files, row first: a row without content would be a broken link. */
export const deleteExpiredFiles = async (db: Db): Promise<void> => {
  const all = unscoped(db, 'housekeeping removes files of everybody')
  while ((await forgetBatch(all)) === BATCH);
  await sweepContent(all)
}

let sweptAt = 0

/**
 * Deletes content without a row: its upload failed, or its deletion was interrupted. Content younger than a day may
 * belong to a running upload. Runs once a day, because it lists the whole store.
 */
const sweepContent = async (all: AllTablesDb): Promise<void> => {
  if (Date.now() - sweptAt < DAY_MS) return
  sweptAt = Date.now()
  await deleteOrphanContent(all, new Date(Date.now() - DAY_MS))
}

/** @returns the number of deleted files */
export const deleteOrphanContent = async (all: AllTablesDb, before: Date): Promise<number> => {
  const { store } = getFileStore()
  let removed = 0
  for await (const batch of store.list()) {
    const old = batch.filter(({ at }) => at < before).map(({ id }) => id)
    if (old.length === 0) continue
    const rows = await all.selectFrom('file').select('id').where('id', 'in', old).execute()
    const kept = new Set(rows.map(({ id }) => id))
    for (const id of old.filter((id) => !kept.has(id))) {
      await store.remove(id)
      removed += 1
    }
  }
  return removed
}
