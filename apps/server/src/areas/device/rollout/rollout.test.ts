import { codes } from '@tocsin/contract/codes'
import { signedText, type PackageKind } from '@tocsin/contract/device/rollout/rollout'
import {
  LAST_RING,
  type PersonRolloutVerb,
  personRolloutVerbs,
  rolloutDeviceStates,
  rolloutRule,
  type RolloutState,
  whyNotRollout,
} from '@tocsin/contract/device/rollout/rollout-machine'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalidateSettings } from '#settings/settings-cache'
import { errorFields, pageIn } from '../../../../test/admin-server.ts'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { configureFileStore } from '../../files/file-store.ts'
import { advanceRollout } from './advance.ts'
import { loadFreezes } from './freeze.ts'
import { applyRolloutProgress } from './progress.ts'

const R = '/device/rollout'
/** A school day, by weekday; pupils leave at 17:30. */
const EVENING = { day: '2026-11-25', minute: 20 * 60 }
const MORNING = { day: '2026-11-25', minute: 10 * 60 }

type Person = { token: string; userId: number; granted: readonly string[] }
let site: DeviceServer
let maker: Person
let approver: Person
const keys = generateKeyPairSync('ed25519')
const publicKey = Buffer.from(String(keys.publicKey.export({ format: 'jwk' }).x), 'base64url').toString('base64')

const setting = async (key: string, value: string) => {
  await site.site.db.updateTable('config').set({ value }).where('key', '=', key).execute()
  invalidateSettings()
}
const person = async (): Promise<Person> => {
  const granted = ['query', 'create', 'approve', 'control'].map((verb) => `device:rollout:${verb}`)
  return { ...(await site.clerk(...granted)), granted }
}
beforeAll(async () => {
  site = await startDeviceServer()
  // No content is fetched here: links are only signed.
  configureFileStore({ store: undefined as never, linkKey: randomBytes(32), sheets: '' })
  maker = await person()
  approver = await person()
  await site.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
  await setting('ota.public-key', publicKey)
})
afterAll(() => site.end())

type Signed = { kind: PackageKind; modelId: number; release: string }
const upload = async (bytes: Buffer, { kind, modelId, release }: Signed, ownerId = maker.userId) => {
  const sha256 = createHash('sha256').update(bytes).digest()
  const { id } = await site.all
    .insertInto('file')
    .values({
      name: 'b1.zip',
      type: 'application/zip',
      size: bytes.length,
      sha256,
      purpose: 'DRAFT',
      ownerId,
      ownerName: 'maker',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { productKey } = await site.all
    .selectFrom('deviceModel')
    .select('productKey')
    .where('id', '=', modelId)
    .executeTakeFirstOrThrow()
  const text = signedText({ kind, productKey, release, sha256: sha256.toString('hex') })
  const signature = sign(null, Buffer.from(text), keys.privateKey).toString('base64')
  return { fileId: id, sha256: sha256.toString('hex'), signature }
}
let releases = 0
const packageDraft = async (more: Partial<Signed> = {}) => {
  releases += 1
  const signed: Signed = { kind: 'FIRMWARE', modelId: site.modelId, release: `2.${releases}.0`, ...more }
  return { ...signed, ...(await upload(randomBytes(64), signed)) }
}
const addPackage = (body: object, { token } = maker) => site.call('POST', `${R}/add-package`, body, token)

/** Devices of a model of their own, in service and online. */
type Fleet = { online?: boolean; schoolId?: number | null }
const makeFleet = async (count: number, { online = true, schoolId = site.schoolId }: Fleet = {}) => {
  const model = await site.all
    .selectFrom('deviceModel')
    .selectAll()
    .where('id', '=', site.modelId)
    .executeTakeFirstOrThrow()
  const { id: modelId } = await site.all
    .insertInto('deviceModel')
    .values({
      productKey: `fleet${randomBytes(4).toString('hex')}`,
      vendor: model.vendor,
      name: randomBytes(4).toString('hex'),
      kind: model.kind,
      power: model.power,
      capabilities: sql`${JSON.stringify(model.capabilities)}::jsonb` as never,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const ids: number[] = []
  for (let n = 0; n < count; n += 1) {
    const { id } = await site.all
      .insertInto('device')
      .values({ sn: `OTA-${modelId}-${n}`, modelId, deptId: site.here.deptId, schoolId, lifecycle: 'IN_SERVICE' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await site.site.db
      .insertInto('deviceState')
      .values({ deviceId: id, connectivity: online ? 'ONLINE' : 'OFFLINE' })
      .onConflict((conflict) =>
        conflict.column('deviceId').doUpdateSet({ connectivity: online ? 'ONLINE' : 'OFFLINE' }),
      )
      .execute()
    ids.push(id)
  }
  return { modelId, ids }
}
const create = async (modelId: number, more: object = {}) => {
  const packageId = Number((await addPackage(await packageDraft({ modelId }))).data)
  return Number(
    (await site.call('POST', `${R}/create`, { name: '升级', packageId, maxBadPct: 2, ...more }, maker.token)).data,
  )
}
const paths: Record<PersonRolloutVerb, string> = {
  approve: 'approve',
  start: 'start',
  resume: 'resume',
  pause: 'pause',
  abort: 'abort',
  rollBack: 'roll-back',
  delete: 'delete',
}
const act = (verb: PersonRolloutVerb, id: number, { token } = approver) =>
  verb === 'delete'
    ? site.call('DELETE', `${R}/delete?id=${id}`, undefined, token)
    : site.act(`${R}/${paths[verb]}`, id, rolloutRule(verb).asks === 'reason' ? { reason: '现场反馈' } : {}, token)
const stored = (id: number) => site.all.selectFrom('rollout').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const devicesOf = (id: number) =>
  site.all.selectFrom('rolloutDevice').selectAll().where('rolloutId', '=', id).orderBy('ring').orderBy('id').execute()
const advance = (id: number, now = EVENING) => site.site.db.transaction().execute((trx) => advanceRollout(trx, id, now))
const report = (id: number, deviceId: number, state: (typeof rolloutDeviceStates)[number]) =>
  applyRolloutProgress(site.site.db, deviceId, { rolloutId: String(id), type: 'FIRMWARE', version: '2', state })
const makeRunning = async (count: number, more: Fleet = {}) => {
  const { modelId, ids } = await makeFleet(count, more)
  const id = await create(modelId)
  for (const verb of ['approve', 'start'] as const) expect((await act(verb, id)).code).toBe(200)
  return { id, ids }
}

const age = (id: number) =>
  site.all
    .updateTable('rolloutDevice')
    .set({ changedAt: new Date(0) })
    .where('rolloutId', '=', id)
    .execute()
const connect = (deviceId: number, connectivity: 'ONLINE' | 'OFFLINE') =>
  site.site.db.updateTable('deviceState').set({ connectivity }).where('deviceId', '=', deviceId).execute()
const countRollbacks = async (deviceId: number): Promise<number> => {
  const sent = await site.site.db
    .selectFrom('deviceCommand')
    .select('payload')
    .where('deviceId', '=', deviceId)
    .execute()
  return sent.filter(({ payload }) => 'rollback' in payload).length
}

describe('a program package', () => {
  it('needs the key, the hash of the upload and a signature by the key', async () => {
    const draft = await packageDraft()
    await setting('ota.public-key', '')
    expect((await addPackage(draft)).code).toBe(codes.packageKey.code)
    await setting('ota.public-key', publicKey)
    expect((await addPackage({ ...draft, sha256: 'a'.repeat(64) })).code).toBe(codes.packageHash.code)
    const { signature } = await packageDraft()
    expect((await addPackage({ ...draft, signature })).code).toBe(codes.packageSignature.code)
    expect(errorFields(await addPackage({ ...draft, fileId: 999_999 }))).toEqual(['fileId'])
    expect((await addPackage(draft)).code).toBe(200)
    // The signature is for one kind and one release of one model.
    for (const more of [{ release: '9.9.9' }, { kind: 'CONFIG' }])
      expect((await addPackage({ ...(await packageDraft()), ...more })).code).toBe(codes.packageSignature.code)
    const again = await packageDraft({ release: draft.release })
    expect((await addPackage(again)).code).toBe(codes.duplicate.code)
    const { list } = pageIn(await site.call('GET', `${R}/packages?kind=FIRMWARE`, undefined, maker.token))
    expect(list[0]).toMatchObject({ release: draft.release, size: 64, fileName: 'b1.zip' })
  })
})

describe('a rollout', () => {
  it('goes ring by ring to the end, with a signed command for each device', async () => {
    const { id, ids } = await makeRunning(4)
    for (let run = 0; run < 8 && (await stored(id)).state === 'RING'; run += 1) {
      await advance(id)
      const begun = (await devicesOf(id)).filter(({ state }) => state === 'INITIATED')
      for (const { deviceId } of begun) await report(id, deviceId, 'UPDATED')
    }
    expect(await stored(id)).toMatchObject({ state: 'COMPLETED', ring: LAST_RING })
    const sent = await site.site.db.selectFrom('deviceOutbox').selectAll().where('deviceId', 'in', ids).execute()
    expect(sent).toHaveLength(4)
    expect(sent[0]).toMatchObject({ channel: 'cmd', payload: { type: 'UPDATE', payload: { rolloutId: String(id) } } })
    expect(JSON.stringify(sent[0]?.payload)).toMatch(/"signature":".{86}=="/)
    const { data } = await site.call('GET', `${R}/get?id=${id}`, undefined, maker.token)
    expect(data['figures']).toMatchObject({ total: 4, updated: 4, badPct: 0 })
  })

  it('halts by itself when too many devices fail or go offline, and takes back what was not sent', async () => {
    const { id } = await makeRunning(4)
    await advance(id)
    const [first] = await devicesOf(id)
    await report(id, first?.deviceId ?? 0, 'FAILED')
    expect(await advance(id)).toBe(false)
    expect(await stored(id)).toMatchObject({ state: 'HALTED', reason: '100% > 2%' })
    expect((await devicesOf(id)).filter(({ state }) => state === 'QUEUED')).toHaveLength(3)

    const offline = await makeRunning(2)
    await advance(offline.id)
    await site.site.db
      .updateTable('deviceState')
      .set({ connectivity: 'OFFLINE' })
      .where('deviceId', 'in', offline.ids)
      .execute()
    await advance(offline.id)
    expect((await stored(offline.id)).state).toBe('HALTED')
    const waiting = await site.site.db
      .selectFrom('deviceOutbox')
      .select('id')
      .where('deviceId', 'in', offline.ids)
      .execute()
    expect(waiting).toEqual([])
  })

  it('starts nothing in class hours, while frozen, or on devices that are offline', async () => {
    const { id } = await makeRunning(2)
    await advance(id, MORNING)
    await setting('ota.freeze', 'true')
    await advance(id)
    expect((await site.call('GET', `${R}/get?id=${id}`, undefined, maker.token)).data).toMatchObject({
      frozen: 'MANUAL',
    })
    await setting('ota.freeze', 'false')
    expect((await devicesOf(id)).map(({ state }) => state)).toEqual(['QUEUED', 'QUEUED'])
    await advance(id)
    expect((await devicesOf(id)).filter(({ state }) => state === 'INITIATED')).toHaveLength(1)
    const away = await makeRunning(1, { online: false })
    await advance(away.id)
    expect((await devicesOf(away.id)).map(({ state }) => state)).toEqual(['QUEUED'])
  })

  it('asks a silent device again and fails it after the third attempt', async () => {
    const { id } = await makeRunning(1)
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await advance(id)
      expect(await devicesOf(id)).toMatchObject([{ state: 'INITIATED', attempts: attempt }])
      await age(id)
    }
    await advance(id)
    expect(await devicesOf(id)).toMatchObject([{ state: 'FAILED', error: 'NO_ANSWER' }])
  })

  it('asks updated devices to go back when it is rolled back', async () => {
    const { id, ids } = await makeRunning(1, { schoolId: null })
    await advance(id)
    await report(id, ids[0] ?? 0, 'UPDATED')
    await advance(id)
    expect((await act('rollBack', id)).code).toBe(200)
    const commands = await site.site.db
      .selectFrom('deviceCommand')
      .select('payload')
      .where('deviceId', 'in', ids)
      .orderBy('id')
      .execute()
    expect(commands.at(-1)?.payload).toMatchObject({ rollback: true })
    expect(JSON.stringify(commands)).not.toContain('url')
    await report(id, ids[0] ?? 0, 'ROLLED_BACK')
    await report(id, ids[0] ?? 0, 'UPDATED')
    expect(await devicesOf(id)).toMatchObject([{ state: 'ROLLED_BACK' }])
  })

  it('waits on days of exams and says when it goes on', async () => {
    const days = [EVENING.day, '2026-11-26']
    const exam = { deptId: site.here.deptId, kind: 'EXAM' as const, name: '期末考试', official: false }
    const rows = days.map((day) => ({ ...exam, day }))
    await site.all.insertInto('schoolCalendarDay').values(rows).execute()
    const freezes = await loadFreezes(site.site.db, [site.schoolId], EVENING)
    expect(freezes.get(site.schoolId)).toEqual({ reason: 'EXAM', until: { day: '2026-11-27', minute: 0 } })
    const { id } = await makeRunning(1)
    await advance(id)
    expect((await devicesOf(id))[0]?.state).toBe('QUEUED')
    await site.all.deleteFrom('schoolCalendarDay').where('day', 'in', days).execute()
    await advance(id)
    expect(await devicesOf(id)).toMatchObject([{ state: 'INITIATED' }])
  })

  it('fails a device that stops on the way, so that its gate decides', async () => {
    const { id, ids } = await makeRunning(1)
    await advance(id)
    await report(id, ids[0] ?? 0, 'DOWNLOADING')
    await age(id)
    expect(await advance(id)).toBe(false)
    expect(await devicesOf(id)).toMatchObject([{ state: 'FAILED', error: 'STALLED' }])
    expect((await stored(id)).state).toBe('HALTED')
  })

  it('leaves devices alone that left service or changed their model after it was created', async () => {
    const { id, ids } = await makeRunning(3, { online: false })
    const [retired = 0, other = 0, kept = 0] = ids
    const change = site.all.updateTable('device')
    await change.set({ lifecycle: 'RETIRED' }).where('id', '=', retired).execute()
    await change
      .set({ modelId: (await makeFleet(1)).modelId })
      .where('id', '=', other)
      .execute()
    await advance(id)
    expect((await devicesOf(id)).map(({ deviceId }) => deviceId)).toEqual([kept])
  })

  it('rolls back every device that may have the release, also one that failed or comes back later', async () => {
    const { id, ids } = await makeRunning(2, { schoolId: null })
    await site.all.updateTable('rolloutDevice').set({ ring: 1 }).where('rolloutId', '=', id).execute()
    await advance(id)
    const [failed = 0, away = 0] = ids
    await report(id, failed, 'FAILED')
    await report(id, away, 'DOWNLOADED')
    await connect(away, 'OFFLINE')
    await advance(id)
    expect((await act('rollBack', id)).code).toBe(200)
    expect([await countRollbacks(failed), await countRollbacks(away)]).toEqual([1, 0])
    await connect(away, 'ONLINE')
    expect(await advance(id)).toBe(true)
    expect([await countRollbacks(failed), await countRollbacks(away)]).toEqual([1, 1])
    await report(id, failed, 'ROLLED_BACK')
    await site.all
      .updateTable('rolloutDevice')
      .set({ rollbackSentAt: new Date(0) })
      .where('rolloutId', '=', id)
      .execute()
    expect(await advance(id)).toBe(true)
    expect([await countRollbacks(failed), await countRollbacks(away)]).toEqual([1, 2])
    await report(id, away, 'ROLLED_BACK')
    expect(await advance(id)).toBe(false)
  })

  it('is created once per model and kind, for devices in service only', async () => {
    const { modelId } = await makeFleet(1)
    await create(modelId)
    const body = {
      name: '再次',
      packageId: Number((await addPackage(await packageDraft({ modelId }))).data),
      maxBadPct: 2,
    }
    expect((await site.call('POST', `${R}/create`, body, maker.token)).code).toBe(codes.rolloutOpen.code)
    const empty = { ...body, packageId: Number((await addPackage(await packageDraft())).data) }
    expect((await site.call('POST', `${R}/create`, empty, maker.token)).code).toBe(codes.rolloutEmpty.code)
    expect(errorFields(await site.call('POST', `${R}/create`, { ...body, packageId: 99_999 }, maker.token))).toEqual([
      'packageId',
    ])
  })

  it('shows only the devices that the reader sees', async () => {
    const { id } = await makeRunning(2)
    const outsider = await person()
    await site.all.updateTable('users').set({ deptId: site.there.deptId }).where('id', '=', outsider.userId).execute()
    const list = (token: string) => site.call('GET', `${R}/devices?rolloutId=${id}`, undefined, token)
    expect(pageIn(await list(maker.token)).total).toBe(2)
    expect(pageIn(await list(outsider.token)).total).toBe(0)
  })

  it('allows exactly the verbs of its machine', async () => {
    const { modelId } = await makeFleet(1, { online: false })
    const step = fc.tuple(fc.constantFrom(...personRolloutVerbs), fc.boolean())
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (walk) => {
        await site.all.updateTable('rollout').set({ state: 'HALTED' }).where('modelId', '=', modelId).execute()
        const id = await create(modelId)
        const model = { state: 'DRAFT' as RolloutState, creator: maker.userId as number | null, unseen: 0 }
        for (const [verb, byMaker] of walk) {
          const by = byMaker ? maker : approver
          const why = whyNotRollout(verb, model, {
            userId: by.userId,
            hasPermission: (value) => by.granted.includes(value),
          })
          expect((await act(verb, id, by)).code).toBe(why?.code ?? 200)
          if (why) continue
          const { to } = rolloutRule(verb)
          if (to === 'gone') return
          model.state = to
          expect((await stored(id)).state).toBe(to)
        }
      }),
      { numRuns: 12 },
    )
  })
})
