import { QueryClientProvider } from '@tanstack/react-query'
import type { PermissionInfo } from '@tocsin/contract/access/auth'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { client } from '#api/query.ts'
import { SessionGate } from './SessionGate.tsx'
import { type MenuRoutes, buildRoutes } from './menu-routes.ts'
import { AppThemeProvider } from './theme/AppThemeProvider.tsx'

type Props = {
  lockedBell: ReactNode
  has: (screen: string) => boolean
  routerFor: (plan: MenuRoutes) => Parameters<typeof RouterProvider>[0]['router']
}

type Router = ReturnType<Props['routerFor']>

const COVERED = 'covered'

/** One router at a time. While the lock covers the pages nothing navigates, and no form is lost. */
const useRouter = (router: Router) => {
  const before = useRef<Router>(undefined)
  useEffect(() => {
    router.deleteBlocker(COVERED)
    if (before.current !== router) before.current?.dispose()
    // A router does not report navigations from before it had a listener.
    if (before.current) void router.revalidate()
    before.current = router
    return () => void router.getBlocker(COVERED, () => true)
  }, [router])
}

const Pages = ({ menus, has, routerFor }: Omit<Props, 'lockedBell'> & { menus: PermissionInfo['menus'] }) => {
  // An equal answer keeps its identity in the query cache, so only new menus create a new router.
  const router = useMemo(() => routerFor(buildRoutes(menus, has)), [menus, has, routerFor])
  const [first] = useState(router)
  useRouter(router)
  // Another page is rendered at once: between the steps of a transition the browser would paint the old one again. A
  // router that takes over starts empty, which only a transition hides.
  return <RouterProvider router={router} {...(router === first && { useTransitions: false })} />
}

/** The whole application of a signed-in user. */
export const Console = ({ lockedBell, ...props }: Props) => (
  <QueryClientProvider client={client}>
    <AppThemeProvider>
      <SessionGate lockedBell={lockedBell}>{({ menus }) => <Pages menus={menus} {...props} />}</SessionGate>
    </AppThemeProvider>
  </QueryClientProvider>
)
