import { classKinds, type EffectiveDay } from '@tocsin/contract/school/calendar'
import { zone } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import { type ClassHours, findClassHours } from '#areas/school/calendar/class-hours'
import { formatDay, listSchoolDays } from '#areas/school/calendar/day-kind'
import type { Db } from '#db/db'

/** No update starts during the school hours of its term, else during these, and none at all on a day of exams. */
const usualHours: ClassHours = { fromMin: 8 * 60, toMin: 17 * 60 + 30 }
/** Exams are not longer than this; the day after it is looked at again. */
const MAX_EXAM_DAYS = 30
const DAY_MS = 86_400_000

/** A day and the minutes since midnight, in the zone of the server. */
export type LocalTime = { day: string; minute: number }

/** Why nothing starts at a school now, and when it goes on. */
export type Freeze = { reason: 'CLASS' | 'EXAM'; until: LocalTime }

export const loadLocalTime = async (db: Db): Promise<LocalTime> => {
  const { rows } = await sql<LocalTime>`
    select to_char(local, 'YYYY-MM-DD') as day, (extract(hour from local) * 60 + extract(minute from local))::int4 as minute
    from (select now() at time zone ${zone.name} as local) t`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the clock of the database answers one row')
  return row
}

/** @returns the moment of a local time. */
export const toMoment = async (db: Db, { day, minute }: LocalTime): Promise<Date> => {
  const { rows } = await sql<{ at: Date }>`
    select (${day}::date + make_interval(mins => ${minute})) at time zone ${zone.name} as at`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a date has one moment')
  return row.at
}

type SchoolCalendar = { days: readonly EffectiveDay[]; hours: ClassHours | null }

/** The freeze at a school whose next days are these, today first. */
export const freezeOf = ({ days, hours }: SchoolCalendar, { day, minute }: LocalTime): Freeze | null => {
  const [today] = days
  if (!today || !classKinds.includes(today.kind)) return null
  if (today.kind === 'EXAM') {
    const next = days.find(({ kind }) => kind !== 'EXAM') ?? days.at(-1) ?? today
    return { reason: 'EXAM', until: { day: next.day, minute: 0 } }
  }
  const { fromMin, toMin } = hours ?? usualHours
  if (minute < fromMin || minute >= toMin) return null
  return { reason: 'CLASS', until: { day, minute: toMin } }
}

/** Tells for each school whether updates wait now; reads each school once. */
export const createFreezeCheck = (db: Db, now: LocalTime) => {
  const known = new Map<number, Promise<Freeze | null>>()
  const toDay = formatDay(Date.parse(`${now.day}T00:00:00Z`) + MAX_EXAM_DAYS * DAY_MS)
  const read = async (schoolId: number) =>
    freezeOf(
      {
        days: await listSchoolDays(db, schoolId, { fromDay: now.day, toDay }),
        hours: await findClassHours(db, schoolId, now.day),
      },
      now,
    )
  return async (schoolId: number | null): Promise<Freeze | null> => {
    if (schoolId === null) return null
    const found = known.get(schoolId) ?? read(schoolId)
    known.set(schoolId, found)
    return found
  }
}
