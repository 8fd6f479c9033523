import type { Connectivity } from '@tocsin/contract/device/device'
import { sql } from 'kysely'

/** Of a device whose state is joined: null when it never connected. */
export const connectivity = sql<Connectivity>`coalesce(device_state.connectivity, 'NEVER_SEEN')`
