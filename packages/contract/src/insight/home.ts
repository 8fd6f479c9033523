import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'

const count = z.int().min(0)

/** Open alarms of mode LIVE; `exercises` are the open tests and drills. `unclaimed`: nobody has it, and not shelved. */
const HomeAlarms = z.strictObject({
  levels: z.array(z.strictObject({ level: z.int(), open: count, unclaimed: count })),
  exercises: count,
  oldest: z
    .strictObject({
      id: Id,
      code: z.string(),
      level: z.int(),
      schoolName: z.string().nullable(),
      placePath: z.string().nullable(),
      receivedAt: Millis,
    })
    .nullable(),
  /** Of mode LIVE, first reported since midnight in the server's zone. */
  today: z.strictObject({ since: Millis, raised: count, ended: count, false: count }),
})

const HomeDevices = z.strictObject({
  total: field(count, '在用设备', 'In service'),
  online: field(count, '在线', 'Online'),
  late: field(count, '超时', 'Late'),
  offline: field(count, '离线', 'Offline'),
  neverSeen: field(count, '从未连接', 'Never seen'),
})

/** What the dashboard shows of business; null is what the caller has no permission for. `now` is the server's clock. */
export const Home = z.strictObject({ now: Millis, alarms: HomeAlarms.nullable(), devices: HomeDevices.nullable() })
export type Home = z.output<typeof Home>
export type HomeAlarms = z.output<typeof HomeAlarms>
export type HomeDevices = z.output<typeof HomeDevices>

export const homes = {
  get: endpoint({
    method: 'GET',
    path: '/insight/home/get',
    kind: 'json',
    permission: 'token',
    scope: 'school',
    summary: '首页数据',
    summaryEn: 'Figures of the dashboard',
    data: Home,
  }),
}
