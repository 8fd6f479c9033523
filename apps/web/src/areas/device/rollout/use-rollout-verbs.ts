import type { RolloutRow } from '@tocsin/contract/device/rollout/rollout'
import {
  type PersonRolloutVerb,
  personRolloutVerbs,
  whyNotRollout,
} from '@tocsin/contract/device/rollout/rollout-machine'
import { useSession } from '#api/session.ts'

/** The verbs that the user can apply to a rollout now. */
export const useRolloutVerbs = () => {
  const permissions = useSession(({ permissions: granted }) => granted)
  const user = useSession(({ user: own }) => own)
  const person = { userId: user?.id ?? 0, hasPermission: (permission: string) => permissions.has(permission) }
  return (row: RolloutRow): PersonRolloutVerb[] =>
    personRolloutVerbs.filter((verb) => whyNotRollout(verb, row, person) === undefined)
}
