import { dictDatas } from '@tocsin/contract/settings/dict'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const entry = { dictType: 'door', value: 'RED', label: '红门', labelEn: 'Red gate', colorType: null, cssClass: null }
const CACHE = 'dictCache'

/** Replaces the storage of the browser, which Node lacks. */
const storage = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
  }
}

const load = async () => {
  const { client, queryFor: read } = await import('../query.ts')
  const { parseDictCache: dictsFrom, DICT_MAX_AGE_MS } = await import('../dictionary.ts')
  const { clearSession } = await import('../session.ts')
  return { client, key: read(dictDatas.entries).queryKey, dictsFrom, DICT_MAX_AGE_MS, clearSession }
}

beforeEach(() => {
  vi.stubGlobal('sessionStorage', storage())
  vi.stubGlobal('localStorage', storage())
})
afterEach(() => vi.unstubAllGlobals())

describe('the dictionaries of a tab', () => {
  it('are taken from an earlier page for at most a minute', async () => {
    const { dictsFrom, DICT_MAX_AGE_MS } = await load()
    expect(DICT_MAX_AGE_MS).toBe(60_000)
    const text = JSON.stringify({ at: 1000, value: [entry] })
    expect(dictsFrom(text, 60_999)).toEqual({ at: 1000, value: [entry] })
    expect(dictsFrom(text, 61_000)).toBeUndefined()
    expect(dictsFrom(text, 999)).toBeUndefined()
  })

  it.each([null, '', '{', '[]', '{"at":1}', '{"at":1000,"value":[{"label":1}]}'])(
    'count as unknown when what was kept is %s',
    async (text) => {
      expect((await load()).dictsFrom(text, 1000)).toBeUndefined()
    },
  )

  it('are stored when read, dropped when changed, and cleared with the session', async () => {
    const { client, key, dictsFrom, clearSession } = await load()
    const kept = () => dictsFrom(sessionStorage.getItem(CACHE), Date.now())?.value
    const fetched = () => client.fetchQuery({ queryKey: key, queryFn: async () => [entry], staleTime: 0 })
    await fetched()
    expect(kept()).toEqual([entry])
    await client.invalidateQueries({ queryKey: [key[0]] })
    expect(sessionStorage.getItem(CACHE)).toBeNull()
    await fetched()
    expect(kept()).toEqual([entry])
    clearSession()
    expect(sessionStorage.getItem(CACHE)).toBeNull()
    client.clear()
  })
})
