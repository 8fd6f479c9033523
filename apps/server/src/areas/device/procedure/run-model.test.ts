import { codes } from '@tocsin/contract/codes'
import { type RunState, runMachine, type RunVerb, whyNotRun } from '@tocsin/contract/device/procedure/procedure-machine'
import type { StepState } from '@tocsin/contract/device/procedure/run'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { builtInStep } from './built-in-step.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

// Two workers start, tick, resume and end runs at one device, some at the same moment. In any order a run follows FSM L,
// its mandatory steps are done in order and block its end, and a device has one open run.

const R = '/device/procedure-run'
const SN = 'RUN-MODEL-1'
let site: DeviceServer
let procedureId: number
let deviceId: number
let workers: { token: string }[]
const mandatory = [1, 2, 3]
const steps = [
  builtInStep('MAINTAINER', ['外观完好', 'Housing sound'], { mandatory: true }),
  builtInStep('MAINTAINER', ['扫码', 'Scan'], { mandatory: true, evidence: 'SCAN' }),
  builtInStep('MAINTAINER', ['电压', 'Voltage'], {
    mandatory: true,
    evidence: 'READING',
    unit: 'V',
    min: 3.3,
    max: 4.3,
  }),
  builtInStep('MAINTAINER', ['清洁', 'Clean']),
]

beforeAll(async () => {
  site = await startDeviceServer()
  const may = (...verbs: string[]) => site.clerk(...verbs.map((verb) => `device:procedure:${verb}`))
  workers = [await may('query', 'run'), await may('query', 'run')]
  await site.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
  const plan = { class: null, levels: [], placeKinds: [], fromMin: null, toMin: null, work: 'INSPECT', steps }
  const draft = { kind: 'WORK', name: '巡检', nameEn: 'Inspect', ...plan }
  const author = await may('query', 'create')
  procedureId = Number((await site.call('POST', '/device/procedure/create', draft, author.token)).data)
  expect((await site.act('/device/procedure/publish', procedureId)).code).toBe(200)
  deviceId = (await site.register(SN)).id
})
afterAll(() => site.end())

const qualities = ['good', 'low', 'none'] as const
const anyAct = fc.record({
  verb: fc.oneof(
    fc.constantFrom('start' as const, 'finish' as const),
    fc.constantFrom('fail' as const, 'abort' as const),
    {
      weight: 4,
      arbitrary: fc.constant('step' as const),
    },
  ),
  no: fc.integer({ min: 1, max: 5 }),
  quality: fc.oneof({ weight: 4, arbitrary: fc.constant('good' as const) }, fc.constantFrom(...qualities)),
  worker: fc.nat({ max: 1 }),
})
type Act = typeof anyAct extends fc.Arbitrary<infer T> ? T : never

type Model = { id: number; version: number; state: RunState; steps: Map<number, StepState> }
const isDone = (model: Model, no: number) => model.steps.get(no) === 'DONE'
const missingIn = (model: Model) => mandatory.filter((no) => !isDone(model, no))

const evidenceOf = ({ no, quality }: Act) => {
  if (quality === 'none') return {}
  if (no === 2) return { scan: quality === 'good' ? `https://console/d/${SN}` : 'OTHER-1' }
  return no === 3 ? { reading: quality === 'good' ? 3.6 : 3.1 } : {}
}
const lacksEvidence = ({ no, quality }: Act) => (no === 2 && quality !== 'good') || (no === 3 && quality === 'none')

const send = async (act: Act, { id, version }: Model): Promise<number> => {
  const { token } = workers[act.worker] ?? {}
  const call = async (path: string, body: object) => Number((await site.call('POST', `${R}/${path}`, body, token)).code)
  if (act.verb === 'start') return call('start', { procedureId, deviceId })
  if (act.verb === 'step') return call('step', { id, version, no: act.no, ...evidenceOf(act) })
  return call(act.verb, { id, version, ...(act.verb !== 'finish' && { reason: '学校停电' }) })
}

/** The answer to an act that nobody else meets. */
const expected = (act: Act, model: Model): number => {
  if (act.verb === 'start') return model.state === 'RUNNING' ? codes.runOpen.code : 200
  const why = whyNotRun(act.verb, { state: model.state, missing: missingIn(model).length })
  if (why) return why.code
  if (act.verb !== 'step') return 200
  if (act.no > steps.length) return codes.invalid.code
  if (missingIn(model).some((no) => no < act.no)) return codes.runOrder.code
  return lacksEvidence(act) ? codes.invalid.code : 200
}

const applyAct = (act: Act, model: Model): void => {
  const { to } = runMachine[act.verb as RunVerb]
  model.version += 1
  if (to !== 'same') model.state = to
  if (act.verb === 'step') model.steps.set(act.no, act.no === 3 && act.quality === 'low' ? 'FAILED' : 'DONE')
}

const readRun = async (id: number): Promise<Model> => {
  const { state, version } = await site.all
    .selectFrom('procedureRun')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const rows = await site.all.selectFrom('procedureRunStep').selectAll().where('runId', '=', id).orderBy('no').execute()
  return { id, state, version, steps: new Map(rows.map((row) => [row.no, row.state])) }
}
const openRuns = async () => {
  const { rows } = await site.pool.query<{ id: number }>(
    `select id from procedure_run where device_id = $1 and state = 'RUNNING'`,
    [deviceId],
  )
  return rows.map(({ id }) => Number(id))
}

const playRound = async (round: readonly Act[], model: Model): Promise<Model> => {
  const answers = await Promise.all(round.map((act) => send(act, model)))
  for (const code of answers) expect([500, 503]).not.toContain(code)
  const [only] = round
  if (only && round.length === 1)
    expect(answers[0], `${only.verb} ${only.no} in ${model.state}`).toBe(expected(only, model))
  const won = round.filter((_, at) => answers[at] === 200)
  const changes = won.filter(({ verb }) => verb !== 'start')
  expect(changes.length, 'of two who decided on one version one was first').toBeLessThanOrEqual(1)
  const [change] = changes
  if (change) {
    expect(expected(change, model), 'the first one was allowed').toBe(200)
    applyAct(change, model)
  }
  expect(await readRun(model.id)).toEqual(model)
  if (model.state === 'DONE') expect(missingIn(model)).toEqual([])
  const open = await openRuns()
  expect(open.length, 'a device has one open run').toBeLessThanOrEqual(1)
  // Who comes back goes on with the run that is open.
  return open[0] !== undefined && open[0] !== model.id ? readRun(open[0]) : model
}

const tick = (no: number, worker = 0): Act => ({ verb: 'step', no, quality: 'good', worker })
const finish: Act = { verb: 'finish', no: 1, quality: 'good', worker: 1 }
const met: Act[][] = [
  [tick(1), tick(1, 1)],
  [tick(3)],
  [tick(2), finish],
  [tick(3), { ...tick(3, 1), quality: 'low' }],
  [tick(3)],
  [finish, { ...finish, worker: 0 }, { ...finish, verb: 'abort' }],
  [
    { ...finish, verb: 'start' },
    { ...finish, verb: 'start', worker: 0 },
  ],
]

it('follows its machine and its steps, whoever acts at the same moment', async () => {
  const rounds = fc.array(fc.array(anyAct, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(rounds, async (planned) => {
      await site.pool.query(
        `update procedure_run set state = 'ABORTED', ended_at = now() where device_id = $1 and state = 'RUNNING'`,
        [deviceId],
      )
      const body = { procedureId, deviceId }
      let model = await readRun(Number((await site.call('POST', `${R}/start`, body, workers[0]?.token)).data))
      for (const round of planned) model = await playRound(round, model)
    }),
    { numRuns: sampleSize(20), examples: [[met]] },
  )
})
