import { COMMAND_TTL_SEC } from '@tocsin/contract/device/command'
import { MINUTES_PER_DAY } from '@tocsin/contract/security/hours'
import { classKinds } from '@tocsin/contract/school/calendar'
import { zone } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import { formatDay } from '#areas/school/calendar/day-kind'
import { type ClassHours, loadSchoolCalendars, type SchoolCalendar } from '#areas/school/calendar/school-calendars'
import type { Db } from '#db/db'

/** No update starts during the school hours of its term, else during these, and none at all on a day of exams. */
const usualHours: ClassHours = { fromMin: 8 * 60, toMin: 17 * 60 + 30 }
/** A command is good for so long, so none is sent that a device could still follow in class. */
const MARGIN_MIN = COMMAND_TTL_SEC / 60
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

const freezeAt = ({ days, hours }: SchoolCalendar, { day, minute }: LocalTime): Freeze | null => {
  const [today] = days
  if (!today || !classKinds.includes(today.kind)) return null
  if (today.kind === 'EXAM') {
    const next = days.find(({ kind }) => kind !== 'EXAM') ?? days.at(-1) ?? today
    return { reason: 'EXAM', until: { day: next.day, minute: 0 } }
  }
  const { fromMin, toMin } = hours ?? usualHours
  if (minute < fromMin - MARGIN_MIN || minute >= toMin) return null
  return { reason: 'CLASS', until: { day, minute: toMin } }
}

/** The freeze at a school whose next days are these, today first. */
export const freezeOf = (calendar: SchoolCalendar, now: LocalTime): Freeze | null => {
  const found = freezeAt(calendar, now)
  const [, ...later] = calendar.days
  const [tomorrow] = later
  if (found || tomorrow?.kind !== 'EXAM' || now.minute < MINUTES_PER_DAY - MARGIN_MIN) return found
  return freezeAt({ ...calendar, days: later }, { day: tomorrow.day, minute: 0 })
}

/** The freeze at each school, null for none; the statements are as many for one school as for all of them. */
export const loadFreezes = async (
  db: Db,
  schoolIds: readonly number[],
  now: LocalTime,
): Promise<Map<number, Freeze | null>> => {
  const toDay = formatDay(Date.parse(`${now.day}T00:00:00Z`) + MAX_EXAM_DAYS * DAY_MS)
  const calendars = await loadSchoolCalendars(db, schoolIds, { fromDay: now.day, toDay })
  return new Map(schoolIds.map((id) => [id, freezeOf(calendars(id), now)]))
}

/** Those of the schools at which nothing may start now. */
export const listFrozenSchools = async (
  db: Db,
  schoolIds: readonly (number | null)[],
  now: LocalTime,
): Promise<number[]> => {
  const freezes = await loadFreezes(
    db,
    schoolIds.flatMap((id) => id ?? []),
    now,
  )
  return [...freezes].flatMap(([id, freeze]) => (freeze ? id : []))
}
