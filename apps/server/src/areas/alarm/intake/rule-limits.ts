import { classHours, nightHours, type WarnRule } from '@tocsin/contract/alarm/rule'
import { classKinds, type DayKind } from '@tocsin/contract/school/calendar'
import { DAY_MS, localDay, MINUTE_MS } from '@tocsin/contract/security/hours'
import { offsetMs } from '@tocsin/contract/time-zone'
import { dayKind, listDeptsAbove } from '#areas/school/calendar/day-kind'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { HistoryQuery } from './signal-history.ts'

/** What the limits of rules are compared with. `minute` is of the local day. */
export type RuleSubject = {
  deptIds: readonly number[]
  schoolId: number | null
  modelId: number
  dayKind: DayKind
  minute: number
}

export type RuleLimit = 'SCOPE' | 'HOURS'
type Limited = Pick<WarnRule, 'deptIds' | 'schoolIds' | 'modelIds' | 'schedule'>

export const minuteOfDay = (at: Date): number =>
  Math.floor(((at.getTime() + offsetMs(at.getTime())) % DAY_MS) / MINUTE_MS)

const isClass = ({ dayKind: kind, minute }: RuleSubject): boolean =>
  classKinds.includes(kind) && minute >= classHours.fromMin && minute < classHours.toMin

const isInHours = ({ schedule }: Limited, subject: RuleSubject): boolean => {
  if (schedule === 'CLASS') return isClass(subject)
  if (schedule === 'OUT_OF_CLASS') return !isClass(subject)
  if (schedule === 'HOLIDAY') return subject.dayKind === 'HOLIDAY'
  return schedule !== 'NIGHT' || subject.minute >= nightHours.fromMin || subject.minute < nightHours.toMin
}

const isInScope = ({ deptIds, schoolIds, modelIds }: Limited, subject: RuleSubject): boolean => {
  const isAnywhere = deptIds.length + schoolIds.length === 0
  const isHere =
    deptIds.some((id) => subject.deptIds.includes(id)) ||
    (subject.schoolId !== null && schoolIds.includes(subject.schoolId))
  return (isAnywhere || isHere) && (modelIds.length === 0 || modelIds.includes(subject.modelId))
}

/** Why a rule does not apply to a subject; undefined when it does. */
export const limitOf = (rule: Limited, subject: RuleSubject): RuleLimit | undefined => {
  if (!isInScope(rule, subject)) return 'SCOPE'
  return isInHours(rule, subject) ? undefined : 'HOURS'
}

const isLimited = ({ deptIds, schoolIds, modelIds, schedule }: Limited): boolean =>
  deptIds.length + schoolIds.length + modelIds.length > 0 || schedule !== 'ALWAYS'

/** The rules that do not apply to a signal, with the reason. */
export type RuleLimits = ReadonlyMap<number, RuleLimit>
const none: RuleLimits = new Map()

type Located = Pick<HistoryQuery['source'], 'deviceId' | 'deptId' | 'schoolId'>

/** Reads what the limits of rules need about a device at a moment. */
export const loadSubject = async (trx: Db, { deviceId, deptId, schoolId }: Located, at: Date): Promise<RuleSubject> => {
  const all = unscoped(trx, 'signals of devices are ingested by the system')
  const device = await all.selectFrom('device').select('modelId').where('id', '=', deviceId).executeTakeFirstOrThrow()
  const depts = await listDeptsAbove(trx, deptId)
  return {
    deptIds: depts.map(({ id }) => id),
    schoolId,
    modelId: device.modelId,
    dayKind: schoolId === null ? 'CLASS' : await dayKind(trx, schoolId, localDay(at)),
    minute: minuteOfDay(at),
  }
}

/** The limits for each signal; nothing is read for signals that only rules without limits are about. */
export const loadRuleLimits = async (
  trx: Db,
  queries: readonly HistoryQuery[],
  rules: readonly WarnRule[],
): Promise<RuleLimits[]> => {
  const limited = rules.filter(isLimited)
  const found: RuleLimits[] = []
  for (const { source, signal, clock } of queries) {
    const relevant = limited.filter(({ matchCodes }) => matchCodes.includes(signal.code))
    if (relevant.length === 0) {
      found.push(none)
      continue
    }
    const subject = await loadSubject(trx, source, clock.occurredAt)
    found.push(
      new Map(
        relevant.flatMap((rule) => {
          const limit = limitOf(rule, subject)
          return limit ? [[rule.id, limit]] : []
        }),
      ),
    )
  }
  return found
}
