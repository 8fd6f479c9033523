import { listOfficialDays } from '#areas/school/calendar/official-days'
import { listDays } from '#areas/school/calendar/day-kind'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { deptByCode } from '../fixtures.ts'

const day = (daysFromNow: number) => sql<string>`current_date + ${daysFromNow}::int`

/** The running term of the bureau, the official holidays, and three days of exams at the first school. */
export const buildCalendar = async (trx: Db, [first]: readonly number[]): Promise<void> => {
  const all = unscoped(trx, 'the demo data belongs to every department')
  const deptId = await deptByCode(trx, 'EDU')
  await all
    .insertInto('schoolTerm')
    .values({ deptId, name: '本学期', fromDay: day(-80), toDay: day(60), fromMin: 465, toMin: 1020 })
    .execute()
  const official = listOfficialDays(new Date().getFullYear())
  if (official.length > 0)
    await all
      .insertInto('schoolCalendarDay')
      .values(official.map((item) => ({ ...item, deptId, official: true })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  const school = await all
    .selectFrom('school')
    .select('deptId')
    .where('id', '=', first ?? 0)
    .executeTakeFirstOrThrow()
  const today = new Date()
  const at = (days: number) => new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  await all
    .insertInto('schoolCalendarDay')
    .values(
      listDays(at(14), at(16)).map((day) => ({
        day: day,
        kind: 'EXAM' as const,
        name: '期中考试',
        deptId: school.deptId,
      })),
    )
    .execute()
}

/** Ninety days of readiness that rise slowly; the server adds the value of today. */
export const buildReadinessDays = async (trx: Db, schoolIds: readonly number[]): Promise<void> => {
  await sql`
    insert into school_readiness_day (school_id, day, score, devices, low)
    select school_id, current_date - ago, 62 + (90 - ago) / 6 + (ago * 7 + school_id::int * 5) % 6, 13, ago / 30
    from unnest(${[...schoolIds]}::bigint[]) school_id cross join generate_series(1, 89) ago`.execute(
    unscoped(trx, 'the demo data belongs to every department'),
  )
}
