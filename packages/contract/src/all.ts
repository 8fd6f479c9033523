import { warnLogs } from './alarm/log.ts'
import { warnRecords } from './alarm/records.ts'
import { warnRules } from './alarm/rule.ts'
import { devices } from './device/device.ts'
import { deviceModels } from './device/model.ts'
import { schoolDevices } from './device/school-device.ts'
import type { Endpoint } from './endpoint.ts'
import { places } from './school/place.ts'
import { schools } from './school/school.ts'
import { auth } from './system/auth.ts'

/** Every call of the console, for OpenAPI and for tests; screens import their own entity's. */
export const endpoints: readonly Endpoint[] = [
  auth,
  schools,
  places,
  deviceModels,
  devices,
  schoolDevices,
  warnRules,
  warnRecords,
  warnLogs,
].flatMap((set): Endpoint[] => Object.values(set))
