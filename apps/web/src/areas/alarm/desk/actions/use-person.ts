import type { Person } from '@tocsin/contract/alarm/state-machine'
import { useMemo } from 'react'
import { useSession } from '#api/session.ts'

/** The signed-in person as the state machine asks for him. */
export const usePerson = (): Person => {
  const userId = useSession((session) => session.user?.id ?? 0)
  const permissions = useSession((session) => session.permissions)
  return useMemo(() => ({ userId, may: (permission) => permissions.has(permission) }), [userId, permissions])
}
