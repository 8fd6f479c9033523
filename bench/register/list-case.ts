import type { openDb } from '../../apps/server/src/db/db.ts'
import type { Actor } from '../../apps/server/src/http/route.ts'

type Reader = { db: ReturnType<typeof openDb>; actor: Actor }

/** A list as the server answers it, and the function that reads its rows. */
export type Case = { name: string; path: string; run: (read: Reader) => Promise<unknown> }

export const asked = (query: object): string => {
  const text = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    for (const item of [value].flat()) text.append(key, item instanceof Date ? String(item.getTime()) : String(item))
  return text.toString()
}
