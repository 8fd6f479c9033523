import { sql } from 'kysely'
import { HandoverSummary } from '@tocsin/contract/security/handover'
import { addDays, localDay, MINUTE_MS, slotOnDay, startOfDay } from '@tocsin/contract/security/hours'
import { splitRounds } from '@tocsin/contract/security/patrol'
import { z } from 'zod'
import { makePointCode } from '#areas/security/patrol/patrol-edit'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { deptByCode } from '../fixtures.ts'

// Patrols and handovers of the demo: two months of rounds with a few missed points, and one handover that waits.

const seedDb = (trx: Db) => unscoped(trx, 'the seed acts for nobody in particular')

const points = [
  { name: '东门', keyPart: true },
  { name: '教学楼一层', keyPart: false },
  { name: '实验楼危化品柜', keyPart: true },
  { name: '食堂后厨', keyPart: true },
  { name: '操场围墙', keyPart: false },
]
const plan = { name: '校园巡查', weekdays: 127, fromMin: 420, toMin: 1140, rounds: 5 }
const PATROL_DAYS = 60
/** Minutes between two points of a round. */
const STEP_MIN = 6

/** A round a week ago lacks a point, every other week the last round was cut short, and yesterday's was not walked. */
const isReached = (daysAgo: number, round: number, point: number): boolean => {
  if (round === plan.rounds) return daysAgo !== 1 && !(daysAgo % 13 === 9 && point > 3)
  return !(daysAgo === 7 && round === 3 && point === 4)
}

/** What guards found, by days ago, round and point. */
const oddities: readonly { at: readonly [daysAgo: number, round: number, point: number]; note: string }[] = [
  { at: [2, 2, 3], note: '柜门锁松动，已报修' },
  { at: [16, 4, 5], note: '围墙外堆放建筑材料，可攀爬' },
  { at: [33, 1, 4], note: '后门未锁，已通知食堂' },
  { at: [47, 5, 2], note: '灭火器压力不足' },
]
const findOddity = (daysAgo: number, round: number, point: number): string | null =>
  oddities.find(({ at }) => at[0] === daysAgo && at[1] === round && at[2] === point)?.note ?? null

type Point = { id: number; name: string; seq: number }

/** The rounds of a day, with the points that were reached. */
const listRounds = (stored: readonly Point[], daysAgo: number, now: Date) => {
  const day = addDays(startOfDay(now), -daysAgo)
  const slot = slotOnDay(plan, day)
  const rounds = slot ? splitRounds(slot, plan.rounds) : []
  return rounds.map(({ from, to }, at) => {
    const round = at + 1
    const isOver = to <= now
    const reached = isOver ? stored.filter(({ seq }) => isReached(daysAgo, round, seq)) : []
    const state = isOver
      ? reached.length === stored.length
        ? ('DONE' as const)
        : ('MISSED' as const)
      : ('PLANNED' as const)
    return { daysAgo, reached, run: { day: localDay(day), round, fromAt: from, toAt: to, state } }
  })
}

const buildPatrol = async (trx: Db, schoolId: number, userId: number): Promise<void> => {
  const all = seedDb(trx)
  const { id: planId } = await all
    .insertInto('patrolPlan')
    .values({ ...plan, schoolId })
    .returning('id')
    .executeTakeFirstOrThrow()
  const stored = await all
    .insertInto('patrolPoint')
    .values(points.map((point, at) => ({ ...point, planId, schoolId, seq: at + 1, code: makePointCode() })))
    .returning(['id', 'name', 'seq'])
    .execute()
  const now = new Date()
  const days = Array.from({ length: PATROL_DAYS + 1 }, (_, at) => PATROL_DAYS - at)
  const rounds = days.flatMap((daysAgo) => listRounds(stored, daysAgo, now))
  const runs = await all
    .insertInto('patrolRun')
    .values(rounds.map(({ run }) => ({ ...run, planId, schoolId })))
    .returning(['id', 'day', 'round'])
    .execute()
  const runIds = new Map(runs.map(({ id, day, round }) => [`${day} ${round}`, id]))
  const scans = rounds.flatMap(({ daysAgo, reached, run: { day, round, fromAt } }) =>
    reached.map(({ id: pointId, name, seq }) => {
      const note = findOddity(daysAgo, round, seq)
      return {
        runId: runIds.get(`${day} ${round}`) ?? 0,
        pointId,
        schoolId,
        pointName: name,
        userId,
        stepKey: sql<string>`gen_random_uuid()`,
        // Nobody walks by the clock.
        scannedAt: new Date(fromAt.getTime() + (seq * STEP_MIN + ((daysAgo * 3 + round * 5 + seq) % 7)) * MINUTE_MS),
        isOdd: note !== null,
        note,
      }
    }),
  )
  await all.insertInto('patrolScan').values(scans).execute()
}

/** A patrol for each school whose guard has an account. */
export const buildPatrols = async (trx: Db, schoolIds: readonly number[]): Promise<void> => {
  const guards = await seedDb(trx)
    .selectFrom('employee')
    .select(['schoolId', 'userId'])
    .where('schoolId', 'in', [...schoolIds])
    .where('kind', '=', 'GUARD')
    .where('userId', 'is not', null)
    .orderBy('id')
    .execute()
  const known = new Set<number>()
  for (const { schoolId, userId } of guards) {
    if (schoolId === null || userId === null || known.has(schoolId)) continue
    known.add(schoolId)
    await buildPatrol(trx, schoolId, userId)
  }
}

const HANDOVER_DAYS = 60

const handoverNotes: Readonly<Record<number, string>> = {
  3: '东湖一小西门按钮已报修，明早复测',
  17: '学府二小演练改到周四上午，已告知派出所',
  29: '语音终端误报较多，正在调整音箱朝向',
  52: '新值班表自本周起执行',
}

/** The operator and the lead of the command centre relieve each other; the last handover waits for a signature. */
export const buildHandovers = async (trx: Db): Promise<void> => {
  const all = seedDb(trx)
  const deptId = await deptByCode(trx, 'DEMO-COMMAND')
  const users = await all.selectFrom('users').select(['id', 'username']).where('deptId', '=', deptId).execute()
  const idOf = (name: string) => users.find(({ username }) => username === name)?.id
  const [operator, lead] = [idOf('command'), idOf('lead')]
  if (operator === undefined || lead === undefined) return
  const now = new Date()
  const done = Array.from({ length: HANDOVER_DAYS }, (_, at) => {
    const daysAgo = HANDOVER_DAYS - at
    const givenAt = new Date(addDays(startOfDay(now), -daysAgo).getTime() + (1195 + (daysAgo % 9)) * MINUTE_MS)
    const takenAt = new Date(givenAt.getTime() + (2 + (daysAgo % 5)) * MINUTE_MS)
    const isEven = daysAgo % 2 === 0
    const summary = z.encode(HandoverSummary, { at: takenAt, lacking: 0, counts: [], items: [] })
    return {
      deptId,
      state: 'DONE' as const,
      giverId: isEven ? operator : lead,
      takerId: isEven ? lead : operator,
      note: handoverNotes[daysAgo] ?? null,
      givenAt,
      takenAt,
      createTime: new Date(givenAt.getTime() - 10 * MINUTE_MS),
      summary: sql<object>`${JSON.stringify(summary)}::jsonb`,
    }
  })
  await all.insertInto('handover').values(done).execute()
  await all.insertInto('handover').values({ deptId, giverId: operator, note: '二号席耳机接触不良' }).execute()
}

const SEAT_DAYS_BACK = 60
const SEAT_DAYS_AHEAD = 7

/** Both people of the command centre sit at the desk, two months back and a week ahead. */
export const buildSeats = async (trx: Db): Promise<void> => {
  const all = seedDb(trx)
  const deptId = await deptByCode(trx, 'DEMO-COMMAND')
  const post = await all
    .selectFrom('securityPost')
    .selectAll()
    .where('deptId', '=', deptId)
    .where('type', '=', 'SEAT')
    .executeTakeFirst()
  const people = await all.selectFrom('employee').select('id').where('deptId', '=', deptId).orderBy('id').execute()
  if (!post || people.length === 0) return
  const now = new Date()
  const days = Array.from({ length: SEAT_DAYS_BACK + SEAT_DAYS_AHEAD }, (_, at) =>
    addDays(startOfDay(now), at - SEAT_DAYS_BACK),
  )
  const shifts = days.flatMap((day, at) => {
    const slot = slotOnDay(post, day)
    if (!slot) return []
    const { from, to } = slot
    const isOver = to <= now
    const isStarted = from <= now
    return people.slice(0, post.headcount).map(({ id: employeeId }, seat) => ({
      postId: post.id,
      deptId,
      employeeId,
      fromAt: from,
      toAt: to,
      state: isOver ? ('DONE' as const) : isStarted ? ('CHECKED_IN' as const) : ('PLANNED' as const),
      publishedAt: addDays(day, -7),
      checkedInAt: isStarted ? new Date(from.getTime() - ((at + seat * 3) % 9) * MINUTE_MS) : null,
      checkInMethod: isStarted ? ('DESK' as const) : null,
      checkedOutAt: isOver ? new Date(to.getTime() + ((at * 3 + seat) % 11) * MINUTE_MS) : null,
    }))
  })
  await all.insertInto('shift').values(shifts).execute()
}
