import { dictDatas, type DictEntry } from '@tocsin/contract/settings/dict'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { client, queryFor } from './query.ts'
import { DICT_CACHE, setTabItem, getTabItem } from './storage.ts'

/** SPEC 9: the browser keeps the dictionaries for a minute. */
export const DICT_MAX_AGE_MS = 60_000

const Kept = z.object({ at: z.number(), value: dictDatas.simpleList.data })

type KeptDicts = { at: number; value: DictEntry[] }

/** What an earlier page of this tab keptHere, as far as it is young enough; nothing for what cannot be read. */
export const parseDictCache = (text: string | null, now: number): KeptDicts | undefined => {
  try {
    const { success, data } = Kept.safeParse(JSON.parse(text ?? 'null'))
    return success && now - data.at < DICT_MAX_AGE_MS && data.at <= now ? data : undefined
  } catch {
    return undefined
  }
}

const list = queryFor(dictDatas.simpleList)

// One listener for every reason: `dict.changed`, an edit of one's own, a resync. What is stale must not outlive a reload.
client.getQueryCache().subscribe(({ type, query, ...event }) => {
  if (type !== 'updated' || query.queryKey[1] !== dictDatas.simpleList.path || !('action' in event)) return
  const { action } = event
  if (action.type === 'invalidate') setTabItem(DICT_CACHE, null)
  if (action.type === 'success' && !action.manual)
    setTabItem(DICT_CACHE, JSON.stringify({ at: query.state.dataUpdatedAt, value: query.state.data }))
})

const none: readonly DictEntry[] = []

/**
 * Entries in use of one dictionary, in their order; none until they are known. Read again after a minute, and at once
 * when they changed.
 */
export const useDict = (dictType: string): readonly DictEntry[] => {
  const { data } = useQuery({
    ...list,
    initialData: () => parseDictCache(getTabItem(DICT_CACHE), Date.now())?.value,
    initialDataUpdatedAt: () => parseDictCache(getTabItem(DICT_CACHE), Date.now())?.at,
    staleTime: DICT_MAX_AGE_MS,
    refetchInterval: DICT_MAX_AGE_MS,
    gcTime: Number.POSITIVE_INFINITY,
    select: (all) => all.filter((one) => one.dictType === dictType),
  })
  return data ?? none
}
