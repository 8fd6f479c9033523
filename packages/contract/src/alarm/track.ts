import { z } from 'zod'
import { Id, Millis, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { Geofence } from '../school/geofence.ts'
import { assignmentStates, TASK_UPDATE } from './assignment-machine.ts'

/** How often a phone sends its position, and how often a desk reads it. */
export const TRACK_EVERY_MS = 10_000
/** Points that a phone keeps without a connection: ten minutes. */
export const MAX_TRACK_POINTS = 60
const MAX_AGE_MS = 600_000
const MAX_ACCURACY_M = 100_000
/** Positions are deleted after so many days. */
export const TRACK_KEPT_DAYS = 30

/** CGCS2000; the position of a phone is WGS 84, which differs by less than a metre. */
const lng = field(z.number().min(-180).max(180), '经度', 'Longitude')
const lat = field(z.number().min(-90).max(90), '纬度', 'Latitude')
const accuracyM = field(z.int().min(0).max(MAX_ACCURACY_M), '精度（米）', 'Accuracy (m)')

/** The age counts from the measurement to the sending, so that the clock of the phone does not matter. */
export const TrackDraftPoint = z.strictObject({
  lng,
  lat,
  accuracyM,
  ageMs: field(z.int().min(0).max(MAX_AGE_MS), '定位后经过（毫秒）', 'Age (ms)'),
})
export type TrackDraftPoint = z.output<typeof TrackDraftPoint>

export const TrackDraft = z.strictObject({
  id: field(Id, '任务', 'Task'),
  points: field(z.array(TrackDraftPoint).min(1).max(MAX_TRACK_POINTS), '位置', 'Positions'),
})
export type TrackDraft = z.output<typeof TrackDraft>

export const TrackPoint = z.strictObject({
  lng,
  lat,
  accuracyM,
  at: field(Millis, '定位时间', 'Position at'),
})
export type TrackPoint = z.output<typeof TrackPoint>

/** Where one person was during one task. */
export const Track = z.strictObject({
  assignmentId: field(Id, '任务', 'Task'),
  userId: field(Id, '人员', 'Person'),
  name: field(z.string(), '人员', 'Person'),
  unitName: field(z.string().nullable(), '单位', 'Unit'),
  state: field(z.enum(assignmentStates), '状态', 'State'),
  points: field(z.array(TrackPoint), '轨迹', 'Track'),
})
export type Track = z.output<typeof Track>

export const RecordSurroundings = z.strictObject({
  position: field(z.strictObject({ lng, lat }).nullable(), '警情位置', 'Position of the alarm'),
  school: field(
    z
      .strictObject({ name: z.string(), lng: lng.nullable(), lat: lat.nullable(), geofence: Geofence.nullable() })
      .nullable(),
    '学校',
    'School',
  ),
  station: field(
    z.strictObject({ name: z.string(), jurisdiction: Geofence.nullable() }).nullable(),
    '派出所',
    'Station',
  ),
  /** Units that were sent, with their last position; empty for users who may not read units. */
  units: field(
    z.array(
      z.strictObject({
        id: Id,
        name: z.string(),
        state: z.enum(assignmentStates),
        lng,
        lat,
        positionAt: Millis.nullable(),
      }),
    ),
    '警力',
    'Units',
  ),
})
export type RecordSurroundings = z.output<typeof RecordSurroundings>

const byRecord = z.strictObject({ recordId: field(queryId, '警情', 'Alarm') })

export const tracks = {
  list: endpoint({
    method: 'GET',
    path: '/warn/track/list',
    kind: 'json',
    permission: 'warn:record:track',
    scope: 'school',
    summary: '警情处置人员的轨迹',
    summaryEn: 'Tracks of the people who were sent to an alarm',
    query: byRecord,
    data: z.array(Track),
  }),
  report: endpoint({
    method: 'POST',
    path: '/warn/track/report',
    kind: 'json',
    permission: TASK_UPDATE,
    scope: 'self',
    summary: '上报任务中的位置',
    summaryEn: 'Report the own position during a task',
    body: TrackDraft,
    data: z.literal(true),
  }),
  surroundings: endpoint({
    method: 'GET',
    path: '/warn/surroundings/get',
    kind: 'json',
    permission: 'warn:record:query',
    scope: 'school',
    summary: '警情周边：学校、派出所、已派警力',
    summaryEn: 'Around an alarm: school, station, units sent',
    query: byRecord,
    data: RecordSurroundings,
  }),
}
