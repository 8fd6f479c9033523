import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import { type SettingKey, findSettingDefinition } from './setting-definitions.ts'

type Kept = { value: string; visible: boolean } | undefined

/** Maximum age of the cache on a node that missed the event. */
const MAX_AGE_MS = 60_000
const kept = new Map<string, { row: Kept; at: number }>()
/** Counts invalidations, so that a value read before one is not cached after it. */
let forgotten = 0

/** Called when settings changed on this or another node. */
export const invalidateSettings = (): void => {
  forgotten += 1
  kept.clear()
}

const read = async (db: Db, key: string): Promise<Kept> => {
  const known = kept.get(key)
  if (known && performance.now() - known.at < MAX_AGE_MS) return known.row
  const before = forgotten
  const row = await db.selectFrom('config').select(['value', 'visible']).where('key', '=', key).executeTakeFirst()
  // Only existing keys are cached: made-up names must not fill the memory.
  if (row && before === forgotten) kept.set(key, { row, at: performance.now() })
  return row
}

/** The public value; null for a setting that does not exist. */
export const getPublicSetting = async (db: Db, key: string): Promise<string | null> => {
  const row = await read(db, key)
  if (row && !row.visible) throw new BusinessError(codes.configHidden)
  return row?.value ?? null
}

/** Value of a built-in setting as text. */
export const getSetting = async (db: Db, key: SettingKey): Promise<string> =>
  (await read(db, key))?.value ?? findSettingDefinition(key)?.value ?? ''
