import { Day, Id, Millis } from '@tocsin/contract/codecs'
import { DeviceReadiness, SchoolReadiness } from '@tocsin/contract/insight/readiness'
import { WeightsVersion } from '@tocsin/contract/insight/weights/readiness-weights'
import { ReportHead, ReportSubscription } from '@tocsin/contract/insight/report'
import { ReportFigures } from '@tocsin/contract/insight/report-figures'
import { WallLink } from '@tocsin/contract/insight/wall'
import { z } from 'zod'
import { Bytes, editedFilled, table } from './table.ts'

const Count = z.int()
const dayCounts = {
  day: Day,
  alarms: Count,
  falseAlarms: Count,
  resolved: Count,
  level1: Count,
  level2: Count,
  level3: Count,
  level4: Count,
}
/** Counts of the values 0, 1, 2, ... */
const Histogram = z.array(z.int())

export const insightTables = {
  alarmDay: table(
    z.strictObject({
      ...dayCounts,
      deptId: Id,
      schoolId: Id.nullable(),
      schoolName: z.string().nullable(),
      classes: Bytes,
      hours: Bytes,
      displayed: Bytes,
      claimed: Bytes,
      dispatched: Bytes,
      onSite: Bytes,
      causes: z.array(z.string()),
    }),
    [],
    { school: 'school_id', dept: 'dept_id' },
  ),
  // Only for users who see everything: see `loadDays`.
  alarmDayTotal: table(
    z.strictObject({
      ...dayCounts,
      classes: Histogram,
      hours: Histogram,
      displayed: Histogram,
      claimed: Histogram,
      dispatched: Histogram,
      onSite: Histogram,
      causes: z.record(z.string(), z.int()),
    }),
    [],
    'open',
  ),
  alarmDayChange: table(z.strictObject({ id: Id, at: Millis, deptId: Id, schoolId: Id.nullable() }), ['id'], {
    school: 'school_id',
    dept: 'dept_id',
  }),
  alarmRollupCursor: table(
    z.strictObject({ one: z.boolean(), zone: z.string(), builtFrom: Day }),
    ['one', 'builtFrom'],
    'open',
  ),
  visit: table(
    z.strictObject({ day: Day, hour: z.int(), userId: Id, deptId: Id, ipHash: Bytes, views: z.int() }),
    ['views'],
    { dept: 'dept_id', user: 'user_id' },
  ),
  deviceReadiness: table(DeviceReadiness, ['computedAt'], { school: 'school_id' }),
  schoolReadiness: table(SchoolReadiness, ['weightsVersion', 'computedAt'], { school: 'school_id' }),
  schoolReadinessDay: table(
    z.strictObject({
      schoolId: Id,
      day: Day,
      score: z.int(),
      devices: z.int(),
      low: z.int(),
      weightsVersion: z.int().nullable(),
    }),
    [],
    { school: 'school_id' },
  ),
  readinessWeights: table(WeightsVersion, ['at'], 'open'),
  readinessCursor: table(
    z.strictObject({
      one: z.boolean(),
      lastSeq: z.int(),
      fullAt: Millis.nullable(),
      sweptTo: Id.nullable(),
      sweepAgain: z.boolean(),
    }),
    ['one', 'lastSeq', 'sweepAgain'],
    'open',
  ),
  wallLink: table(WallLink, [...editedFilled], { dept: 'dept_id' }),
  // Readable where all its schools are: see `seesWholeReport`.
  report: table(ReportHead.extend({ schoolIds: z.array(Id), figures: ReportFigures }), ['id', 'issuedAt'], 'open'),
  reportSubscription: table(ReportSubscription, ['id', 'createdAt'], { user: 'user_id' }),
  wallFollow: table(
    z.strictObject({ linkId: Id, sessionId: Id, recordId: Id.nullable(), shownAt: Millis }),
    ['shownAt'],
    'open',
  ),
  wallToken: table(z.strictObject({ linkId: Id, hash: Bytes, lastUsedAt: Millis.nullable() }), [], 'open'),
}
