import type { Person } from '@tocsin/contract/alarm/state-machine'
import { useMemo } from 'react'
import { useSession } from '#api/session.ts'

/** The signed-in user in the form that the state machine needs. */
export const usePerson = (): Person => {
  const userId = useSession((session) => session.user?.id ?? 0)
  const permissions = useSession((session) => session.permissions)
  return useMemo(() => ({ userId, may: (permission) => permissions.has(permission) }), [userId, permissions])
}
