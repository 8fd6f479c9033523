import { createContext } from 'react'

/** The resource whose rows the list around shows: what is written to another one leaves them as they are. */
export const ListResourceContext = createContext<string | undefined>(undefined)
