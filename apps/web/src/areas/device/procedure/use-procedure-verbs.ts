import type { ProcedureRow } from '@tocsin/contract/device/procedure/procedure'
import {
  type ProcedureVerb,
  procedureVerbs,
  whyNotProcedure,
} from '@tocsin/contract/device/procedure/procedure-machine'
import { codes } from '@tocsin/contract/codes'
import { useSession } from '#api/session.ts'

/** The verbs that the user can apply now. `waits`: only another person can publish the draft. */
export const useProcedureVerbs = () => {
  const permissions = useSession(({ permissions: granted }) => granted)
  const user = useSession(({ user: own }) => own)
  const person = { userId: user?.id ?? 0, hasPermission: (permission: string) => permissions.has(permission) }
  return (row: ProcedureRow): { verbs: ProcedureVerb[]; waits: boolean } => ({
    verbs: procedureVerbs.filter((verb) => whyNotProcedure(verb, row, person) === undefined),
    waits: whyNotProcedure('publish', row, person) === codes.procedurePublisher,
  })
}
