import { parseInstant } from '@tocsin/contract/codecs'
import { wallClock } from '@tocsin/contract/time-zone'
import dayjs, { type Dayjs } from 'dayjs'

/**
 * The value of a picker for an instant: the picker knows only this computer's zone, so it receives the server's wall
 * clock in it.
 */
export const toWallClock = (at: Date | number): Dayjs =>
  dayjs(wallClock(new Date(at)).toISOString().slice(0, 19).replace('T', ' '))

/** The instant of a picked value. */
export const fromWallClock = (wall: Dayjs, passing?: 'first' | 'last'): Date =>
  parseInstant(wall.format('YYYY-MM-DD HH:mm:ss'), passing) ?? wall.toDate()
