import type { Connectivity } from '@tocsin/contract/device/device'
import { sql } from 'kysely'

/** Of a device whose state is joined: one that never spoke has none. */
export const connectivity = sql<Connectivity>`coalesce(device_state.connectivity, 'NEVER_SEEN')`
