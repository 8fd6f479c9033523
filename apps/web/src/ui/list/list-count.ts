import type { Page } from '@tocsin/contract/page'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { create } from 'zustand'

export type ListCount = Pick<Page<unknown>, 'total' | 'capped'>

/** How many rows the list of a page has, by path: shown beside the name of the page. */
export const useListCounts = create<Readonly<Record<string, ListCount | undefined>>>()(() => ({}))

/** Shows the count of this list beside the name of its page. */
export const useListCount = (found: ListCount | undefined): void => {
  const { pathname } = useLocation()
  const { total, capped } = found ?? {}
  useEffect(() => {
    useListCounts.setState({ [pathname]: total === undefined ? undefined : { total, capped } })
    return () => useListCounts.setState({ [pathname]: undefined })
  }, [pathname, total, capped])
}
