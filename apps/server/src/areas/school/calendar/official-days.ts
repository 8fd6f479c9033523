import chineseDays from 'chinese-days'
import type { CalendarDayDraft } from '@tocsin/contract/school/calendar'
import { listDays } from './day-kind.ts'

/** `National Day,国庆节,3`: only days of the official list have a name of this form. */
const officialName = /^[^,]+,([^,]+),\d+$/

/** Holidays and make-up days of one year; empty for a year that the package does not know. */
export const listOfficialDays = (year: number): CalendarDayDraft[] =>
  listDays(`${year}-01-01`, `${year}-12-31`).flatMap((day) => {
    const { work, name } = chineseDays.getDayDetail(day)
    const found = officialName.exec(name)
    if (!found) return []
    return [{ day, kind: work ? ('MAKEUP' as const) : ('HOLIDAY' as const), name: found[1] ?? null }]
  })
