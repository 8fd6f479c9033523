import { QueryClientProvider } from '@tanstack/react-query'
import type { PermissionInfo } from '@tocsin/contract/system/auth'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { RouterProvider } from 'react-router/dom'
import { client } from '#api/query.ts'
import { Gate } from './Gate.tsx'
import { type Plan, planMenus } from './menu.ts'
import { Themed } from './look/Themed.tsx'

type Props = {
  lockedBell: ReactNode
  has: (screen: string) => boolean
  routerFor: (plan: Plan) => Parameters<typeof RouterProvider>[0]['router']
}

const Pages = ({ menus, has, routerFor }: Omit<Props, 'lockedBell'> & { menus: PermissionInfo['menus'] }) => {
  // An equal answer keeps its identity in the query cache, so new menus alone make a new router.
  const router = useMemo(() => routerFor(planMenus(menus, has)), [menus, has, routerFor])
  const first = useRef(router)
  useEffect(() => {
    // What the next router knows from its start it tells nobody who listens only now.
    if (router !== first.current) void router.revalidate()
    return () => router.dispose()
  }, [router])
  return <RouterProvider router={router} />
}

/** The whole application for a signed-in person. */
export const Console = ({ lockedBell, ...props }: Props) => (
  <QueryClientProvider client={client}>
    <Themed>
      <Gate lockedBell={lockedBell}>{({ menus }) => <Pages menus={menus} {...props} />}</Gate>
    </Themed>
  </QueryClientProvider>
)
