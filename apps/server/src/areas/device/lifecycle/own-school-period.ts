import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#http/route'

/**
 * Whether a row about a device is from a time in which a school of the user held the device, or no school did. The
 * reasons, texts and names of a school stay with it when the device goes to another.
 * @param schoolId column with the school of that time; null where none held the device
 */
export const isOfOwnSchoolPeriod = (
  { schools }: Pick<Actor, 'schools'>,
  schoolId: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  schools === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`(${schoolId} is null or ${schoolId} = any(${[...schools]}::bigint[]))`
