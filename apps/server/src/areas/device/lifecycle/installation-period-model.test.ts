import type { Alarm, AlarmCode } from '@tocsin/protocol/alarm'
import type { DeviceEvent } from '@tocsin/protocol/event'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePlace, makeSchool } from '../../../../seed/fixtures.ts'
import { makeModelDraft } from '../../../../test/device-server.ts'
import { checkExpectedPresses, checkSecrets } from '../../../../test/installation-rules.ts'
import { type InstallationServer, startInstallationServer } from '../../../../test/installation-server.ts'
import { alarm, carried, event } from '../../../../test/intake-fixture.ts'
import { sampleSize } from '../../../../test/sample-size.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'
import { dispatch } from '#areas/alarm/verb/handle'
import { ingestSignal } from '#areas/alarm/ingest'
import { BusinessError } from '#http/business-error'
import { checkSecret } from '../credential-check.ts'

// Two people and a device act at the same time. Whatever the order: each signal belongs to the place and time of its press,
// nothing waits or stays open of a place that the device has left, gateways are of the school of their devices and in no loop,
// the secret in use opens, and no expected press hides a call for help.

let site: InstallationServer
/** Two at each of two schools. */
let places: { id: number; schoolId: number }[]
let gatewayModelId: number
useTransactionHooks()
beforeAll(async () => {
  site = await startInstallationServer()
  const second = await makeSchool(site.site.db, { eduDeptId: site.here.deptId })
  const rooms = [
    await makePlace(site.site.db, { schoolId: second.id }),
    await makePlace(site.site.db, { schoolId: second.id }),
  ]
  places = [...site.placeIds.map((id) => ({ id, schoolId: site.schoolId })), ...rooms]
  const draft = makeModelDraft({ productKey: 'modelgate1', name: 'G', kind: 'GATEWAY', alarmCodes: [] })
  gatewayModelId = Number((await site.call('POST', '/device/model/create', draft)).data)
})
afterAll(() => site.end())

const HOUR_MS = 3_600_000
/** The device started a day ago, by its own clock as well. */
const BOOT_CLOCK_MS = Date.now() - 24 * HOUR_MS
const stampAt = (ts: number) => ({ ts, upMs: ts - BOOT_CLOCK_MS })
const D = '/device/device'
const S = '/device/school-device'

const state = (id: number) =>
  site.all
    .selectFrom('device')
    .leftJoin('schoolDevice', (join) =>
      join.onRef('schoolDevice.deviceId', '=', 'device.id').on('schoolDevice.validTo', 'is', null),
    )
    .select(['device.version', 'device.lifecycle', 'device.schoolId', 'device.gatewayId'])
    .select(['schoolDevice.id as installationId', 'schoolDevice.placeId'])
    .where('device.id', '=', id)
    .executeTakeFirstOrThrow()
type DeviceState = Awaited<ReturnType<typeof state>>

type Allowed = { placeId: number | null }[]
type Sent = { message: Alarm | DeviceEvent; recordId: number | null; step: number; allowed: Allowed }
type World = {
  id: number
  sn: string
  gateways: number[]
  secrets: string[]
  sent: Sent[]
  commands: { id: number; step: number }[]
  /** After each step. */
  states: DeviceState[]
  seq: number
}

const press = async (world: World, message: Alarm | DeviceEvent, allowed: Allowed = []) => {
  const { recordId, duplicate } = await ingestSignal(site.site.db, {
    deviceId: world.id,
    via: 'MQTT',
    ...carried(message),
  })
  expect(duplicate).toBe(false)
  world.sent.push({ message, recordId, step: world.states.length, allowed })
}

const nextSeq = (world: World) => (world.seq += 1)
const leaving = { reason: '换位', withChildren: true }
const installationIdOf = async ({ id }: World) => (await state(id)).installationId ?? 999_999
const onInstallation = async (world: World, verb: string, more: object = {}) =>
  site.act(`${S}/${verb}`, await installationIdOf(world), more)
const gatewayAt = ({ gateways }: World, at: number) => gateways[at % gateways.length] ?? 0

/** Another person was faster. */
const throwUnlessRefused = (error: unknown) => {
  if (!(error instanceof BusinessError)) throw error
}

type Action = { name: string; at: number }
const actions: Record<string, (world: World, at: number) => Promise<unknown>> = {
  mount: ({ id }, at) => site.call('POST', `${S}/mount`, { deviceId: id, placeId: places[at]?.id }),
  accept: async (world) => site.accept(await installationIdOf(world)),
  move: (world, at) => onInstallation(world, 'move', { placeId: places[at]?.id }),
  remove: (world) => onInstallation(world, 'remove', leaving),
  lost: ({ id }) => site.act(`${D}/lost`, id, leaving),
  found: ({ id }) => site.act(`${D}/found`, id),
  allocate: ({ id }, at) => site.act(`${D}/allocate`, id, { schoolId: places[at]?.schoolId }),
  restock: ({ id }) => site.act(`${D}/restock`, id),
  retire: ({ id }, at) => (at === 0 ? site.act(`${D}/retire`, id, leaving) : Promise.resolve()),
  attach: async (world, at) => {
    const { version } = await state(world.id)
    const gatewayId = at === 3 ? null : gatewayAt(world, at)
    return site.call('PUT', `${D}/update`, { id: world.id, version, gatewayId })
  },
  attachGateway: async ({ gateways: [first = 0, second = 0] }, at) => {
    const [id, gatewayId] = at % 2 === 0 ? [first, second] : [second, first]
    return site.call('PUT', `${D}/update`, { id, version: (await state(id)).version, gatewayId })
  },
  mountGateway: (world, at) =>
    site.call('POST', `${S}/mount`, { deviceId: gatewayAt(world, at), placeId: places[at]?.id }),
  removeGateway: async (world, at) =>
    site.act(`${S}/remove`, (await state(gatewayAt(world, at))).installationId ?? 999_999, leaving),
  allocateGateway: (world, at) => site.act(`${D}/allocate`, gatewayAt(world, at), { schoolId: places[at]?.schoolId }),
  restockGateway: (world, at) => site.act(`${D}/restock`, gatewayAt(world, at)),
  loseGateway: (world, at) => site.act(`${D}/lost`, gatewayAt(world, at), leaving),
  findGateway: (world, at) => site.act(`${D}/found`, gatewayAt(world, at)),
  rotate: async (world, at) => {
    const answer = await site.act(`${D}/rotate-secret`, world.id, at > 1 ? { force: true } : {})
    if (answer.code === 200) world.secrets.push(String(answer.data['secret']))
    return answer
  },
  useSecret: async ({ sn, secrets }, at) => {
    const secret = Buffer.from(secrets.at(-1 - at) ?? secrets[0] ?? '', 'base64url')
    await checkSecret(site.site.db, { productKey: 'testbtn01', sn }, secret)
  },
  press: (world) => press(world, alarm('PANIC', nextSeq(world), stampAt(Date.now()))),
  reset: (world) => press(world, event('MANUAL_RESET', nextSeq(world), stampAt(Date.now()))),
  /** Somebody sends a guard to the last press of the device that was expected. */
  dispatch: async ({ id }) => {
    const record = (await site.recordsOf(id)).findLast(({ mode, open }) => mode === 'TEST' && open)
    const told = { toldName: '王', toldPhone: '13800000000' }
    if (record) await dispatch(site.site.db, site.operator, { ...record, ...told }).catch(throwUnlessRefused)
  },
  cancel: (world) => press(world, alarm('CANCEL', nextSeq(world), stampAt(Date.now()))),
  battery: (world) => press(world, event('BATTERY_LOW', nextSeq(world), stampAt(Date.now()))),
  repeat: async ({ id, sent }, at) => {
    const before = sent.at(-1 - at)
    if (!before) return
    const again = await ingestSignal(site.site.db, { deviceId: id, via: 'MQTT', ...carried(before.message) })
    expect(again).toMatchObject({ duplicate: true, recordId: before.recordId })
  },
  /** A press that the device kept, of half an hour after an earlier step. */
  replay: async (world, at) => {
    const { states } = world
    const then = states.at(-1 - at)
    if (!then) return
    const kept = { ...stampAt(Date.now() - (at + 0.5) * HOUR_MS), replay: true }
    await press(world, alarm('PANIC' satisfies AlarmCode, nextSeq(world), kept), [{ placeId: then.placeId }])
  },
  command: async (world) => {
    const answer = await site.call('POST', '/device/command/create', { deviceId: world.id, type: 'LED' })
    if (answer.code === 200) world.commands.push({ id: Number(answer.data), step: world.states.length })
    return answer
  },
  window: async ({ id }) => {
    const { schoolId } = await state(id)
    if (schoolId === null) return
    const windowFrom = Date.now()
    const made = await site.call('POST', '/device/test/create', {
      schoolId,
      windowFrom,
      windowTo: Date.now() + HOUR_MS,
    })
    if (made.code === 200) await site.act('/device/test/tell', Number(made.data))
  },
  closeWindow: async ({ id }) => {
    const plans = site.all.selectFrom('testPlan').select('id').where('closedAt', 'is', null)
    const { schoolId } = await state(id)
    for (const plan of await plans.where('schoolId', '=', schoolId ?? 0).execute())
      await site.act('/device/test/close', plan.id)
  },
}

/** Makes everything an hour older, so that each step lasted one. */
const passHour = ({ id }: World) =>
  site.pool.query(
    `update school_device set valid_from = valid_from - interval '1 hour', valid_to = valid_to - interval '1 hour',
       installed_at = installed_at - interval '1 hour' where device_id = $1`,
    [id],
  )

/** Where the device hung at any time of a step that begins an hour after everything else. */
const placesOfStep = async ({ id }: World, before: DeviceState): Promise<Allowed> => {
  const rows = await site.all
    .selectFrom('schoolDevice')
    .select(['id', 'placeId'])
    .where('deviceId', '=', id)
    .where(({ eb, or }) => or([eb('validTo', 'is', null), eb('validTo', '>', new Date(Date.now() - HOUR_MS / 2))]))
    .execute()
  const after = await state(id)
  const isGap = before.installationId === null || after.installationId === null || rows.length > 2
  return [...rows, ...(isGap ? [{ placeId: null }] : [])]
}

const runStep = async (world: World, pair: readonly Action[]) => {
  await passHour(world)
  const before = await state(world.id)
  const from = world.sent.length
  const answers = await Promise.all(pair.map(({ name, at }) => actions[name]?.(world, at)))
  for (const answer of answers)
    expect([500, 503], JSON.stringify(answer)).not.toContain((answer as { code?: number } | undefined)?.code)
  const allowed = await placesOfStep(world, before)
  for (const sent of world.sent.slice(from)) if (sent.allowed.length === 0) sent.allowed = allowed
  world.states.push(await state(world.id))
}

const checkSignals = async ({ id, sent }: World) => {
  const rows = await site.all
    .selectFrom('signal')
    .leftJoin('warnRecord', 'warnRecord.id', 'signal.recordId')
    .select(['signal.eventId', 'signal.code', 'signal.mode', 'signal.recordId', 'signal.schoolId', 'signal.occurredAt'])
    .select(['warnRecord.placeId', 'warnRecord.schoolId as recordSchool', 'warnRecord.mode as recordMode'])
    .select(['warnRecord.deviceId as recordDevice', 'signal.suppressed', 'signal.timeProven'])
    .where('signal.deviceId', '=', id)
    .execute()
  expect(rows.map(({ eventId }) => eventId).toSorted()).toEqual(sent.map(({ message }) => message.eventId).toSorted())
  for (const { message, recordId, allowed } of sent) {
    const row = rows.find(({ eventId }) => eventId === message.eventId)
    expect(row?.recordId).toBe(recordId)
    if (row?.code === 'PANIC') expect(row.recordId).not.toBeNull()
    if (!row || row.recordId === null) continue
    expect(row.recordDevice).toBe(id)
    // People may have found the press real that was expected.
    if (row.mode !== 'TEST') expect(row.recordMode).toBe(row.mode)
    if (row.code === 'BATTERY_LOW' || row.code === 'MANUAL_RESET') continue
    expect(row.recordSchool).toBe(row.schoolId)
    expect(
      allowed.map(({ placeId }) => placeId),
      `${row.code} at ${row.placeId}`,
    ).toContain(row.placeId)
  }
}

const boundariesOf = ({ states }: World) =>
  states.flatMap((after, at) => {
    const before = states[at - 1]
    if (!before) return []
    const hasLeft =
      (before.installationId !== null && before.installationId !== after.installationId) ||
      (before.schoolId !== null && before.schoolId !== after.schoolId) ||
      (after.lifecycle !== before.lifecycle && (after.lifecycle === 'LOST' || after.lifecycle === 'RETIRED'))
    const isGatewayChanged = before.gatewayId !== after.gatewayId
    return hasLeft || isGatewayChanged ? [{ step: at, hasLeft }] : []
  })

const isOfHealth = (message: Alarm | DeviceEvent) => 'kind' in message && message.kind !== 'MANUAL_RESET'

const checkEnded = async (world: World) => {
  const boundaries = boundariesOf(world)
  const last = boundaries.at(-1)?.step ?? -1
  const lastLeft = boundaries.findLast(({ hasLeft }) => hasLeft)?.step ?? -1
  const waiting = await site.all
    .selectFrom('deviceCommand')
    .select('id')
    .where('deviceId', '=', world.id)
    .where('state', '=', 'CREATED')
    .execute()
  const old = world.commands.filter(({ step }) => step < last).map(({ id }) => id)
  expect(waiting.filter(({ id }) => old.includes(id))).toEqual([])
  const health = world.sent.filter(({ message, step }) => isOfHealth(message) && step < lastLeft)
  const open = await site.all
    .selectFrom('warnRecord')
    .select(['id', 'lastAt'])
    .where('id', 'in', [0, ...health.flatMap(({ recordId }) => recordId ?? [])])
    .where('open', '=', true)
    .where('state', 'in', ['NEW', 'CLAIMED'])
    .execute()
  const again = world.sent.filter(({ message, step }) => isOfHealth(message) && step >= lastLeft)
  expect(open.filter(({ id }) => !again.some(({ recordId }) => recordId === id))).toEqual([])
}

const checkGateways = async ({ id, gateways }: World) => {
  const { rows } = await site.pool.query(
    `select child.sn, gateway.lifecycle, gateway.school_id as at, child.school_id as of
     from device child join device gateway on gateway.id = child.gateway_id
     where child.id = any($1) and (gateway.lifecycle in ('LOST', 'RETIRED') or gateway.id = child.id
       or child.school_id is not null and gateway.school_id is distinct from child.school_id)`,
    [[id, ...gateways]],
  )
  expect(rows).toEqual([])
  const { rows: loops } = await site.pool.query(
    `with recursive above as (
      select id as start, gateway_id as at, 1 as depth from device where id = any($1) and gateway_id is not null
      union all select start, device.gateway_id, depth + 1 from above join device on device.id = above.at
        where device.gateway_id is not null and depth < 5
    ) select start from above where at = start`,
    [[id, ...gateways]],
  )
  expect(loops).toEqual([])
}

const action = fc.record({ name: fc.constantFrom(...Object.keys(actions)), at: fc.nat({ max: 3 }) })
const usual = fc.record({
  name: fc.constantFrom(
    'mount',
    'mount',
    'accept',
    'move',
    'remove',
    'press',
    'press',
    'attach',
    'mountGateway',
    'command',
    'window',
    'closeWindow',
    'dispatch',
    'reset',
  ),
  at: fc.nat({ max: 3 }),
})
const step = fc.tuple(fc.oneof(usual, action), fc.oneof(usual, action))

let count = 0
const fresh = async (): Promise<World> => {
  count += 1
  const sn = `PERIOD-${count}`
  const { id, secret } = await site.register(sn)
  await site.pool.query('update device_state set skew_ms = 0, skew_boot = 1, boot_clock_ms = $2 where device_id = $1', [
    id,
    BOOT_CLOCK_MS,
  ])
  const gateways: number[] = []
  for (const which of [1, 2]) {
    const made = await site.call('POST', `${D}/create`, { sn: `PERIOD-${count}-G${which}`, modelId: gatewayModelId })
    gateways.push(Number(made.data['id']))
  }
  return { id, sn, gateways, secrets: [secret], sent: [], commands: [], states: [await state(id)], seq: 0 }
}

/** A story that random steps meet rarely; each step beside a command. */
const story = (...names: string[]) =>
  names.map((name): [Action, Action] => [
    { name, at: 0 },
    { name: 'command', at: 0 },
  ])
/** A mount allocates the device to a school where its gateway is not. */
const leftGatewayByMount = story('attach', 'press', 'mount', 'press')
const closedWindow = story('mount', 'press', 'accept', 'window', 'press', 'closeWindow', 'press', 'reset')
const convertedPress = story('mount', 'press', 'dispatch', 'press', 'cancel', 'reset')
const gatewayLoop = [0, 1].map((at): [Action, Action] => [
  { name: 'attachGateway', at },
  { name: 'command', at },
])
const rotatedTwice = story('useSecret', 'rotate', 'rotate', 'lost', 'found', 'rotate')

it('keeps the rules of place, time and secret when several people act at once', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const world = await fresh()
      for (const pair of steps) await runStep(world, pair)
      await checkSignals(world)
      await checkEnded(world)
      await checkGateways(world)
      await checkSecrets(site, world)
      await checkExpectedPresses(site, world)
      await site.pool.query('update test_plan set closed_at = now() where closed_at is null')
    }),
    {
      numRuns: sampleSize(40),
      examples: [[leftGatewayByMount], [closedWindow], [convertedPress], [gatewayLoop], [rotatedTwice]],
    },
  )
})
