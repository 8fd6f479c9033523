import { useSession } from '#api/session.ts'
import { WIDE } from '#ui/responsive/wide.ts'
import type { PlannedRoute } from './menu-routes.ts'
import { usePreferences } from './theme/preferences.ts'

/** Where a sign-in without a wanted page leads; the console goes on from there to the first page of the user. */
export const START = '/start'

type Target = { screen: string; query?: string; phoneOnly?: boolean }

const HOME = 'dashboard/index'
const desk: Target = { screen: 'warn/desk/index' }
const tasks: Target = { screen: 'task/index' }
const school: Target = { ...tasks, phoneOnly: true }

/** The first page of each role. Of several roles the first in this order counts; the others see the dashboard. */
const targets: readonly (readonly [role: string, target: Target])[] = [
  ['super_admin', { screen: HOME }],
  ['security_admin', { screen: HOME }],
  ['shift_lead', desk],
  ['command_operator', desk],
  ['station_desk', { screen: 'policeSituation/desk' }],
  ['edu_bureau', { screen: HOME }],
  ['school_admin', school],
  ['safety_officer', school],
  ['officer', tasks],
  ['guard', tasks],
  ['maintainer', { screen: 'device/maintenance', query: 'mine=true' }],
  ['counsellor', { screen: 'warn/record/index', query: 'class=BULLY' }],
  ['supervisor', { screen: 'supervise/index', query: 'view=ISSUED' }],
  ['auditor', { screen: 'system/log/index' }],
]

type Person = { roles: readonly string[]; chosen: string; phone: boolean }

/** @returns the address of the first page; undefined for the dashboard. */
export const chooseFirstPage = (
  { roles, chosen, phone }: Person,
  routes: readonly PlannedRoute[],
): string | undefined => {
  const pathOf = (screen: string) => routes.find((route) => route.kind === 'screen' && route.screen === screen)?.path
  // A screen that was taken from the person's menus since does not count.
  const own = chosen ? pathOf(chosen) : undefined
  if (own) return own
  const target = targets.find(([role]) => roles.includes(role))?.[1]
  if (!target || (target.phoneOnly && !phone)) return undefined
  const path = pathOf(target.screen)
  return path && target.query ? `${path}?${target.query}` : path
}

export const firstPage = (routes: readonly PlannedRoute[]): string | undefined =>
  chooseFirstPage(
    {
      roles: useSession.getState().roles,
      chosen: usePreferences.getState().firstPage,
      phone: !matchMedia(WIDE).matches,
    },
    routes,
  )
