import type { WarnRuleDraft } from '@tocsin/contract/alarm/rule'
import { MAX_TRIAL_ALARMS, MAX_TRIAL_SIGNALS, type RuleTrial, TRIAL_DAYS } from '@tocsin/contract/alarm/rule-trial'
import { codes } from '@tocsin/contract/codes'
import type { DayKind } from '@tocsin/contract/school/calendar'
import { DAY_MS, localDay } from '@tocsin/contract/security/hours'
import { sql } from 'kysely'
import { meetsConfidence } from '#areas/alarm/intake/evaluate-rules'
import { limitOf, minuteOfDay } from '#areas/alarm/intake/rule-limits'
import { listDeptsAbove, listEffectiveDays } from '#areas/school/calendar/day-kind'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { ONE_ALARM_MS, replayRule } from './replay-rule.ts'

const isReal = sql<boolean | null>`case when warn_record.disposition is null then null
  else warn_record.disposition in ('REAL_HANDLED', 'REAL_POLICE') end`

/** The stored signals of these codes that the user may see, the latest first. */
const listSignals = (db: Db, actor: Actor, since: Date, names: readonly string[]) =>
  scoped(db, actor)
    .selectFrom('signal')
    .innerJoin('device', 'device.id', 'signal.deviceId')
    .leftJoin('school', 'school.id', 'signal.schoolId')
    .leftJoin('warnRecord', 'warnRecord.id', 'signal.recordId')
    .select(['signal.deviceId', 'signal.schoolId', 'signal.deptId', 'signal.zone', 'signal.code'])
    .select(['signal.occurredAt as at', 'device.modelId', 'device.sn', 'school.name as schoolName'])
    .select(['warnRecord.no as recordNo', isReal.as('isReal')])
    .select(sql<number | null>`(signal.body -> 'keyword' ->> 'conf')::float8`.as('conf'))
    .select(sql<number | null>`(signal.body -> 'keyword' ->> 'db')::float8`.as('loudness'))
    .where('signal.receivedAt', '>=', since)
    .where('signal.mode', '=', 'LIVE')
    .where('signal.code', 'in', names)
    .orderBy('signal.receivedAt', 'desc')
    .orderBy('signal.id', 'desc')
    .limit(MAX_TRIAL_SIGNALS + 1)
    .execute()

type Signal = Awaited<ReturnType<typeof listSignals>>[number]

/** Compares signals with the limits of a rule; departments and calendars are read once. */
const loadLimitCheck = async (db: Db, rule: WarnRuleDraft, signals: readonly Signal[], since: Date) => {
  const { deptIds = [], schoolIds = [], modelIds = [], schedule = 'ALWAYS' } = rule
  const limits = { deptIds, schoolIds, modelIds, schedule }
  if (schedule === 'ALWAYS' && deptIds.length + schoolIds.length + modelIds.length === 0) return () => true
  const above = new Map<number, number[]>()
  const days = new Map<number, Map<string, DayKind>>()
  for (const deptId of new Set(signals.map((signal) => signal.deptId))) {
    above.set(
      deptId,
      (await listDeptsAbove(db, deptId)).map(({ id }) => id),
    )
    const span = { fromDay: localDay(new Date(since.getTime() - 30 * DAY_MS)), toDay: localDay(new Date()) }
    days.set(deptId, new Map((await listEffectiveDays(db, deptId, span)).map(({ day, kind }) => [day, kind])))
  }
  return ({ deptId, schoolId, modelId, at }: Signal): boolean =>
    limitOf(limits, {
      deptIds: above.get(deptId) ?? [],
      schoolId,
      modelId,
      dayKind: days.get(deptId)?.get(localDay(at)) ?? 'CLASS',
      minute: minuteOfDay(at),
    }) === undefined
}

/** What a rule, saved or not, would have raised from the signals that the user may see. */
export const previewRule = async (db: Db, actor: Actor, rule: WarnRuleDraft): Promise<RuleTrial> => {
  const now = new Date()
  const since = new Date(now.getTime() - TRIAL_DAYS * DAY_MS)
  const names = [...new Set([...rule.matchCodes, ...(rule.condition === 'DURATION' ? rule.recoverCodes : [])])]
  const found = await listSignals(db, actor, since, names)
  const isInLimits = await loadLimitCheck(db, rule, found, since)
  const { minConfidence = null, minDb = null } = rule
  const applies = (signal: Signal) => {
    if (!rule.matchCodes.includes(signal.code)) return true
    const keyword = signal.conf === null ? null : { conf: signal.conf, db: signal.loudness }
    return meetsConfidence({ minConfidence, minDb }, keyword) && isInLimits(signal)
  }
  const signals = found.slice(0, MAX_TRIAL_SIGNALS).toReversed().filter(applies)
  const alarms = replayRule(
    { ...rule, id: 0 },
    signals.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    now,
  )
  return {
    since,
    signals: signals.filter(({ code }) => rule.matchCodes.includes(code)).length,
    alarms: alarms.length,
    real: alarms.filter(({ signal }) => signal.isReal === true).length,
    isCut: found.length > MAX_TRIAL_SIGNALS,
    latest: alarms
      .slice(-MAX_TRIAL_ALARMS)
      .toReversed()
      .map(({ at, signal: { sn, schoolName, code, recordNo, isReal: real } }) => ({
        at,
        sn,
        schoolName,
        code,
        recordNo,
        isReal: real,
      })),
  }
}

/** The live count of a shadow rule since its present version runs. */
export const getShadowTrial = async (db: Db, actor: Actor, id: number): Promise<RuleTrial> => {
  const rule = await db.selectFrom('warnRule').select(['version', 'updateTime']).where('id', '=', id).executeTakeFirst()
  if (!rule) throw new BusinessError(codes.notFound, { what: '接警规则' })
  const rows = await scoped(db, actor)
    .selectFrom('warnRuleHit')
    .innerJoin('device', 'device.id', 'warnRuleHit.deviceId')
    .leftJoin('school', 'school.id', 'warnRuleHit.schoolId')
    .leftJoin('signal', (join) =>
      join.onRef('signal.deviceId', '=', 'warnRuleHit.deviceId').onRef('signal.eventId', '=', 'warnRuleHit.eventId'),
    )
    .leftJoin('warnRecord', 'warnRecord.id', 'signal.recordId')
    .select(['warnRuleHit.at', 'warnRuleHit.subject', 'device.sn', 'school.name as schoolName', 'signal.code'])
    .select(['warnRecord.no as recordNo', isReal.as('isReal')])
    .where('warnRuleHit.ruleId', '=', id)
    .where('warnRuleHit.ruleVersion', '=', rule.version)
    .orderBy('warnRuleHit.at', 'desc')
    .limit(MAX_TRIAL_SIGNALS + 1)
    .execute()
  const last = new Map<string, number>()
  const alarms = rows.toReversed().filter(({ subject, at }) => {
    const before = last.get(subject) ?? Number.NEGATIVE_INFINITY
    last.set(subject, at.getTime())
    return at.getTime() - before > ONE_ALARM_MS
  })
  return {
    since: rule.updateTime,
    signals: rows.length,
    alarms: alarms.length,
    real: alarms.filter((alarm) => alarm.isReal === true).length,
    isCut: rows.length > MAX_TRIAL_SIGNALS,
    latest: alarms
      .slice(-MAX_TRIAL_ALARMS)
      .toReversed()
      .map(({ subject: _subject, code, ...item }) => ({ ...item, code: code ?? '' })),
  }
}
