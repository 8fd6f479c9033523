import { z } from 'zod'

/** Every event for screens; `ref` is the id of the changed row. The browser refetches and never merges. */
export const eventTypes = [
  'alarm.raised',
  'alarm.changed',
  'alarm.again',
  'assignment.changed',
  'device.status',
  'device.outbox',
  'device.changed',
  'device.command',
  'model.changed',
  'employee.changed',
  'test.changed',
  'maintenance.changed',
  'procedure.changed',
  'run.changed',
  'rollout.changed',
  'readiness.changed',
  'weights.changed',
  'post.changed',
  'shift.changed',
  'handover.changed',
  'patrol.changed',
  'situation.changed',
  'situation.again',
  'unit.changed',
  'station.changed',
  'school.changed',
  'calendar.changed',
  'rule.changed',
  'delivery.changed',
  'delivery.arrived',
  'policy.changed',
  'order.changed',
  'report.issued',
  'announcement.changed',
  'announcement.published',
  'permission.changed',
  'session.ended',
  'notice.published',
  'notice.revoked',
  'dict.changed',
  'config.changed',
  'job.changed',
  'demo.talk',
] as const
export type NamedEventType = (typeof eventTypes)[number]
/** A row of an entity without an event of its own changed; it is the path of the calls, such as `/police/station`. */
export type RowEventType = `/${string}/${string}`
export type EventType = NamedEventType | RowEventType

export const isRowEvent = (type: EventType): type is RowEventType => type.startsWith('/')

/** Events for sockets that subscribed to their topic, with a user who has the permission. */
export const liveTopics = { demo: { events: ['demo.talk'], permission: 'demo:talk:query' } } as const satisfies Record<
  string,
  { events: readonly NamedEventType[]; permission: string }
>
export type LiveTopic = keyof typeof liveTopics

/** Events only for users with one of these permissions: other users do not even learn that something happened. */
export const eventPermissions: Partial<Record<NamedEventType, readonly string[]>> = {
  'alarm.raised': ['warn:record:query', 'warn:log:query'],
  'alarm.changed': ['warn:record:query', 'warn:log:query'],
  'alarm.again': ['warn:record:query', 'warn:log:query'],
  'assignment.changed': ['warn:record:query', 'warn:task:query'],
  'device.status': ['device:device:query', 'device:school-device:query'],
  'device.outbox': ['device:device:query'],
  'device.changed': ['device:device:query', 'device:school-device:query'],
  'device.command': ['device:command:query'],
  'model.changed': ['device:model:query'],
  'employee.changed': ['school:employee:query'],
  'test.changed': ['device:test:query'],
  'maintenance.changed': ['device:maintenance:query'],
  'procedure.changed': ['device:procedure:query', 'device:procedure:run'],
  'rollout.changed': ['device:rollout:query'],
  'run.changed': ['device:procedure:query', 'device:procedure:run'],
  'readiness.changed': ['insight:readiness:query', 'device:device:query', 'school:school:query'],
  'weights.changed': ['insight:readiness:query'],
  'post.changed': ['security:post:query', 'security:shift:query'],
  'shift.changed': ['security:shift:query', 'security:post:query'],
  'handover.changed': ['security:handover:query'],
  'patrol.changed': ['security:patrol:query', 'security:patrol:run'],
  'situation.changed': ['police:situation:query'],
  'situation.again': ['police:situation:query'],
  'unit.changed': ['police:unit:query', 'police:situation:query'],
  'station.changed': ['police:station:query', 'police:situation:query'],
  'delivery.changed': ['notify:delivery:query'],
  'policy.changed': ['notify:policy:query'],
  'school.changed': ['school:school:query', 'school:place:query'],
  'calendar.changed': ['school:calendar:query'],
  'order.changed': ['supervise:order:query'],
  'report.issued': ['insight:report:query'],
  'announcement.changed': ['announcement:announcement:query'],
}

/** The same of any event; the permission to read an entity follows from the path of its calls. */
export const permissionsOfEvent = (type: EventType): readonly string[] | undefined =>
  isRowEvent(type) ? [`${type.slice(1).replaceAll('/', ':')}:query`] : eventPermissions[type]

const eventFields = {
  id: z.int(),
  at: z.int(),
  data: z.object({ ref: z.int().nullable(), schoolId: z.int().nullable() }),
}

/** Server to browser. `id` is the gap-free sequence number. */
export const LiveFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), seq: z.int(), locked: z.boolean() }),
  // `seq`: everything up to it was sent, so a page resumes from here; absent while the socket catches up.
  // `notStoredSince`: since when alarms cannot be stored, epoch milliseconds of the server.
  z.object({
    type: z.literal('beat'),
    n: z.int(),
    seq: z.int().optional(),
    notStoredSince: z.int().optional(),
  }),
  z.object({ type: z.literal('resync'), seq: z.int() }),
  // The only data of a locked page: visible open alarms, unowned ones among them, and whether the user's desk rings.
  z.object({ type: z.literal('count'), open: z.int(), due: z.int(), rings: z.boolean() }),
  z.object({ type: z.literal('refused'), code: z.int() }),
  z.object({ type: z.enum(eventTypes), ...eventFields }),
  // `of`: the resource whose row changed.
  z.object({ type: z.literal('row'), of: z.string(), ...eventFields }),
])
export type LiveFrame = z.output<typeof LiveFrame>

const ids = z.array(z.int().min(1)).max(200)

/** Browser to server. The heartbeat reply renews the page's leases and reports what it displayed and sounded. */
export const PageFrame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auth'), token: z.string().max(200), since: z.int().min(0).optional() }),
  z.strictObject({ type: z.literal('beat'), n: z.int(), renew: ids, shown: ids, sounded: ids }),
  z.strictObject({ type: z.literal('topic'), name: z.enum(['demo']), follow: z.boolean() }),
])
export type PageFrame = z.output<typeof PageFrame>

export const HEARTBEAT_MS = 10_000
/** Without a heartbeat for this long the page shows that it is disconnected. */
export const HEARTBEAT_TIMEOUT_MS = 25_000
