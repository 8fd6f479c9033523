import type { MaintenanceCause, MaintenanceLogEntry, MaintenancePriority } from '@tocsin/contract/device/maintenance'
import type { MaintenanceState } from '@tocsin/contract/device/maintenance-machine'
import { sql } from 'kysely'
import { nextMaintenanceNo } from '#areas/device/maintenance/create-order'
import { loadPlacePaths } from '#areas/school/place'
import type { Db, UnscopedDb } from '#db/db'
import { unscoped } from '#db/scope'

// Maintenance orders in the demo: one in every state.

type Step = readonly [
  verb: MaintenanceLogEntry['verb'],
  username: string | null,
  state: MaintenanceState,
  daysAgo: number,
  note?: string,
]
type OrderSeed = {
  sn: string
  cause: MaintenanceCause
  priority: MaintenancePriority
  dueIn: number
  parts?: string
  steps: readonly Step[]
}

const orders: readonly OrderSeed[] = [
  {
    sn: 'DEMO-S1-03',
    cause: 'FAULT',
    priority: 'NORMAL',
    dueIn: -17,
    parts: '按键组件',
    steps: [
      ['create', 'school1', 'OPEN', 20, '按键按下后不回弹'],
      ['assign', 'maintainer', 'ASSIGNED', 20],
      ['arrive', 'maintainer', 'ON_SITE', 19],
      ['finish', 'maintainer', 'DONE', 19, '更换按键组件，试按三次均收到'],
      ['verify', 'school1', 'VERIFIED', 18],
    ],
  },
  {
    sn: 'DEMO-S3-04',
    cause: 'OFFLINE',
    priority: 'HIGH',
    dueIn: -1,
    steps: [
      ['create', null, 'OPEN', 2, '离线超过 24 小时，系统自动开单'],
      ['assign', 'maintainer', 'ASSIGNED', 1.8],
    ],
  },
  {
    sn: 'DEMO-S2-05',
    cause: 'LOW_BATTERY',
    priority: 'NORMAL',
    dueIn: 2,
    steps: [['create', null, 'OPEN', 0.4, '电量低于 20%，系统自动开单']],
  },
  {
    sn: 'DEMO-S1-06',
    cause: 'MANUAL',
    priority: 'LOW',
    dueIn: 5,
    steps: [
      ['create', 'safety1', 'OPEN', 1, '外壳有裂纹'],
      ['assign', 'maintainer', 'ASSIGNED', 0.9],
      ['arrive', 'maintainer', 'ON_SITE', 0.1],
    ],
  },
  {
    sn: 'DEMO-S3-07',
    cause: 'FAULT',
    priority: 'NORMAL',
    dueIn: 1,
    parts: '网线',
    steps: [
      ['create', 'school3', 'OPEN', 4, '指示灯不亮'],
      ['assign', 'maintainer', 'ASSIGNED', 3.5],
      ['arrive', 'maintainer', 'ON_SITE', 0.3],
      ['finish', 'maintainer', 'DONE', 0.2, '网线被压断，已更换'],
    ],
  },
  {
    sn: 'DEMO-S2-02',
    cause: 'TEST_FAILED',
    priority: 'HIGH',
    dueIn: 1,
    steps: [
      ['create', null, 'OPEN', 3, '按钮测试未收到信号，系统自动开单'],
      ['assign', 'maintainer', 'ASSIGNED', 2.8],
      ['arrive', 'maintainer', 'ON_SITE', 2],
      ['finish', 'maintainer', 'DONE', 2, '重新配网'],
      ['reopen', 'school2', 'REOPENED', 1, '再试仍无信号'],
    ],
  },
]

const daysFromNow = (days: number) => sql<Date>`now() + make_interval(secs => ${days * 86_400})`

const buildLog = async (trx: Db, people: ReadonlyMap<string, number>, orderId: number, steps: readonly Step[]) => {
  for (const [at, [verb, username, toState, daysAgo, note = null]] of steps.entries())
    await trx
      .insertInto('maintenanceLog')
      .values({
        orderId,
        at: daysFromNow(-daysAgo),
        userId: username === null ? null : (people.get(username) ?? null),
        verb,
        fromState: steps[at - 1]?.[2] ?? null,
        toState,
        assigneeName: verb === 'assign' ? '维护 唐' : null,
        note,
      })
      .execute()
}

const findInstalled = async (all: UnscopedDb, sn: string) => {
  const installed = await all
    .selectFrom('device')
    .innerJoin('schoolDevice', 'schoolDevice.deviceId', 'device.id')
    .select([
      'device.id as deviceId',
      'device.schoolId',
      'device.deptId',
      'schoolDevice.id as schoolDeviceId',
      'placeId',
    ])
    .where('device.sn', '=', sn)
    .where('schoolDevice.validTo', 'is', null)
    .executeTakeFirstOrThrow()
  const { placeId, ...columns } = installed
  return { ...columns, placePath: (await loadPlacePaths(all, [placeId])).get(placeId) ?? null }
}

const buildOrder = async (trx: Db, people: ReadonlyMap<string, number>, seed: OrderSeed): Promise<void> => {
  const { sn, cause, priority, dueIn, parts = null, steps } = seed
  const all = unscoped(trx, 'the demo data belongs to every department')
  const person = (username: string | null) => (username === null ? null : (people.get(username) ?? null))
  const last = (verb: Step[0]) => {
    const step = steps.findLast(([item]) => item === verb)
    return step ? { by: person(step[1]), at: daysFromNow(-step[3]), note: step[4] ?? null } : undefined
  }
  const state = steps.at(-1)?.[2] ?? 'OPEN'
  const finished = state === 'REOPENED' ? undefined : last('finish')
  const verified = last('verify')
  const order = await all
    .insertInto('maintenanceOrder')
    .values({
      no: await nextMaintenanceNo(trx),
      ...(await findInstalled(all, sn)),
      cause,
      priority,
      state,
      description: last('create')?.note ?? null,
      assigneeId: last('assign') ? person('maintainer') : null,
      dueAt: daysFromNow(dueIn),
      finishedBy: finished?.by ?? null,
      finishedAt: finished?.at ?? null,
      result: finished?.note ?? null,
      parts,
      verifiedBy: verified?.by ?? null,
      verifiedAt: verified?.at ?? null,
      reopenCount: steps.filter(([verb]) => verb === 'reopen').length,
      createTime: last('create')?.at ?? sql<Date>`now()`,
      creator: last('create')?.by ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await buildLog(trx, people, order.id, steps)
}

/** Runs after the accounts exist. */
export const buildMaintenance = async (trx: Db): Promise<void> => {
  const rows = await unscoped(trx, 'the demo data belongs to every department')
    .selectFrom('users')
    .select(['id', 'username'])
    .execute()
  const people = new Map(rows.map(({ id, username }) => [username, id]))
  for (const seed of orders) await buildOrder(trx, people, seed)
}
