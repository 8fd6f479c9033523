import { type CoverageGap, coverageGaps } from '@tocsin/contract/security/gap'
import type { CoverageGapQuery } from '@tocsin/contract/security/gap'
import { escapeHtml } from '#areas/files/export/job'
import { publishSystemNotice } from '#areas/notices/system-notice'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Actor } from '#http/route'
import { type Route, route } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import type { TimerHandler } from '#timer/scheduler'
import { scheduleTimer } from '#timer/timer'
import { listDutyReaders } from '../duty-readers.ts'
import { formatShiftTime } from '../shift/shift-rows.ts'
import { findGaps } from './find-gaps.ts'

/** One timer for the installation, which schedules itself again. */
export const COVERAGE_TIMER = 'coverage'
const sweep = { kind: COVERAGE_TIMER, subjectId: 1, step: 'SWEEP', epoch: 1 }
const SWEEP_SEC = 900
const FIRST_SWEEP_SEC = 60

const tellGap = async (trx: Db, { schoolId, schoolName, from, to }: CoverageGap): Promise<void> => {
  // While nobody can read it, the gap stays untold: the next sweep tries again.
  const readers = await listDutyReaders(trx, schoolId, coverageGaps.page.permission)
  if (!readers || readers.userIds.length === 0) return
  const fresh = await trx
    .insertInto('coverageNotice')
    .values({ schoolId, fromAt: from })
    .onConflict((conflict) => conflict.doNothing())
    .returning('schoolId')
    .executeTakeFirst()
  if (!fresh) return
  const [span, school] = [`${formatShiftTime(from)} – ${formatShiftTime(to)}`, escapeHtml(schoolName)]
  const content = `<p>${span} ${school} 无人在岗，无人可接一级警情。请安排人员。</p><p>${span}: nobody is on duty at ${school}, and nobody can receive a level 1 alarm. Please assign somebody.</p>`
  const notice = { title: `覆盖缺口：${schoolName}`, content, publisherName: null, userIds: readers.userIds }
  await publishSystemNotice(trx, { deptId: readers.deptId }, notice)
}

/** A gap that was filled is forgotten: when it opens again, by another absence, it is reported again. */
const forgetFilledGaps = async (trx: Db, open: readonly CoverageGap[]): Promise<void> => {
  const schoolIds = open.map(({ schoolId }) => schoolId)
  const starts = open.map(({ from }) => from)
  await sql`
    delete from coverage_notice told where not exists (
      select from unnest(${schoolIds}::bigint[], ${starts}::timestamptz[]) as gap(school_id, from_at)
      where gap.school_id = told.school_id and gap.from_at = told.from_at)`.execute(trx)
}

/** Reports each gap of the next 24 hours once. */
export const tellGaps = async (trx: Db, now: Date): Promise<void> => {
  const schools = await unscoped(trx, 'the sweep acts for nobody in particular')
    .selectFrom('school')
    .select('id')
    .where('status', '=', 'ACTIVE')
    .execute()
  const gaps = await findGaps(
    trx,
    schools.map(({ id }) => id),
    now,
  )
  await forgetFilledGaps(trx, gaps)
  for (const gap of gaps) await tellGap(trx, gap)
}

export const coverageTimerHandlers: Record<typeof COVERAGE_TIMER, TimerHandler> = {
  [COVERAGE_TIMER]: {
    most: 1,
    execute: async (trx) => {
      await tellGaps(trx, new Date())
      await scheduleTimer(trx, sweep, SWEEP_SEC)
    },
  },
}

/** At every start; the nodes of an installation share the timer. */
export const seedCoverageTimer = (db: Db): Promise<void> => scheduleTimer(db, sweep, FIRST_SWEEP_SEC)

/** The gaps of visible schools, the first to begin first. */
export const listVisibleGaps = async (
  db: Db,
  actor: Actor,
  { schoolId }: Pick<CoverageGapQuery, 'schoolId'>,
  now: Date,
): Promise<CoverageGap[]> => {
  const schools = await scoped(db, actor)
    .selectFrom('school')
    .select('id')
    .where('status', '=', 'ACTIVE')
    .$if(schoolId !== undefined, (q) => q.where('id', '=', schoolId ?? 0))
    .execute()
  const found = await findGaps(
    db,
    schools.map(({ id }) => id),
    now,
  )
  return found.toSorted((a, b) => a.from.getTime() - b.from.getTime() || a.schoolId - b.schoolId)
}

export const hasBegun = (gap: CoverageGap, now: Date): boolean => gap.from <= now && gap.to > now

export const pageGaps = async (db: Db, actor: Actor, query: CoverageGapQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const { reason, begun } = query
  const now = new Date()
  const list = (await listVisibleGaps(db, actor, query, now)).filter(
    (gap) => (!reason?.length || reason.includes(gap.reason)) && (begun === undefined || hasBegun(gap, now) === begun),
  )
  return { list: list.slice(offset, offset + limit), total: list.length }
}

export const gapRoutes = ({ db }: { db: Db }): Route[] => [
  route(coverageGaps.page, ({ query, actor }) => pageGaps(db, actor, query)),
]
