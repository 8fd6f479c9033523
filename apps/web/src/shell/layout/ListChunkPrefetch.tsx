import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'

/** The page that was opened has all it asked for, and nothing else was asked since. */
const QUIET_MS = 2000

/** Most ways lead from here to a list: its parts come while the line has nothing else to carry. */
export const ListChunkPrefetch = () => {
  const busy = useIsFetching() > 0
  useEffect(() => {
    if (busy) return
    const timer = setTimeout(() => void import('#ui/list/ListPage.tsx').catch(() => undefined), QUIET_MS)
    return () => clearTimeout(timer)
  }, [busy])
  return null
}
