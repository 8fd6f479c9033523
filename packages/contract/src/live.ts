import { z } from 'zod'

/** Everything a screen can be told; `ref` is the id of what changed. The browser refetches, it never merges. */
export const eventTypes = [
  'alarm.raised',
  'alarm.changed',
  'alarm.again',
  'device.status',
  'device.outbox',
  'device.changed',
  'device.command',
  'model.changed',
  'test.changed',
  'rule.changed',
  'permission.changed',
  'session.ended',
  'notice.published',
  'notice.revoked',
  'dict.changed',
  'config.changed',
  'job.changed',
  'demo.talk',
] as const
export type EventType = (typeof eventTypes)[number]

/** Events that only a socket hears which asked for their topic, and whose person holds the permission. */
export const liveTopics = { demo: { events: ['demo.talk'], permission: 'demo:talk:query' } } as const satisfies Record<
  string,
  { events: readonly EventType[]; permission: string }
>
export type LiveTopic = keyof typeof liveTopics

/** What only holders of one of these permissions may read, nobody else is told of: not even that something happened. */
export const eventPermissions: Partial<Record<EventType, readonly string[]>> = {
  'alarm.raised': ['warn:record:query', 'warn:log:query'],
  'alarm.changed': ['warn:record:query', 'warn:log:query'],
  'alarm.again': ['warn:record:query', 'warn:log:query'],
  'device.status': ['device:device:query', 'device:school-device:query'],
  'device.outbox': ['device:device:query'],
  'device.changed': ['device:device:query', 'device:school-device:query'],
  'device.command': ['device:command:query'],
  'model.changed': ['device:model:query'],
  'test.changed': ['device:test:query'],
}

/** Server to browser. `id` is the gap-free sequence number. */
export const LiveFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), seq: z.int(), locked: z.boolean() }),
  // `seq`: everything up to it was sent, so a quiet page resumes from here; absent while the socket catches up.
  z.object({ type: z.literal('beat'), n: z.int(), seq: z.int().optional() }),
  z.object({ type: z.literal('resync'), seq: z.int() }),
  // All that a locked page is told: open alarms in sight, those of them that nobody has, and whether his desk rings.
  z.object({ type: z.literal('count'), open: z.int(), due: z.int(), rings: z.boolean() }),
  z.object({ type: z.literal('refused'), code: z.int() }),
  z.object({
    type: z.enum(eventTypes),
    id: z.int(),
    at: z.int(),
    data: z.object({ ref: z.int().nullable(), schoolId: z.int().nullable() }),
  }),
])
export type LiveFrame = z.output<typeof LiveFrame>

const ids = z.array(z.int().min(1)).max(200)

/** Browser to server. The beat answer renews the page's leases and reports what it painted and sounded. */
export const PageFrame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auth'), token: z.string().max(200), since: z.int().min(0).optional() }),
  z.strictObject({ type: z.literal('beat'), n: z.int(), renew: ids, shown: ids, sounded: ids }),
  z.strictObject({ type: z.literal('topic'), name: z.enum(['demo']), follow: z.boolean() }),
])
export type PageFrame = z.output<typeof PageFrame>

export const HEARTBEAT_MS = 10_000
/** No beat for this long: the page says that it is not live. */
export const HEARTBEAT_TIMEOUT_MS = 25_000
