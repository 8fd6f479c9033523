import { maps } from '@tocsin/contract/insight/map'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { inlineQuery } from '#api/query.ts'
import { type LoadedLibrary, loadMapLibrary } from './library.ts'

/** Loads the library of the national service, as far as this server has a key for browsers. */
export const useMapLibrary = (isAllowed: boolean) => {
  const { data, isError, refetch } = useQuery({ ...inlineQuery(maps.library), enabled: isAllowed })
  const [loaded, setLoaded] = useState<LoadedLibrary>({ state: 'LOADING' })
  const [attempt, setAttempt] = useState(0)
  const url = isAllowed ? data?.url : null
  useEffect(() => {
    if (url === undefined) return
    let isGone = false
    void loadMapLibrary(url).then((next) => {
      if (!isGone) setLoaded(next)
    })
    return () => {
      isGone = true
    }
  }, [url, attempt])
  const answer: LoadedLibrary = isError && url === undefined ? { state: 'UNREACHABLE' } : loaded
  return {
    ...answer,
    tiles: data?.tiles ?? null,
    retry: () => {
      setLoaded({ state: 'LOADING' })
      setAttempt(attempt + 1)
      if (isError) void refetch()
    },
  }
}
