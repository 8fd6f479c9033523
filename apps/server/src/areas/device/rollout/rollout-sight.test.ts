import { codes } from '@tocsin/contract/codes'
import { personRolloutVerbs, rolloutRule } from '@tocsin/contract/device/rollout/rollout-machine'
import type { KyselyPlugin } from 'kysely'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalidateSettings } from '#settings/settings-cache'
import { pageIn } from '../../../../test/admin-server.ts'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { makeSchool } from '../../../../seed/fixtures.ts'
import { configureFileStore } from '../../files/file-store.ts'
import { sweepHandlers, timerHandlers } from '../../index.ts'
import { advanceRollout, ROLLOUT_TIMER } from './advance.ts'
import { loadFreezes } from './freeze.ts'

const R = '/device/rollout'
const EVENING = { day: '2026-11-25', minute: 20 * 60 }

type Person = { token: string; userId: number }
let site: DeviceServer
let city: Person
let approver: Person
let local: Person
beforeAll(async () => {
  site = await startDeviceServer()
  // No content is fetched here: links are only signed.
  configureFileStore({ store: undefined as never, linkKey: randomBytes(32), sheets: '' })
  const person = () => site.clerk(...['query', 'create', 'approve', 'control'].map((verb) => `device:rollout:${verb}`))
  city = await person()
  approver = await person()
  await site.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
  local = await person()
})
afterAll(() => site.end())

let packages = 0
const insertPackage = async (): Promise<number> => {
  packages += 1
  const content = { size: 64, sha256: randomBytes(32) }
  const { id: fileId } = await site.all
    .insertInto('file')
    .values({
      ...content,
      name: 'b1.zip',
      type: 'application/zip',
      purpose: 'DRAFT',
      ownerId: city.userId,
      ownerName: 'maker',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await site.all
    .insertInto('programPackage')
    .values({
      kind: 'FIRMWARE',
      modelId: site.modelId,
      release: `2.${packages}.0`,
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

/** Retires the devices and ends the rollouts of the test before, then registers devices of these departments. */
const makeDevices = async (...deptIds: number[]): Promise<number[]> => {
  await site.all.updateTable('device').set({ lifecycle: 'RETIRED' }).execute()
  await site.all.updateTable('rollout').set({ state: 'HALTED' }).execute()
  const ids: number[] = []
  for (const deptId of deptIds) {
    const { id } = await site.all
      .insertInto('device')
      .values({ sn: `SIGHT-${randomBytes(4).toString('hex')}`, modelId: site.modelId, deptId, lifecycle: 'IN_SERVICE' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await site.site.db
      .insertInto('deviceState')
      .values({ deviceId: id, connectivity: 'ONLINE' })
      .onConflict((conflict) => conflict.column('deviceId').doUpdateSet({ connectivity: 'ONLINE' }))
      .execute()
    ids.push(id)
  }
  return ids
}
const create = async ({ token }: Person) =>
  site.call('POST', `${R}/create`, { name: '升级', packageId: await insertPackage(), maxBadPct: 2 }, token)
const stored = (id: number) => site.all.selectFrom('rollout').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const act = async (verb: (typeof personRolloutVerbs)[number], id: number, { token }: Person) => {
  const path = `${R}/${verb === 'rollBack' ? 'roll-back' : verb}`
  if (verb === 'delete') return site.call('DELETE', `${path}?id=${id}`, undefined, token)
  const reason = rolloutRule(verb).asks === 'reason' ? { reason: '现场反馈' } : {}
  return site.call('POST', path, { id, version: (await stored(id)).version, ...reason }, token)
}
const get = (id: number, { token }: Person) => site.call('GET', `${R}/get?id=${id}`, undefined, token)
const listed = async ({ token }: Person) =>
  pageIn(await site.call('GET', `${R}/page?state=DRAFT`, undefined, token)).list.map(({ id }) => Number(id))

describe('the visibility of a rollout', () => {
  it('hides a rollout of devices that the reader does not see, and refuses each of its verbs', async () => {
    await makeDevices(site.there.deptId)
    const id = Number((await create(city)).data)
    expect([await listed(city), await listed(local)]).toEqual([[id], []])
    expect((await get(id, local)).code).toBe(codes.notFound.code)
    for (const verb of personRolloutVerbs) expect((await act(verb, id, local)).code).toBe(codes.notFound.code)
    expect(await stored(id)).toMatchObject({ state: 'DRAFT', version: 1 })
  })

  it('lets somebody who sees some of the devices watch it, and leaves its verbs to those who see all', async () => {
    await makeDevices(site.here.deptId, site.there.deptId)
    const id = Number((await create(city)).data)
    expect((await get(id, local)).data).toMatchObject({ unseen: 1, figures: { total: 2 } })
    expect((await get(id, city)).data).toMatchObject({ unseen: 0 })
    for (const verb of personRolloutVerbs) expect((await act(verb, id, local)).code).toBe(codes.rolloutUnseen.code)
    expect((await act('approve', id, approver)).code).toBe(200)
  })

  it('lets two districts update their devices of one model, but no device twice at once', async () => {
    await makeDevices(site.there.deptId)
    expect((await create(city)).code).toBe(200)
    const mine = await site.all
      .insertInto('device')
      .values({ sn: 'SIGHT-MINE', modelId: site.modelId, deptId: site.here.deptId, lifecycle: 'IN_SERVICE' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const own = await create(local)
    expect(own.code).toBe(200)
    const inIt = await site.all
      .selectFrom('rolloutDevice')
      .select('deviceId')
      .where('rolloutId', '=', Number(own.data))
      .execute()
    expect(inIt).toEqual([{ deviceId: mine.id }])
    expect((await create(local)).code).toBe(codes.rolloutOpen.code)
    expect((await create(city)).code).toBe(codes.rolloutOpen.code)
  })
})

describe('the timer of a rollout', () => {
  it('is a sweep, so that no alarm waits for it', () => {
    expect(Object.keys(sweepHandlers)).toContain(ROLLOUT_TIMER)
    expect(Object.keys(timerHandlers)).not.toContain(ROLLOUT_TIMER)
  })

  it('reads the calendars of all schools with as many statements as of one', async () => {
    const schools = await Promise.all(
      Array.from({ length: 3 }, () => makeSchool(site.site.db, { eduDeptId: site.here.deptId })),
    )
    const [first, second] = schools
    const exam = { day: EVENING.day, kind: 'EXAM' as const, name: '月考', official: false }
    await site.all
      .insertInto('schoolCalendarDay')
      .values({ ...exam, deptId: first?.deptId ?? 0 })
      .execute()
    const evening = { name: '晚自习', fromDay: '2026-09-01', toDay: '2027-01-20', fromMin: 480, toMin: 1260 }
    await site.all
      .insertInto('schoolTerm')
      .values({ ...evening, deptId: second?.deptId ?? 0 })
      .execute()
    let statements = 0
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const freezesOf = async (ids: readonly number[]) => {
      statements = 0
      return loadFreezes(site.site.db.withPlugin(counter), ids, EVENING)
    }
    const ids = schools.map(({ id }) => id)
    await freezesOf(ids.slice(0, 1))
    const once = statements
    const freezes = await freezesOf(ids)
    expect(statements).toBe(once)
    expect(ids.map((id) => freezes.get(id))).toEqual([
      { reason: 'EXAM', until: { day: '2026-11-26', minute: 0 } },
      { reason: 'CLASS', until: { day: EVENING.day, minute: 1260 } },
      null,
    ])
  })
})

describe('a rollback', () => {
  it('asks nothing in class hours or while updates are frozen, and goes on afterwards', async () => {
    const [deviceId = 0] = await makeDevices(site.here.deptId)
    await site.all.updateTable('device').set({ schoolId: site.schoolId }).where('id', '=', deviceId).execute()
    const id = Number((await create(city)).data)
    const rolledBack = { state: 'HALTED' as const, rollbackAt: new Date() }
    const device = site.all.updateTable('rolloutDevice').set({ state: 'UPDATED', attempts: 1 })
    await device.where('rolloutId', '=', id).execute()
    await site.all.updateTable('rollout').set(rolledBack).where('id', '=', id).execute()
    const askedAt = async (minute: number) => {
      const now = { ...EVENING, minute }
      expect(await site.site.db.transaction().execute((trx) => advanceRollout(trx, id, now))).toBe(true)
      const rows = await site.all.selectFrom('rolloutDevice').selectAll().where('rolloutId', '=', id).execute()
      return rows[0]?.rollbackAttempts
    }
    const freeze = async (value: string) => {
      await site.site.db.updateTable('config').set({ value }).where('key', '=', 'ota.freeze').execute()
      invalidateSettings()
    }
    expect(await askedAt(10 * 60)).toBe(0)
    await freeze('true')
    expect(await askedAt(EVENING.minute)).toBe(0)
    await freeze('false')
    expect(await askedAt(EVENING.minute)).toBe(1)
  })
})

describe('a pause', () => {
  it('counts no attempt of a device whose command it took back', async () => {
    await makeDevices(site.here.deptId)
    const id = Number((await create(city)).data)
    await act('approve', id, approver)
    await act('start', id, approver)
    const device = () =>
      site.all.selectFrom('rolloutDevice').selectAll().where('rolloutId', '=', id).executeTakeFirstOrThrow()
    const advance = () => site.site.db.transaction().execute((trx) => advanceRollout(trx, id, EVENING))
    for (let pause = 0; pause < 3; pause += 1) {
      await advance()
      expect(await device()).toMatchObject({ state: 'INITIATED', attempts: 1 })
      expect((await act('pause', id, approver)).code).toBe(200)
      expect(await device()).toMatchObject({ state: 'QUEUED', attempts: 0 })
      expect((await act('resume', id, approver)).code).toBe(200)
    }
    // A command that left is an attempt, whatever happens afterwards.
    await advance()
    await site.site.db.updateTable('deviceOutbox').set({ sentAt: new Date() }).execute()
    await act('pause', id, approver)
    expect(await device()).toMatchObject({ state: 'INITIATED', attempts: 1 })
    await act('resume', id, approver)
    expect(await advance()).toBe(true)
  })
})
