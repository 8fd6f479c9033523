import { auth } from '@tocsin/contract/access/auth'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queryFor } from '#api/query.ts'
import { buildRoutes } from './menu-routes.ts'

/** The address of a screen in this user's menus; undefined when he does not have it. */
export const usePathOf = () => {
  const { data } = useQuery({ ...queryFor(auth.permissionInfo), staleTime: Number.POSITIVE_INFINITY })
  const paths = useMemo(() => {
    const { routes } = buildRoutes(data?.menus ?? [], () => true)
    return new Map(routes.flatMap((route) => (route.kind === 'screen' ? [[route.screen, route.path]] : [])))
  }, [data])
  return (screen: string): string | undefined => paths.get(screen)
}
