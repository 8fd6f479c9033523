import { users } from '@tocsin/contract/system/user'
import { useQuery } from '@tanstack/react-query'
import { read } from '#api/query.ts'

/** Everybody whom the person may see and choose. */
export const usePeople = () => useQuery({ ...read(users.simpleList), staleTime: 60_000 })
