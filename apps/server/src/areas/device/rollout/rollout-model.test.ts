import {
  isForward,
  LAST_RING,
  openRolloutStates,
  type PersonRolloutVerb,
  personRolloutVerbs,
  rolloutDeviceStates,
  rolloutMachine,
  rolloutRule,
  type RolloutState,
} from '@tocsin/contract/device/rollout/rollout-machine'
import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Row } from '#db/tables'
import { invalidateSettings } from '#settings/settings-cache'
import { runDueTimers } from '#timer/scheduler'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { quietLog } from '../../../../test/quiet-log.ts'
import { configureFileStore } from '../../files/file-store.ts'
import { rolloutTimerHandlers } from './advance.ts'
import { applyRolloutProgress } from './progress.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

// People, devices and the timer of two nodes act on one rollout, some at the same moment. In any order it follows FSM K
// and its gate, the devices only move forward ring by ring, and nothing starts while it is frozen or does not run.

type Person = { token: string; userId: number }
let site: DeviceServer
let people: Person[]
let packageId: number
const deviceIds: number[] = []
/** Rings of 1, 2 and 3 devices of 3: the first, the second and the last. */
const DEVICES = 3

beforeAll(async () => {
  site = await startDeviceServer()
  // No content is fetched here: links are only signed.
  configureFileStore({ store: undefined as never, linkKey: randomBytes(32), sheets: '' })
  const permissions = ['query', 'create', 'approve', 'control'].map((verb) => `device:rollout:${verb}`)
  people = [await site.clerk(...permissions), await site.clerk(...permissions)]
  await site.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
  for (let n = 0; n < DEVICES; n += 1) {
    const { id } = await site.register(`OTA-MODEL-${n}`)
    await site.all.updateTable('device').set({ lifecycle: 'IN_SERVICE' }).where('id', '=', id).execute()
    deviceIds.push(id)
  }
  packageId = await insertPackage()
})
afterAll(() => site.end())

const insertPackage = async (): Promise<number> => {
  const content = { size: 64, sha256: randomBytes(32) }
  const { id: fileId } = await site.all
    .insertInto('file')
    .values({
      ...content,
      name: 'b1.zip',
      type: 'application/zip',
      purpose: 'DRAFT',
      ownerId: people[0]?.userId ?? 0,
      ownerName: 'maker',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await site.all
    .insertInto('programPackage')
    .values({
      kind: 'FIRMWARE',
      modelId: site.modelId,
      release: '2.0.0',
      fileId,
      fileName: 'b1.zip',
      size: content.size,
      sha256: content.sha256.toString('hex'),
      signature: 'x'.repeat(88),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const kinds = ['tick', 'tick', 'report', 'report', 'pass', 'freeze', 'connect'] as const
const anyAct = fc.record({
  kind: fc.oneof(fc.constantFrom(...kinds), fc.constantFrom(...personRolloutVerbs)),
  person: fc.nat({ max: 1 }),
  device: fc.nat({ max: DEVICES - 1 }),
  state: fc.oneof(fc.constantFrom(...rolloutDeviceStates), fc.constant('UPDATED' as const)),
  on: fc.boolean(),
})
type Act = typeof anyAct extends fc.Arbitrary<infer T> ? T : never

type World = { rollout: Row<'rollout'> | undefined; devices: Row<'rolloutDevice'>[]; isFrozen: boolean }
const read = async (id: number): Promise<World> => ({
  rollout: await site.all.selectFrom('rollout').selectAll().where('id', '=', id).executeTakeFirst(),
  devices: await site.all.selectFrom('rolloutDevice').selectAll().where('rolloutId', '=', id).orderBy('id').execute(),
  isFrozen: frozen,
})

let frozen = false
const freeze = async (on: boolean) => {
  frozen = on
  await site.site.db
    .updateTable('config')
    .set({ value: String(on) })
    .where('key', '=', 'ota.freeze')
    .execute()
  invalidateSettings()
}
const connect = (deviceId: number, isOnline: boolean) => {
  const connectivity = isOnline ? ('ONLINE' as const) : ('OFFLINE' as const)
  return site.site.db
    .insertInto('deviceState')
    .values({ deviceId, connectivity })
    .onConflict((conflict) => conflict.column('deviceId').doUpdateSet({ connectivity }))
    .execute()
}
const tick = async (id: number) => {
  await site.pool.query(
    `update timer set due_at = now() where kind = 'rollout' and subject_id = $1 and done_at is null`,
    [id],
  )
  await runDueTimers({ db: site.site.db, handlers: rolloutTimerHandlers, log: quietLog }, new AbortController().signal)
}
/** As if a day had passed without a report. */
const pass = (id: number) =>
  site.pool.query(
    `update rollout_device set changed_at = changed_at - interval '1 day', rollback_sent_at = rollback_sent_at - interval '1 day'
     where rollout_id = $1`,
    [id],
  )

const isVerb = (kind: Act['kind']): kind is PersonRolloutVerb => kind in rolloutMachine

const applyVerb = async (verb: PersonRolloutVerb, { rollout }: World, { token }: Person): Promise<number> => {
  const { id = 0, version = 1 } = rollout ?? {}
  const path = `/device/rollout/${verb === 'rollBack' ? 'roll-back' : verb}`
  if (verb === 'delete') return Number((await site.call('DELETE', `${path}?id=${id}`, undefined, token)).code)
  const reason = rolloutRule(verb).asks === 'reason' ? { reason: '现场反馈' } : {}
  return Number((await site.call('POST', path, { id, version, ...reason }, token)).code)
}

/** @returns the code of the answer to a person */
const perform = async (id: number, act: Act, world: World): Promise<number | undefined> => {
  const deviceId = deviceIds[act.device] ?? 0
  if (isVerb(act.kind)) return applyVerb(act.kind, world, people[act.person] as Person)
  const report = { rolloutId: String(id), type: 'FIRMWARE', version: '2', state: act.state } as const
  if (act.kind === 'tick') await tick(id)
  else if (act.kind === 'report') await applyRolloutProgress(site.site.db, deviceId, report)
  else if (act.kind === 'pass') await pass(id)
  else if (act.kind === 'freeze') await freeze(act.on)
  else await connect(deviceId, act.on)
  return undefined
}

/** States that follow in so many steps of the table, with those of the server. */
const reachable = (from: RolloutState, steps: number): Set<RolloutState> => {
  const found = new Set([from])
  for (let n = 0; n < steps; n += 1)
    for (const { from: origins, to } of Object.values(rolloutMachine))
      if (to !== 'gone' && origins.some((state: RolloutState) => found.has(state))) found.add(to)
  return found
}

const checkRollout = (before: Row<'rollout'>, after: Row<'rollout'>, acts: number) => {
  expect([...reachable(before.state, acts)]).toContain(after.state)
  expect(after.ring, 'rings only grow').toBeGreaterThanOrEqual(before.ring)
  expect(after.ring).toBeLessThanOrEqual(LAST_RING)
  if (after.state === 'RING') expect(after.ring).toBeGreaterThan(0)
  if (!['DRAFT', 'HALTED'].includes(after.state)) expect(after.approvedBy, 'another person approved it').not.toBeNull()
  expect(after.approvedBy).not.toBe(after.creator)
}

const checkDevices = (before: World, after: World, acts: readonly Act[]) => {
  const was = new Map(before.devices.map((device) => [device.id, device]))
  const ring = after.rollout?.ring ?? 0
  for (const device of after.devices) {
    const { state = 'QUEUED', attempts = 0 } = was.get(device.id) ?? {}
    const isAskedAgain = state === 'INITIATED' && device.state === 'QUEUED'
    if (state !== device.state && !isAskedAgain)
      expect(isForward(state, device.state), `${state} ${device.state}`).toBe(true)
    expect(device.attempts).toBeLessThanOrEqual(3)
    if (device.attempts > attempts) {
      expect(device.ring, 'only the rings so far start').toBeLessThanOrEqual(ring)
      expect(before.isFrozen && after.isFrozen && !acts.some(({ kind }) => kind === 'freeze')).toBe(false)
      expect(acts.some(({ kind }) => kind === 'tick')).toBe(true)
    }
  }
  if (after.rollout?.state !== 'COMPLETED') return
  const ended = ['UPDATED', 'FAILED', 'ROLLED_BACK']
  for (const { state } of after.devices) expect(ended).toContain(state)
}

/** What waits to be sent, and the pending timer: a rollout that does not run starts nothing. */
const checkQueue = async (id: number, { rollout }: World) => {
  const { rows: waiting } = await site.pool.query<{ isRollback: boolean }>(
    `select c.payload ? 'rollback' as "isRollback" from device_outbox o join device_command c on c.command_id = o.key
     where o.sent_at is null and c.type = 'UPDATE' and c.payload ->> 'rolloutId' = $1`,
    [String(id)],
  )
  // A command to a device that ended otherwise expires.
  if (!['RING', 'COMPLETED'].includes(rollout?.state ?? ''))
    expect(waiting.filter(({ isRollback }) => !isRollback)).toEqual([])
  if (rollout?.rollbackAt === null) expect(waiting.filter(({ isRollback }) => isRollback)).toEqual([])
  const { rows: pending } = await site.pool.query(
    `select epoch from timer where kind = 'rollout' and subject_id = $1 and done_at is null`,
    [id],
  )
  if (rollout?.state === 'RING') expect(pending).toHaveLength(1)
  else expect(pending.length).toBeLessThanOrEqual(rollout?.state === 'HALTED' && rollout.rollbackAt !== null ? 1 : 0)
}

const playRound = async (id: number, acts: readonly Act[]): Promise<boolean> => {
  const before = await read(id)
  if (!before.rollout) return false
  const answers = await Promise.all(acts.map((act) => perform(id, act, before)))
  for (const code of answers) expect([500, 503]).not.toContain(code)
  const won = acts.filter(({ kind }, at) => isVerb(kind) && kind !== 'delete' && answers[at] === 200)
  expect(won.length, 'of people who decided on one version one was first').toBeLessThanOrEqual(1)
  const after = await read(id)
  if (!after.rollout) {
    expect(before.rollout.state, 'only a draft is deleted').toBe('DRAFT')
    return false
  }
  checkRollout(before.rollout, after.rollout, acts.length)
  checkDevices(before, after, acts)
  await checkQueue(id, after)
  return true
}

const start = async (): Promise<number> => {
  await freeze(false)
  for (const id of deviceIds) await connect(id, true)
  await site.all.updateTable('rollout').set({ state: 'HALTED' }).where('state', 'in', openRolloutStates).execute()
  await site.pool.query(`delete from timer where kind = 'rollout'`)
  const draft = { name: '升级', packageId, maxBadPct: 40 }
  const { data } = await site.call('POST', '/device/rollout/create', draft, people[0]?.token)
  return Number(data)
}

const step = (kind: Act['kind'], more: Partial<Act> = {}): Act => {
  return { kind, person: 1, device: 0, state: 'UPDATED', on: true, ...more }
}
const running = [
  [step('approve'), step('approve', { person: 0 })],
  [step('start'), step('start', { person: 0 })],
]
const allUpdated = [0, 1, 2].map((device) => step('report', { device }))
/** What any run meets: the whole way; a ring that fails halts and is rolled back; a freeze while two nodes tick. */
const complete = [...running, ...[1, 2, 3, 4, 5].flatMap(() => [[step('tick'), step('tick')], allUpdated])]
const halted = [
  ...running,
  [step('tick')],
  [0, 1, 2].map((device) => step('report', { device, state: 'FAILED' })),
  [step('tick'), step('pause')],
  [step('rollBack'), step('rollBack', { person: 0 })],
  [step('pass'), step('tick'), step('tick')],
]
const paused = [
  ...running,
  [step('freeze')],
  [step('tick'), step('tick')],
  [step('freeze', { on: false }), step('tick')],
  [step('pause'), step('tick'), step('abort', { person: 0 })],
  [step('resume'), step('tick')],
]

it('follows its machine and its gate, whatever people, devices and timers do at the same moment', async () => {
  const met = new Set<string>()
  const rounds = fc.array(fc.array(anyAct, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(rounds, async (planned) => {
      const id = await start()
      for (const acts of [...running, ...planned]) {
        if (!(await playRound(id, acts))) return
        met.add((await read(id)).rollout?.state ?? '')
      }
    }),
    { numRuns: sampleSize(20), examples: [[complete.slice(2)], [halted.slice(2)], [paused.slice(2)]] },
  )
  expect([...met]).toEqual(expect.arrayContaining(['RING', 'HALTED', 'COMPLETED', 'PAUSED']))
})
