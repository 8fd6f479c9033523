import type { HomeBatteries, HomeBullying, HomeFalseRate, HomeGaps } from '@tocsin/contract/insight/home/home-cards'
import { addDays, startOfDay } from '@tocsin/contract/security/hours'
import { sql } from 'kysely'
import { batteryDaysLeft, hasBatteryConcern } from '#areas/device/battery'
import { hasBegun, listVisibleGaps } from '#areas/security/gap/gap-notices'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'
import { countByCause, exposureOf, MIN_EXPOSURE } from '../govern.ts'
import { loadClasses, loadDays } from '../rollup/load-figures.ts'
import { planFigures } from '../rollup/plan-figures.ts'
import { classNames } from '../rollup/record-cells.ts'

const DAYS = 30
const MAX_ROWS = 5
const MAX_CAUSES = 3

const countRows = sql<number>`count(*)::int`

/** False alarms per 1,000 device-days, against the same number of days before. */
export const getFalseRate = async (db: Db, actor: Actor, now: Date): Promise<HomeFalseRate> => {
  const since = addDays(startOfDay(now), 1 - DAYS)
  const before = { from: addDays(since, -DAYS), to: since, deptId: undefined }
  const all = scoped(db, actor)
  const countDeviceDays = async (from: Date, to: Date): Promise<number> => {
    const exposed = exposureOf(all, { from, to, deptId: undefined }).as('exposed')
    const sum = sql<number>`coalesce(sum(exposure), 0)::float8`.as('deviceDays')
    return (await all.selectFrom(exposed).select(sum).executeTakeFirstOrThrow()).deviceDays
  }
  const loadPeriod = async (period: typeof before) => loadDays(await planFigures(db, actor, period))
  const [days, daysBefore, exposure, exposureBefore] = await Promise.all([
    loadPeriod({ from: since, to: addDays(startOfDay(now), 1), deptId: undefined }),
    loadPeriod(before),
    countDeviceDays(since, now),
    countDeviceDays(before.from, before.to),
  ])
  const sumFalse = (counted: typeof days) => counted.reduce((sum, { falseAlarms }) => sum + falseAlarms, 0)
  const toRate = (count: number, deviceDays: number) =>
    deviceDays >= MIN_EXPOSURE ? Math.round((count / deviceDays) * 100_000) / 100 : null
  return {
    since,
    n: sumFalse(days),
    resolved: days.reduce((sum, { resolved }) => sum + resolved, 0),
    rate: toRate(sumFalse(days), exposure),
    rateBefore: toRate(sumFalse(daysBefore), exposureBefore),
    causes: countByCause(days).slice(0, MAX_CAUSES),
  }
}

/** Devices that the readiness counts as low, or as empty within 30 days. */
export const getBatteries = async (db: Db, actor: Actor): Promise<HomeBatteries> => {
  const found = scoped(db, actor).selectFrom('deviceReadiness').where(hasBatteryConcern())
  const [counted, next] = await Promise.all([
    found
      .select([
        sql<number>`(count(*) filter (where ${hasBatteryConcern(['LOW'])}))::int`.as('low'),
        sql<number>`(count(*) filter (where ${hasBatteryConcern(['ENDING'])}))::int`.as('ending'),
      ])
      .executeTakeFirstOrThrow(),
    found
      .innerJoin('device', 'device.id', 'deviceReadiness.deviceId')
      .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
      .leftJoin('deviceState', 'deviceState.deviceId', 'device.id')
      .leftJoin('school', 'school.id', 'deviceReadiness.schoolId')
      .select(['deviceReadiness.deviceId', 'device.sn', 'school.name as schoolName', 'deviceState.batteryPct'])
      .select(batteryDaysLeft.as('daysLeft'))
      .orderBy(sql`${batteryDaysLeft} nulls last`)
      .orderBy('deviceState.batteryPct')
      .orderBy('deviceReadiness.deviceId')
      .limit(MAX_ROWS)
      .execute(),
  ])
  return { ...counted, next }
}

/** Schools without anybody on duty, now and within 24 hours. */
export const getGaps = async (db: Db, actor: Actor, now: Date): Promise<HomeGaps> => {
  const gaps = await listVisibleGaps(db, actor, {}, now)
  return {
    now: gaps.filter((gap) => hasBegun(gap, now)).length,
    ahead: gaps.length,
    absent: gaps.filter(({ reason }) => reason === 'ABSENT').length,
    next: gaps.slice(0, MAX_ROWS),
  }
}

const BULLYING = 'BULLY'

/** Bullying alarms that are open, and those of the last 30 days. */
export const getBullying = async (db: Db, actor: Actor, now: Date): Promise<HomeBullying> => {
  const since = addDays(startOfDay(now), 1 - DAYS)
  const open = scoped(db, actor)
    .selectFrom('warnRecord')
    .where('open', '=', true)
    .where('mode', '=', 'LIVE')
    .where('class', '=', BULLYING)
  const [classes, counted, waiting] = await Promise.all([
    planFigures(db, actor, { from: since, to: addDays(startOfDay(now), 1), deptId: undefined }).then(loadClasses),
    open.select(countRows.as('n')).executeTakeFirstOrThrow(),
    open
      .select(['id', 'code', 'level', 'schoolName', 'placePath', 'receivedAt'])
      .orderBy('receivedAt')
      .orderBy('id')
      .limit(MAX_ROWS)
      .execute(),
  ])
  return { since, open: counted.n, recent: classes[classNames.indexOf(BULLYING)] ?? 0, waiting }
}
