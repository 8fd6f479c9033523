import { type InstallationVerb, installationRule } from '@tocsin/contract/device/installation'
import { type LifecycleVerb, lifecycleRule, whyNotTransition } from '@tocsin/contract/device/lifecycle'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

// No sequence of verbs, by one person or by two at once, leaves the tables of the contract; a device is never installed
// twice.

let site: DeviceServer
let acceptor: string
beforeAll(async () => {
  site = await startDeviceServer()
  acceptor = (await site.clerk('device:school-device:accept')).token
  await site.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
})
afterAll(() => site.end())

type Lifecycle = Parameters<typeof whyNotTransition>[1]['lifecycle']
type Status = 'PLANNED' | 'INSTALLED' | 'ACCEPTED' | 'SUSPENDED' | 'REMOVED'
type Model = { lifecycle: Lifecycle; status: Status | undefined; proven: boolean; room: number }
type Real = { id: number }

const later = () => Date.now() + 86_400_000
const args: Partial<Record<LifecycleVerb, () => object>> = {
  allocate: () => ({ schoolId: site.schoolId }),
  suspend: () => ({ reason: '装修', until: later() }),
  repair: () => ({ reason: '故障' }),
  lost: () => ({ reason: '遗失' }),
  retire: () => ({ reason: '报废' }),
}

/** The state in the database; the installation is the open one, undefined when the device is not installed. */
const read = async (id: number) => {
  const lifecycle = await site.lifecycleOf(id)
  const open = await site.all
    .selectFrom('schoolDevice')
    .select(['id', 'status'])
    .where('deviceId', '=', id)
    .where('validTo', 'is', null)
    .execute()
  expect(open.length).toBeLessThanOrEqual(1)
  return { lifecycle, open: open[0] }
}

const check = async (model: Model, { id }: Real) => {
  const { lifecycle, open } = await read(id)
  expect({ lifecycle, status: open?.status }).toEqual({ lifecycle: model.lifecycle, status: model.status })
}

const statusAfter: Partial<Record<LifecycleVerb, Status | undefined>> = {
  suspend: 'SUSPENDED',
  resume: 'ACCEPTED',
  lost: undefined,
}

class DeviceVerb implements fc.AsyncCommand<Model, Real> {
  readonly verb: LifecycleVerb
  constructor(verb: LifecycleVerb) {
    this.verb = verb
  }
  check = () => true
  async run(model: Model, real: Real) {
    const { verb } = this
    const installed = model.status !== undefined && verb !== 'lost'
    const why = whyNotTransition(verb, { lifecycle: model.lifecycle, installed })
    const answer = await site.act(`/device/device/${verb}`, real.id, args[verb]?.())
    expect(answer.code).toBe(why?.code ?? 200)
    if (!why) {
      model.lifecycle = lifecycleRule(verb).to
      if (verb in statusAfter) model.status = statusAfter[verb]
    }
    await check(model, real)
  }
  toString = () => this.verb
}

class Mount implements fc.AsyncCommand<Model, Real> {
  check = () => true
  async run(model: Model, real: Real) {
    const [placeId] = site.placeIds
    const answer = await site.call('POST', '/device/school-device/mount', { deviceId: real.id, placeId })
    const can = model.status === undefined && ['IN_STOCK', 'ALLOCATED'].includes(model.lifecycle)
    expect(answer.code === 200).toBe(can)
    if (can) Object.assign(model, { lifecycle: 'COMMISSIONING', status: 'INSTALLED', proven: false, room: 0 })
    await check(model, real)
  }
  toString = () => 'mount'
}

class Press implements fc.AsyncCommand<Model, Real> {
  check = () => true
  async run(model: Model, { id }: Real) {
    await site.press(id)
    model.proven = true
  }
  toString = () => 'press'
}

class Installed implements fc.AsyncCommand<Model, Real> {
  readonly verb: InstallationVerb
  constructor(verb: InstallationVerb) {
    this.verb = verb
  }
  check = (model: Readonly<Model>) => model.status !== undefined
  async run(model: Model, real: Real) {
    const { from, to, device } = installationRule(this.verb)
    const { open } = await read(real.id)
    const step = device.find((verb) => lifecycleRule(verb).from.some((state) => state === model.lifecycle))
    const status = model.status as Status
    const can = from.includes(status) && step !== undefined && (this.verb !== 'accept' || model.proven)
    const more = {
      suspend: { reason: '装修', until: later() },
      move: { placeId: site.placeIds[1 - model.room] },
    }[this.verb as 'suspend' | 'move']
    const token = this.verb === 'accept' ? acceptor : site.adminToken
    const answer = await site.act(`/device/school-device/${this.verb}`, open?.id ?? 0, more, token)
    expect(answer.code === 200, `${this.verb} ${answer.msg}`).toBe(can)
    if (can && step) {
      const moved = this.verb === 'move'
      model.lifecycle = lifecycleRule(step).to
      model.status = moved ? 'INSTALLED' : to === 'REMOVED' ? undefined : to
      if (moved) Object.assign(model, { proven: false, room: 1 - model.room })
    }
    await check(model, real)
  }
  toString = () => `installation.${this.verb}`
}

const deviceVerbs = [
  'allocate',
  'restock',
  'suspend',
  'resume',
  'repair',
  'repaired',
  'lost',
  'found',
  'retire',
] as const
const installationVerbs = ['accept', 'suspend', 'resume', 'move', 'remove'] as const

const commands = fc.commands(
  [
    fc.constantFrom(...deviceVerbs).map((verb) => new DeviceVerb(verb)),
    fc.constantFrom(...installationVerbs).map((verb) => new Installed(verb)),
    fc.constant(new Installed('accept')),
    fc.constant(new Mount()),
    fc.constant(new Press()),
  ],
  { maxCommands: 25 },
)

let devices = 0
const fresh = async () => {
  devices += 1
  return { id: (await site.register(`MODEL-${String(devices).padStart(4, '0')}`)).id }
}

it('stays within its table for any sequence of verbs', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (taken) => {
      const real = await fresh()
      const model: Model = { lifecycle: 'IN_STOCK', status: undefined, proven: false, room: 0 }
      await fc.asyncModelRun(() => ({ model, real }), taken)
    }),
    { numRuns: sampleSize(25) },
  )
})

const anyVerb = fc.constantFrom(
  ...deviceVerbs.map((verb) => `/device/device/${verb}`),
  '/device/school-device/mount',
  ...installationVerbs.map((verb) => `/device/school-device/${verb}`),
)

const actOn = async (id: number, path: string) => {
  const verb = path.split('/').at(-1) as LifecycleVerb
  if (path.endsWith('/mount')) return site.call('POST', path, { deviceId: id, placeId: site.placeIds[0] })
  const { open } = await read(id)
  const more = verb === 'move' ? { placeId: site.placeIds[1] } : args[verb]?.()
  return site.act(path, path.includes('school-device') ? (open?.id ?? 999_999) : id, more)
}

it('stays within its table when two people act at once', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyVerb, anyVerb), { minLength: 1, maxLength: 8 }), async (pairs) => {
      const { id } = await fresh()
      for (const pair of pairs) {
        const answers = await Promise.all(pair.map((path) => actOn(id, path)))
        // One call wins; the other gets a business error and no server error.
        for (const { code } of answers) expect([500, 503]).not.toContain(code)
        await read(id)
      }
      const { data } = await site.call('GET', `/device/device/history?id=${id}`)
      const rows = data as unknown as { verb: LifecycleVerb; fromState: Lifecycle; toState: Lifecycle }[]
      for (const { verb, fromState, toState } of rows.filter((row) => (row.verb as string) !== 'create')) {
        expect(lifecycleRule(verb).from).toContain(fromState)
        expect(lifecycleRule(verb).to).toBe(toState)
      }
    }),
    { numRuns: sampleSize(20) },
  )
})
