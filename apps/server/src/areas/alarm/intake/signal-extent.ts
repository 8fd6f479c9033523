import type { SignalSource } from './signal-source.ts'

/** What a signal concerns when it is more than its device: the school of the device, or a department. */
export type SignalExtent = { kind: 'SCHOOL' } | { kind: 'DISTRICT'; deptId: number }

const nowhere = {
  schoolDeviceId: null,
  placeId: null,
  building: null,
  floor: null,
  room: null,
  placePath: null,
} as const

/** The source of such a signal: its record names no room, and for a department no school. */
export const widenSource = (source: SignalSource, extent: SignalExtent | undefined): SignalSource => {
  if (!extent) return source
  if (extent.kind === 'SCHOOL') return { ...source, ...nowhere }
  return { ...source, ...nowhere, deptId: extent.deptId, schoolId: null, schoolName: null, lng: null, lat: null }
}
