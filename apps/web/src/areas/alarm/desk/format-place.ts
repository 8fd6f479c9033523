import type { WarnRecordRow } from '@tocsin/contract/alarm/record'

type At = Pick<WarnRecordRow, 'building' | 'floor' | 'room' | 'placePath'>

/** The full path of the room when the alarm came; empty when the place is unknown. */
export const formatPlace = ({ building, floor, room, placePath }: At): string =>
  placePath || [building, floor, room].filter(Boolean).join(' / ')
