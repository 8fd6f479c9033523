import type { DeviceRow } from '@tocsin/contract/device/device'
import { deviceVerbs } from '@tocsin/contract/device/device-verbs'
import { lifecycleRule, whyNotTransition } from '@tocsin/contract/device/lifecycle'
import { useSession } from '#api/session.ts'
import type { DeviceVerbName } from './DeviceVerbDialog.tsx'

const names = Object.keys(deviceVerbs) as DeviceVerbName[]

type Subject = Pick<DeviceRow, 'registeredLifecycle' | 'installationId'>

/** Verbs that the user may apply to a device now, in the order of the machine. */
export const useDeviceVerbs = () => {
  const permissions = useSession(({ permissions: held }) => held)
  return ({ registeredLifecycle: lifecycle, installationId }: Subject): DeviceVerbName[] =>
    names.filter((verb) => {
      const installed = installationId !== null && verb !== 'lost'
      return permissions.has(lifecycleRule(verb).permission) && !whyNotTransition(verb, { lifecycle, installed })
    })
}
