import { createContext, use } from 'react'

/** The part of a menu item's component string behind its `?` (wire 4.3); it is not in the address. */
export const PageQueryContext = createContext<Readonly<Record<string, string | string[]>>>({})

export const usePageQuery = () => use(PageQueryContext)
