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

/** One router at a time. While the pages are covered by the lock nobody leads them elsewhere, and no form is lost. */
const useRouter = (router: Router) => {
  const before = useRef<Router>(undefined)
  useEffect(() => {
    router.deleteBlocker(COVERED)
    if (before.current !== router) before.current?.dispose()
    // What a router knows from before it is listened to it tells nobody.
    if (before.current) void router.revalidate()
    before.current = router
    return () => void router.getBlocker(COVERED, () => true)
  }, [router])
}

const Pages = ({ menus, has, routerFor }: Omit<Props, 'lockedBell'> & { menus: PermissionInfo['menus'] }) => {
  // An equal answer keeps its identity in the query cache, so new menus alone make a new router.
  const router = useMemo(() => routerFor(buildRoutes(menus, has)), [menus, has, routerFor])
  const [first] = useState(router)
  useRouter(router)
  // Another page is drawn in one go: between the small steps of a transition the browser draws the old one again. A
  // router that takes over begins with nothing, which only a transition leaves unseen.
  return <RouterProvider router={router} {...(router === first && { useTransitions: false })} />
}

/** The whole application for a signed-in person. */
export const Console = ({ lockedBell, ...props }: Props) => (
  <QueryClientProvider client={client}>
    <AppThemeProvider>
      <SessionGate lockedBell={lockedBell}>{({ menus }) => <Pages menus={menus} {...props} />}</SessionGate>
    </AppThemeProvider>
  </QueryClientProvider>
)
