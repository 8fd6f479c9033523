import { createContext } from 'react'

/** The resource of the surrounding list: writes to other resources do not affect its rows. */
export const ListResourceContext = createContext<string | undefined>(undefined)
