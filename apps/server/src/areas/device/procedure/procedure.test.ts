import { codes } from '@tocsin/contract/codes'
import {
  type ProcedureStatus,
  type ProcedureVerb,
  procedureRule,
  procedureVerbs,
  type RunState,
  type RunVerb,
  runRule,
  runVerbs,
  whyNotProcedure,
  whyNotRun,
} from '@tocsin/contract/device/procedure/procedure-machine'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorFields, pageIn } from '../../../../test/admin-server.ts'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { builtInStep as step } from './built-in-step.ts'
import { builtInProcedures } from './procedure-reads.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

const P = '/device/procedure'
const R = '/device/procedure-run'

type Person = { token: string; userId: number; granted: readonly string[] }
let site: DeviceServer
let editor: Person
let publisher: Person
let worker: Person
const person = async (...verbs: string[]): Promise<Person> => {
  const granted = verbs.map((verb) => `device:procedure:${verb}`)
  return { ...(await site.clerk(...granted)), granted }
}
beforeAll(async () => {
  site = await startDeviceServer()
  editor = await person('query', 'create', 'update', 'publish')
  publisher = await person('query', 'create', 'update', 'publish', 'plan')
  worker = await person('query', 'run')
  await site.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
})
afterAll(() => site.end())

const steps = [
  step('MAINTAINER', ['外观完好', 'Housing sound'], { mandatory: true }),
  step('MAINTAINER', ['扫码', 'Scan'], { mandatory: true, evidence: 'SCAN' }),
  step('MAINTAINER', ['电压', 'Voltage'], { mandatory: true, evidence: 'READING', unit: 'V', min: 3.3, max: 4.3 }),
  step('MAINTAINER', ['清洁', 'Clean']),
]
let count = 0
const draft = (more: object = {}) => {
  count += 1
  return {
    kind: 'WORK',
    name: `巡检 ${count}`,
    nameEn: `Inspect ${count}`,
    class: null,
    levels: [],
    placeKinds: [],
    fromMin: null,
    toMin: null,
    work: 'INSPECT',
    steps,
    ...more,
  }
}
const response = (more: object = {}) => draft({ kind: 'RESPONSE', class: 'FIRE', work: null, ...more })
const create = async (body: object = draft()) =>
  Number((await site.call('POST', `${P}/create`, body, editor.token)).data)
const publish = (id: number, { token }: Person = publisher) => site.act(`${P}/publish`, id, {}, token)
const makePublished = async (body: object = draft()) => {
  const id = await create(body)
  expect((await publish(id)).code).toBe(200)
  return id
}
const stored = (id: number) =>
  site.all.selectFrom('procedure').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const update = async (id: number, more: object, { token }: Person = editor) =>
  site.call('PUT', `${P}/update`, { id, version: (await stored(id)).version, ...more }, token)
const getProcedure = (id: number) => site.call('GET', `${P}/get?id=${id}`, undefined, editor.token)

describe('a procedure', () => {
  it('is published by another person than its last editor, as a version that later edits do not touch', async () => {
    const id = await create()
    expect((await publish(id, editor)).code).toBe(codes.procedurePublisher.code)
    expect((await publish(id)).code).toBe(200)
    expect((await publish(id)).code).toBe(codes.procedureUnchanged.code)
    expect((await update(id, { name: '新名', steps: steps.slice(0, 1) })).code).toBe(200)
    const { data } = await getProcedure(id)
    expect(data).toMatchObject({ name: '新名', status: 'PUBLISHED', versionNo: 1, changed: true })
    const [version] = data['versions'] as unknown as { no: number; name: string; steps: unknown[] }[]
    expect(version?.name).not.toBe('新名')
    expect(version?.steps).toHaveLength(4)
    expect((await publish(id)).code).toBe(200)
    expect((await getProcedure(id)).data['versions']).toMatchObject([{ no: 2, name: '新名' }, { no: 1 }])
    expect(await site.audited('procedure', id)).toEqual(
      ['create', 'publish', 'update', 'publish'].map((verb) => `device:procedure:${verb}`),
    )
  })

  it('has versions that the role of the server cannot change or delete', async () => {
    await makePublished()
    for (const statement of [`update procedure_version set name = 'x'`, 'delete from procedure_version'])
      await expect(site.pool.query(statement)).rejects.toThrow(/permission denied/)
  })

  it('counts an edit back to the version in force as no change', async () => {
    const id = await makePublished()
    const { name } = await stored(id)
    await update(id, { name: '别名' })
    await update(id, { name })
    expect((await stored(id)).changed).toBe(false)
  })

  it('rejects a missing class or work, crossed limits, a taken name and a stale version', async () => {
    const post = (body: object) => site.call('POST', `${P}/create`, body, editor.token)
    expect(errorFields(await post(draft({ work: null })))).toEqual(['work'])
    expect(errorFields(await post(response({ class: null })))).toEqual(['class'])
    expect(errorFields(await post(response({ work: 'INSPECT' })))).toEqual(['work'])
    const crossed = step('MAINTAINER', ['电压', 'Voltage'], { evidence: 'READING', min: 4, max: 3 })
    expect(errorFields(await post(draft({ steps: [crossed] })))).toEqual(['steps'])
    expect(errorFields(await post(response({ fromMin: 480 })))).toEqual(['toMin'])
    expect(errorFields(await post(response({ fromMin: 480, toMin: 480 })))).toEqual(['toMin'])
    const id = await create()
    const { name } = await stored(id)
    expect((await post(draft({ name }))).code).toBe(codes.duplicate.code)
    const late = await site.call('PUT', `${P}/update`, { id, version: 9, name: '迟' }, editor.token)
    expect(late.code).toBe(codes.stale.code)
    expect((await site.call('POST', `${P}/create`, draft(), worker.token)).code).toBe(codes.forbidden.code)
  })

  it('names whom each step calls, and dials 120 and 119 where a built-in plan says so', async () => {
    const call = (more: object) => response({ steps: [step('OPERATOR', ['拨打 120', 'Call 120'], more)] })
    const save = (more: object) => site.call('POST', `${P}/create`, call(more), editor.token)
    expect(errorFields(await save({ action: 'CALL' }))).toEqual(['steps.0.callee'])
    expect(errorFields(await save({ callee: 'AMBULANCE' }))).toEqual(['steps.0.callee'])
    expect((await save({ action: 'CALL', callee: 'AMBULANCE' })).code).toBe(200)
    const calls = builtInProcedures.flatMap(({ steps }) => steps.filter(({ action }) => action === 'CALL'))
    expect(calls).toHaveLength(8)
    for (const { text, callee } of calls) {
      expect(callee).not.toBeNull()
      expect(callee === 'AMBULANCE').toBe(text.includes('120'))
      expect(callee === 'FIRE_BRIGADE').toBe(text.includes('119'))
    }
  })

  it('is copied from a built-in one under a name that is free', async () => {
    const copy = () => site.call('POST', `${P}/copy`, { key: 'work-battery' }, editor.token)
    const ids = [Number((await copy()).data), Number((await copy()).data)]
    expect(await Promise.all(ids.map(async (id) => (await stored(id)).name))).toEqual(['更换电池', '更换电池 2'])
    const { data } = await site.call('GET', `${P}/built-in`, undefined, editor.token)
    expect(data).toHaveLength(14)
    const list = await site.call(
      'GET',
      `${P}/page?kind=WORK&keyword=${encodeURIComponent('更换')}`,
      undefined,
      editor.token,
    )
    expect(pageIn(list).total).toBe(2)
  })

  it('is a response plan in force only by somebody who may publish response plans', async () => {
    const deputy = await person('query', 'create', 'update', 'publish')
    const id = await create(response({ class: 'VOICE' }))
    expect((await publish(id, deputy)).code).toBe(codes.forbidden.code)
    expect((await publish(id)).code).toBe(200)
    expect((await site.act(`${P}/retire`, id, {}, deputy.token)).code).toBe(codes.forbidden.code)
    const copy = (key: string, { token }: Person) => site.call('POST', `${P}/copy`, { key, publish: true }, token)
    expect((await copy('response-medical', deputy)).code).toBe(codes.forbidden.code)
    const copied = Number((await copy('response-medical', publisher)).data)
    expect(await stored(copied)).toMatchObject({ status: 'PUBLISHED', versionNo: 1, changed: false, editedBy: null })
  })

  it('covers the levels that it names once it is in force, and none when it is for one kind of place', async () => {
    await makePublished(response({ levels: [1, 2] }))
    await makePublished(response({ placeKinds: ['GATE'] }))
    const { data } = await site.call('GET', `${P}/coverage`, undefined, editor.token)
    const cells = data['cells'] as unknown as { class: string; level: number; procedureId: number | null }[]
    const fire = cells.filter((cell) => cell.class === 'FIRE').map(({ procedureId }) => procedureId !== null)
    expect(fire).toEqual([true, true, false, false])
  })

  it('allows exactly the verbs of its machine', async () => {
    const verb = fc.constantFrom(...procedureVerbs)
    const user = fc.constantFrom('editor', 'publisher')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(verb, user), { maxLength: 8 }), async (walk) => {
        const id = await create()
        const model = {
          kind: 'WORK' as const,
          status: 'DRAFT' as ProcedureStatus,
          editedBy: editor.userId as number | null,
          changed: true,
        }
        const people = { editor, publisher }
        const act = {
          publish: (by: Person) => publish(id, by),
          retire: (by: Person) => site.act(`${P}/retire`, id, {}, by.token),
          update: (by: Person) => update(id, { name: `走 ${(count += 1)}` }, by),
          delete: (by: Person) => site.call('DELETE', `${P}/delete?id=${id}`, undefined, by.token),
        } satisfies Record<ProcedureVerb, (by: Person) => unknown>
        for (const [name, by] of walk) {
          const { userId, granted } = people[by as keyof typeof people]
          const why = whyNotProcedure(name, model, { userId, hasPermission: (value) => granted.includes(value) })
          expect((await act[name](people[by as keyof typeof people])).code).toBe(why?.code ?? 200)
          if (why) continue
          const { to } = procedureRule(name)
          if (to === 'gone') return
          if (to !== 'same') model.status = to
          if (name === 'update') Object.assign(model, { changed: true, editedBy: userId })
          if (name === 'publish') model.changed = false
          expect(await stored(id)).toMatchObject(model)
        }
      }),
      { numRuns: sampleSize(12) },
    )
  })
})

let devices = 0
const makeDevice = async () => {
  devices += 1
  const sn = `RUN_NAME-${String(devices).padStart(4, '0')}`
  return { sn, id: (await site.register(sn)).id }
}
const start = (procedureId: number, deviceId: number, more: object = {}, token = worker.token) =>
  site.call('POST', `${R}/start`, { procedureId, deviceId, ...more }, token)
const complete = (id: number, no: number, more: object = {}) => site.act(`${R}/step`, id, { no, ...more }, worker.token)
const end = (verb: 'finish' | 'fail' | 'abort', id: number) =>
  site.act(`${R}/${verb}`, id, verb === 'finish' ? {} : { reason: '学校停电' }, worker.token)

describe('a run at a device', () => {
  let procedureId: number
  beforeAll(async () => {
    procedureId = await makePublished()
  })

  it('goes step by step, checks the evidence, can be resumed, and keeps the version it started with', async () => {
    const { id: deviceId, sn } = await makeDevice()
    const id = Number((await start(procedureId, deviceId)).data)
    expect((await start(procedureId, deviceId)).code).toBe(codes.runOpen.code)
    await update(procedureId, { steps: steps.slice(0, 1) })
    await publish(procedureId)
    expect((await complete(id, 2, { scan: sn })).code).toBe(codes.runOrder.code)
    expect((await complete(id, 1)).code).toBe(200)
    expect(errorFields(await complete(id, 2))).toEqual(['scan'])
    expect(errorFields(await complete(id, 2, { scan: 'OTHER-1' }))).toEqual(['scan'])
    expect((await complete(id, 2, { scan: `https://console/d/${sn}` })).code).toBe(200)
    expect((await end('finish', id)).code).toBe(codes.runStepsOpen.code)
    const low = await complete(id, 3, { reading: 3.1 })
    expect(low.data['steps']).toMatchObject([{}, {}, { result: { state: 'FAILED', reading: 3.1 } }, { result: null }])
    expect((await end('finish', id)).code).toBe(codes.runStepsOpen.code)
    await complete(id, 3, { reading: 3.6 })
    expect((await end('finish', id)).code).toBe(200)
    const { data } = await site.call('GET', `${R}/get?id=${id}`, undefined, worker.token)
    expect(data).toMatchObject({ state: 'DONE', versionNo: 1, stepCount: 4, doneCount: 3, sn })
    expect((await complete(id, 4)).code).toBe(codes.runState.code)
  })

  it('needs a photo where the step asks for one', async () => {
    const photo = step('MAINTAINER', ['拍照', 'Photo'], { mandatory: true, evidence: 'PHOTO' })
    const withPhoto = await makePublished(draft({ steps: [photo] }))
    const id = Number((await start(withPhoto, (await makeDevice()).id)).data)
    expect(errorFields(await complete(id, 1))).toEqual(['attachments'])
    expect(errorFields(await complete(id, 1, { attachments: [{ fileId: 99_999 }] }))).toEqual(['attachments'])
  })

  it('needs a procedure in force, a visible device and an order of that device', async () => {
    const { id: deviceId } = await makeDevice()
    expect((await start(await create(), deviceId)).code).toBe(codes.runRetired.code)
    expect((await start(procedureId, deviceId, { orderId: 99_999 })).code).toBe(codes.notFound.code)
    const id = Number((await start(procedureId, deviceId)).data)
    const outsider = await person('query', 'run')
    await site.all.updateTable('users').set({ deptId: site.there.deptId }).where('id', '=', outsider.userId).execute()
    const token = outsider.token
    expect((await site.call('GET', `${R}/get?id=${id}`, undefined, token)).code).toBe(codes.notFound.code)
    expect((await start(procedureId, deviceId, {}, token)).code).toBe(codes.notFound.code)
    expect(pageIn(await site.call('GET', `${R}/page?deviceId=${deviceId}`, undefined, token)).total).toBe(0)
    expect(pageIn(await site.call('GET', `${R}/page?deviceId=${deviceId}`, undefined, worker.token)).total).toBe(1)
  })

  it('allows exactly the verbs of its machine', async () => {
    const plain = await makePublished(draft({ steps: steps.slice(0, 1) }))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...runVerbs), { maxLength: 5 }), async (walk: RunVerb[]) => {
        const id = Number((await start(plain, (await makeDevice()).id)).data)
        const model = { state: 'RUNNING' as RunState, missing: 1 }
        for (const verb of walk) {
          const why = whyNotRun(verb, model)
          const answer = verb === 'step' ? await complete(id, 1) : await end(verb, id)
          expect(answer.code).toBe(why?.code ?? 200)
          if (why) continue
          const { to } = runRule(verb)
          if (verb === 'step') model.missing = 0
          if (to !== 'same') model.state = to
        }
      }),
      { numRuns: sampleSize(15) },
    )
  })
})
