import { dictDatas, type DictEntry } from '@tocsin/contract/settings/dict'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { client, queryFor } from './query.ts'
import { DICT_CACHE, setTabItem, getTabItem } from './storage.ts'

/** SPEC 9: the browser keeps the dictionaries for a minute. */
export const DICT_MAX_AGE_MS = 60_000

const Kept = z.object({ at: z.number(), value: dictDatas.entries.data })

type KeptDicts = { at: number; value: DictEntry[] }

/** What an earlier page of this tab stored, unless it is too old or cannot be parsed. */
export const parseDictCache = (text: string | null, now: number): KeptDicts | undefined => {
  try {
    const { success, data } = Kept.safeParse(JSON.parse(text ?? 'null'))
    return success && now - data.at < DICT_MAX_AGE_MS && data.at <= now ? data : undefined
  } catch {
    return undefined
  }
}

const list = queryFor(dictDatas.entries)

// One listener for every reason: `dict.changed`, an own edit, a resync. Stale entries must not survive a reload.
client.getQueryCache().subscribe(({ type, query, ...event }) => {
  if (type !== 'updated' || query.queryKey[1] !== dictDatas.entries.path || !('action' in event)) return
  const { action } = event
  if (action.type === 'invalidate') setTabItem(DICT_CACHE, null)
  if (action.type === 'success' && !action.manual)
    setTabItem(DICT_CACHE, JSON.stringify({ at: query.state.dataUpdatedAt, value: query.state.data }))
})

const none: readonly DictEntry[] = []

/** Counted from the read, also when a page before this one made it. */
const untilExpired = ({ state }: { state: { dataUpdatedAt: number } }): number => {
  const left = state.dataUpdatedAt + DICT_MAX_AGE_MS - Date.now()
  return left > 0 ? left : DICT_MAX_AGE_MS
}

/**
 * Enabled entries of one dictionary, in their order; none until loaded. Read again after a minute, and at once after a
 * change.
 */
export const useDict = (dictType: string): readonly DictEntry[] => {
  const { data } = useQuery({
    ...list,
    initialData: () => parseDictCache(getTabItem(DICT_CACHE), Date.now())?.value,
    initialDataUpdatedAt: () => parseDictCache(getTabItem(DICT_CACHE), Date.now())?.at,
    staleTime: DICT_MAX_AGE_MS,
    refetchInterval: untilExpired,
    meta: { tabCached: true },
    gcTime: Number.POSITIVE_INFINITY,
    select: (all) => all.filter((item) => item.dictType === dictType),
  })
  return data ?? none
}
