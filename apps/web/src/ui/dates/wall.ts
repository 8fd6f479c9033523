import { parseInstant } from '@tocsin/contract/codecs'
import dayjs, { type Dayjs } from 'dayjs'
import { stamp } from '../time.ts'

/** What a picker shows for an instant: it knows the zone of this computer only, and is given the server's clock in it. */
export const toWall = (at: Date | number): Dayjs => dayjs(stamp(at))

/** The instant that was picked. */
export const fromWall = (wall: Dayjs): Date => parseInstant(wall.format('YYYY-MM-DD HH:mm:ss')) ?? wall.toDate()
