import { parseInstant } from '@tocsin/contract/codecs'
import dayjs, { type Dayjs } from 'dayjs'
import { formatDateTime } from '../time.ts'

/** What a picker shows for an instant: it knows the zone of this computer only, and is given the server's clock in it. */
export const toWallClock = (at: Date | number): Dayjs => dayjs(formatDateTime(at))

/** The instant that was picked. */
export const fromWallClock = (wall: Dayjs): Date => parseInstant(wall.format('YYYY-MM-DD HH:mm:ss')) ?? wall.toDate()
