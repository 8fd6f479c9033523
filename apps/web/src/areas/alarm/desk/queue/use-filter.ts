import { useState } from 'react'
import { useSession } from '#api/session.ts'
import { setLocalItem, getLocalItem } from '#api/storage.ts'
import { type Filter, isFiltering, parseFilter } from './filter.ts'

/** The user's filter, stored on this computer. */
export const useFilter = () => {
  const me = useSession((session) => session.user?.id)
  const key = `deskFilter.${me ?? 0}`
  const [filter, setFilter] = useState(() => parseFilter(getLocalItem(key)))
  const choose = (next: Filter) => {
    setFilter(next)
    setLocalItem(key, isFiltering(next) ? JSON.stringify(next) : null)
  }
  return [filter, choose] as const
}
