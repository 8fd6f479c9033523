import { type Insertable, sql } from 'kysely'
import type { Equipment, PostType } from '@tocsin/contract/security/post'
import { addDays, MINUTE_MS, slotOnDay, startOfWeek } from '@tocsin/contract/security/hours'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { AllTables } from '#db/tables'
import { deptByCode } from '../fixtures.ts'

// Duty in the demo: the posts of each school, and the seats of the command centre.

type DemoPost = {
  name: string
  type: PostType
  fromMin: number
  toMin: number
  headcount: number
  weekdays?: number
  equipment?: readonly Equipment[]
}

const item = (name: string, required: number, present = required): Equipment => ({ name, required, present })
const gate = [item('头盔', 2), item('盾牌', 2), item('钢叉', 2), item('警棍', 2)]
const SCHOOL_DAYS = 0b0011111

const schoolPosts: readonly DemoPost[] = [
  { name: '东门门卫（白班）', type: 'GATE', fromMin: 390, toMin: 1110, headcount: 1, equipment: gate },
  { name: '东门门卫（夜班）', type: 'GATE', fromMin: 1110, toMin: 390, headcount: 1, equipment: gate },
  {
    name: '护学岗',
    type: 'SCHOOL_RUN',
    fromMin: 960,
    toMin: 1050,
    headcount: 1,
    weekdays: SCHOOL_DAYS,
    equipment: [item('反光背心', 2, 1), item('停车牌', 2)],
  },
  { name: '监控室', type: 'MONITOR_ROOM', fromMin: 420, toMin: 1140, headcount: 1, equipment: [item('对讲机', 2)] },
]
const seats: DemoPost = { name: '接警台', type: 'SEAT', fromMin: 480, toMin: 1200, headcount: 2 }

const insertPost = async (
  trx: Db,
  owner: { schoolId: number } | { deptId: number },
  { equipment = [], ...post }: DemoPost,
) => {
  const code = sql<string>`encode(sha256(${`${JSON.stringify(owner)} ${post.name}`}::bytea), 'hex')`
  await unscoped(trx, 'the seed acts for nobody in particular')
    .insertInto('securityPost')
    .values({
      ...owner,
      ...post,
      checkCode: code,
      equipment: sql<Equipment[]>`${JSON.stringify(equipment)}::jsonb`,
    })
    .execute()
}

/** Posts of every school and the seats of the command centre. */
export const buildDuty = async (trx: Db, schoolIds: readonly number[]): Promise<void> => {
  for (const schoolId of schoolIds) for (const post of schoolPosts) await insertPost(trx, { schoolId }, post)
  await insertPost(trx, { deptId: await deptByCode(trx, 'DEMO-COMMAND') }, seats)
}

/** Two months back, this week and the next one, and a week that is planned but not published. */
const WEEKS_BEFORE = 8
const WEEKS = WEEKS_BEFORE + 3
const DAYS_BEFORE = 7 * WEEKS_BEFORE

/** A batch has the same columns in all its rows. */
const noAttendance = {
  checkedInAt: null,
  checkInMethod: null,
  checkInReason: null,
  checkInDistance: null,
  checkedOutAt: null,
  leftReason: null,
  absenceReason: null,
}

type Shift = Insertable<AllTables['shift']>
type Slot = { day: number; from: Date; to: Date; now: Date }

const minutesAfter = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * MINUTE_MS)
/** Spreads figures over the days, the same at every start. */
const spread = (day: number, at: number, modulus: number): number => (day * 7 + at * 5) % modulus

/** How the shift of a day went: mostly on time, now and then late, by hand, or ended early. */
const describeAttendance = ({ day, from, to, now }: Slot, at: number): Partial<Shift> => {
  if (from > now) return { state: 'PLANNED' }
  const isLate = spread(day, at, 19) === 4
  const isByHand = spread(day, at, 23) === 7
  const checkedInAt = minutesAfter(from, isLate ? 14 + spread(day, at, 9) : -2 - spread(day, at, 11))
  const arrival: Partial<Shift> = {
    checkedInAt,
    checkInMethod: isByHand ? 'HAND' : spread(day, at, 4) === 1 ? 'POSITION' : 'QR',
    checkInReason: isByHand ? '手机没电，由安全主任确认到岗' : null,
    checkInDistance: !isByHand && spread(day, at, 4) === 1 ? 8 + spread(day, at, 60) : null,
  }
  if (to > now) return { ...arrival, state: 'CHECKED_IN' }
  if (spread(day, at, 31) === 11)
    return {
      ...arrival,
      state: 'LEFT_EARLY',
      checkedOutAt: minutesAfter(to, -50),
      leftReason: '身体不适，已报告安全主任',
    }
  return { ...arrival, state: 'DONE', checkedOutAt: minutesAfter(to, 1 + spread(day, at, 8)) }
}

/** Nobody came last Saturday; three weeks ago somebody was on leave. */
const describeAbsence = (day: number, at: number): Partial<Shift> | undefined => {
  if (at !== 0) return undefined
  if (day === DAYS_BEFORE - 2) return { state: 'ABSENT' }
  return day === DAYS_BEFORE - 19 ? { state: 'ABSENT', absenceReason: '参加保安员培训' } : undefined
}

/** Guards have the gate by day, and the safety officer of a school with one by night. */
const buildSchoolShifts = async (trx: Db, schoolId: number): Promise<void> => {
  const all = unscoped(trx, 'the seed acts for nobody in particular')
  const guards = await all
    .selectFrom('employee')
    .select('id')
    .where('schoolId', '=', schoolId)
    .where('kind', 'in', ['GUARD', 'SAFETY_OFFICER'])
    .where('status', '=', 'ACTIVE')
    .orderBy('kind')
    .orderBy('id')
    .execute()
  const posts = await all
    .selectFrom('securityPost')
    .selectAll()
    .where('schoolId', '=', schoolId)
    .where('type', '=', 'GATE')
    .orderBy('fromMin')
    .execute()
  const now = new Date()
  const first = addDays(startOfWeek(now), -DAYS_BEFORE)
  for (const [at, post] of posts.entries()) {
    const guard = guards[at]
    // A school without a second guard has nobody at night, so that the gap is shown and reported.
    if (!guard) continue
    const shifts = Array.from({ length: 7 * WEEKS }, (_, day): Shift[] => {
      const slot = slotOnDay(post, addDays(first, day))
      if (!slot) return []
      const { from, to } = slot
      const publishedAt = day < DAYS_BEFORE + 14 ? addDays(startOfWeek(from), -3) : null
      const went = describeAbsence(day, at) ?? describeAttendance({ day, from, to, now }, at)
      return [
        {
          ...noAttendance,
          postId: post.id,
          schoolId,
          employeeId: guard.id,
          fromAt: from,
          toAt: to,
          publishedAt,
          ...went,
        },
      ]
    }).flat()
    await all.insertInto('shift').values(shifts).execute()
  }
}

/** One guard asks another to exchange their next shifts. */
const buildSwap = async (trx: Db, schoolId: number): Promise<void> => {
  const all = unscoped(trx, 'the seed acts for nobody in particular')
  const shifts = await all
    .selectFrom('shift')
    .select(['id', 'employeeId'])
    .where('schoolId', '=', schoolId)
    .where('state', '=', 'PLANNED')
    .orderBy('fromAt')
    .execute()
  const [own] = shifts
  const other = shifts.findLast(({ employeeId }) => employeeId !== own?.employeeId)
  if (!own || !other) return
  await all
    .insertInto('shiftSwap')
    .values({
      schoolId,
      shiftId: own.id,
      otherShiftId: other.id,
      askedBy: own.employeeId,
      asked: other.employeeId,
      note: '家中有事',
    })
    .execute()
}

/** Eleven weeks of shifts, the last of them not yet published. */
export const buildShifts = async (trx: Db, schoolIds: readonly number[]): Promise<void> => {
  for (const schoolId of schoolIds) await buildSchoolShifts(trx, schoolId)
  await buildSwap(trx, schoolIds[0] ?? 0)
}
