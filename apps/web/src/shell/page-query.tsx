import { createContext, use } from 'react'

/** What a menu item's component string carries behind its `?` (wire 4.3); it is not in the address. */
export const PageQueryContext = createContext<Readonly<Record<string, string | string[]>>>({})

export const usePageQuery = () => use(PageQueryContext)
