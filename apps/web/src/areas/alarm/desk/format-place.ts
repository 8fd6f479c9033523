import type { WarnRecordRow } from '@tocsin/contract/alarm/record'

type At = Pick<WarnRecordRow, 'building' | 'floor' | 'room' | 'placePath'>

/** The whole way to the room as it was when the alarm came; empty when the place is not known. */
export const formatPlace = ({ building, floor, room, placePath }: At): string =>
  placePath || [building, floor, room].filter(Boolean).join(' / ')
