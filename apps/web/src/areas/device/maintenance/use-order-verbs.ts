import type { MaintenanceRow } from '@tocsin/contract/device/maintenance'
import { type MaintenanceVerb, maintenanceVerbs, whyNotMaintenance } from '@tocsin/contract/device/maintenance-machine'
import { useSession } from '#api/session.ts'

/** The verbs that the user can apply to an order now, the next step first. */
export const useOrderVerbs = () => {
  const permissions = useSession(({ permissions: granted }) => granted)
  const user = useSession(({ user: own }) => own)
  const person = { userId: user?.id ?? 0, hasPermission: (permission: string) => permissions.has(permission) }
  return (order: MaintenanceRow): MaintenanceVerb[] =>
    maintenanceVerbs.filter((verb) => whyNotMaintenance(verb, order, person) === undefined)
}
