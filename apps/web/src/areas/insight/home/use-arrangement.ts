import { useMemo } from 'react'
import { useSession } from '#api/session.ts'
import { setPreferences, usePreferences } from '#shell/theme/preferences.ts'
import { type Arrangement, arrangeCards, formatArrangement } from './home-cards.ts'

/** The user's cards of Home, and how to store another arrangement, the same on every computer. */
export const useArrangement = () => {
  const stored = usePreferences(({ homeCards }) => homeCards)
  const roles = useSession((session) => session.roles)
  const permissions = useSession((session) => session.permissions)
  const arrangement = useMemo(
    () => arrangeCards(stored, { roles, can: (wanted) => [wanted].flat().some((item) => permissions.has(item)) }),
    [stored, roles, permissions],
  )
  const change = (next: Arrangement) => setPreferences({ homeCards: formatArrangement(next) })
  return { arrangement, change, reset: () => setPreferences({ homeCards: '' }) }
}
