import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'

/** The open page has loaded everything it asked for, and nothing else was requested since. */
const QUIET_MS = 2000

/** Most links from here lead to a list: its code is loaded while the connection is idle. */
export const ListChunkPrefetch = () => {
  const busy = useIsFetching() > 0
  useEffect(() => {
    if (busy) return
    const timer = setTimeout(() => void import('#ui/list/ListPage.tsx').catch(() => undefined), QUIET_MS)
    return () => clearTimeout(timer)
  }, [busy])
  return null
}
