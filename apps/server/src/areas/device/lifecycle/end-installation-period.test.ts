import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstallation, makePlace, makeSchool } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { errorFields } from '../../../../test/admin-server.ts'
import { type DeviceServer, makeModelDraft, startDeviceServer } from '../../../../test/device-server.ts'
import { endHealthRecords } from '#areas/alarm/end-health-records'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'

// What belonged to the time of a device at its place ends with it.

let site: DeviceServer
let elsewhere: { schoolId: number; placeId: number }
let owner: string
let stranger: string
useTransactionHooks([endHealthRecords])
beforeAll(async () => {
  site = await startDeviceServer()
  const school = await makeSchool(site.site.db, { eduDeptId: site.there.deptId })
  elsewhere = { schoolId: school.id, placeId: (await makePlace(site.site.db, { schoolId: school.id })).id }
  const may = ['device:device:query', 'device:command:query', 'device:command:create'] as const
  const clerks = [await site.clerk(...may), await site.clerk(...may)]
  const schools = [site.schoolId, elsewhere.schoolId]
  for (const [at, { userId }] of clerks.entries()) {
    const { deptId } = await site.all
      .selectFrom('school')
      .select('deptId')
      .where('id', '=', schools[at] ?? 0)
      .executeTakeFirstOrThrow()
    await site.all.updateTable('users').set({ deptId }).where('id', '=', userId).execute()
  }
  await site.all.updateTable('role').set({ dataScope: 'DEPT' }).where('code', 'like', 'clerk%').execute()
  owner = clerks[0]?.token ?? ''
  stranger = clerks[1]?.token ?? ''
})
afterAll(() => site.end())

const D = '/device/device'
const S = '/device/school-device'
let count = 0

const installed = async (sn = `STAY-${(count += 1)}`) => {
  const { id } = await site.register(sn)
  await makeInstallation(site.site.db, { id }, { id: site.placeIds[0], schoolId: site.schoolId })
  return { id, installationId: (await site.installationOf(id)).id }
}

const command = async (deviceId: number, token = site.adminToken) =>
  Number((await site.call('POST', '/device/command/create', { deviceId, type: 'LED', reason: '查线路' }, token)).data)

const commandOf = (id: number) =>
  site.all.selectFrom('deviceCommand').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const messagesOf = async (deviceId: number) => {
  const rows = await site.all.selectFrom('deviceOutbox').select('key').where('deviceId', '=', deviceId).execute()
  return rows.map(({ key }) => key)
}

const at = (deviceId: number) => ({ deviceId, schoolId: site.schoolId, deptId: site.here.deptId })

type Ending = 'MOVED' | 'REMOVED' | 'LOST' | 'RETIRED'
const end = async (ending: Ending, { id, installationId }: { id: number; installationId: number }) => {
  if (ending === 'MOVED') return site.act(`${S}/move`, installationId, { placeId: site.placeIds[1] })
  if (ending === 'LOST') return site.act(`${D}/lost`, id, { reason: '丢失' })
  const removed = await site.act(`${S}/remove`, installationId, { reason: '换新' })
  return ending === 'REMOVED' ? removed : site.act(`${D}/retire`, id, { reason: '报废' })
}

describe('the installation period of a device', () => {
  it.each(['MOVED', 'REMOVED', 'LOST', 'RETIRED'] as const)(
    'ends its waiting commands and its open health records when it is %s',
    async (ending) => {
      const device = await installed()
      const waiting = await command(device.id)
      const health = await makeRecord(site.site.db, {
        ...at(device.id),
        class: 'DEVICE_HEALTH',
        code: 'OFFLINE',
      })
      const outage = await makeRecord(site.site.db, {
        ...at(device.id),
        class: 'DEVICE_HEALTH',
        code: 'OUTAGE',
      })
      const press = await makeRecord(site.site.db, at(device.id))
      await site.all
        .insertInto('deviceOutbox')
        .values([
          { deviceId: device.id, channel: 'ack' as const, key: `${press.id}.claimed`, payload: {} },
          { deviceId: device.id, channel: 'ack' as const, key: 'b2d4c1a0-event-id', payload: {} },
        ])
        .execute()
      expect((await end(ending, device)).code).toBe(200)
      // A device that was removed before it is retired ended its period then.
      const reason = ending === 'RETIRED' ? 'REMOVED' : ending
      expect(await commandOf(waiting)).toMatchObject({ state: 'CANCELLED', endReason: reason })
      expect(await messagesOf(device.id)).toEqual(ending === 'RETIRED' ? [] : ['b2d4c1a0-event-id'])
      const records = await site.all
        .selectFrom('warnRecord')
        .select(['id', 'state', 'disposition', 'condition'])
        .where('id', 'in', [health.id, outage.id, press.id])
        .orderBy('id')
        .execute()
      expect(records).toMatchObject([
        { id: health.id, state: 'RESOLVED', disposition: 'AUTO_RECOVERED', condition: 'RECOVERED' },
        { id: outage.id, state: 'NEW' },
        { id: press.id, state: 'NEW' },
      ])
      const log = await site.all
        .selectFrom('warnLog')
        .select(['verb', 'payload'])
        .where('recordId', '=', health.id)
        .orderBy('no', 'desc')
        .executeTakeFirstOrThrow()
      expect(log).toMatchObject({ verb: 'recover', payload: { reason: `DEVICE_${reason}` } })
    },
  )

  it('takes no commands after it was reported lost', async () => {
    const device = await installed()
    await end('LOST', device)
    const answer = await site.call('POST', '/device/command/create', { deviceId: device.id, type: 'LED' })
    expect(answer.code).toBe(codes.commandLost.code)
  })

  it('leaves reasons, texts and names with the school that wrote them', async () => {
    const device = await installed()
    const own = await command(device.id, owner)
    await site.act(`${S}/suspend`, device.installationId, { reason: '校门改造', until: Date.now() + 86_400_000 })
    await site.act(`${S}/resume`, device.installationId)
    await site.act(`${S}/remove`, device.installationId, { reason: '换校' })
    await makeInstallation(site.site.db, { id: device.id }, { id: elsewhere.placeId, schoolId: elsewhere.schoolId })
    const later = await command(device.id, stranger)
    const list = async (token: string) => {
      const { data } = await site.call('GET', `/device/command/list?deviceId=${device.id}`, undefined, token)
      return (data as unknown as { id: number }[]).map(({ id }) => id)
    }
    expect(await list(owner)).toEqual([own])
    expect(await list(stranger)).toEqual([later])
    expect(await list(site.adminToken)).toEqual([later, own])
    const get = (id: number, token: string) => site.call('GET', `/device/command/get?id=${id}`, undefined, token)
    expect((await get(own, owner)).data).toMatchObject({ reason: '查线路' })
    expect((await get(own, stranger)).code).toBe(codes.notFound.code)
    expect((await get(later, owner)).code).toBe(codes.notFound.code)
    const history = await site.call('GET', `${D}/history?id=${device.id}`, undefined, stranger)
    expect(JSON.stringify(history.data)).not.toMatch(/校门改造|换校/)
    expect(JSON.stringify((await site.call('GET', `${D}/history?id=${device.id}`)).data)).toMatch(/校门改造/)
  })
})

describe('a gateway', () => {
  const gateway = async (sn: string) => {
    const product = { productKey: `gw${(count += 1)}xxxxx`.slice(0, 12), name: sn, kind: 'GATEWAY', alarmCodes: [] }
    const { data: modelId } = await site.call('POST', '/device/model/create', makeModelDraft(product))
    const { data } = await site.call('POST', `${D}/create`, { sn, modelId })
    return Number(data['id'])
  }
  const version = async (id: number) =>
    (await site.all.selectFrom('device').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version
  const attach = async (id: number, gatewayId: number) =>
    site.call('PUT', `${D}/update`, { id, version: await version(id), gatewayId })
  const gatewayOf = async (id: number) =>
    (await site.all.selectFrom('device').select('gatewayId').where('id', '=', id).executeTakeFirstOrThrow()).gatewayId

  it('is refused when it is of another school, lost, or below the device itself', async () => {
    const child = await installed()
    const other = await gateway('GW-ELSE')
    await makeInstallation(site.site.db, { id: other }, { id: elsewhere.placeId, schoolId: elsewhere.schoolId })
    expect(errorFields(await attach(child.id, other))).toEqual(['gatewayId'])
    const lost = await gateway('GW-LOST')
    await makeInstallation(site.site.db, { id: lost }, { id: site.placeIds[0], schoolId: site.schoolId })
    await site.act(`${D}/lost`, lost, { reason: '丢失' })
    expect(errorFields(await attach(child.id, lost))).toEqual(['gatewayId'])
    const [upper, lower] = [await gateway('GW-UP'), await gateway('GW-LOW')]
    expect((await attach(lower, upper)).code).toBe(200)
    expect(errorFields(await attach(upper, lower))).toEqual(['gatewayId'])
  })

  it('names the devices below it before it leaves, and then they leave it', async () => {
    const id = await gateway('GW-LEAVES')
    const installation = await makeInstallation(site.site.db, { id }, { id: site.placeIds[0], schoolId: site.schoolId })
    const child = await installed('STAY-CHILD')
    expect((await attach(child.id, id)).code).toBe(200)
    const refused = await site.act(`${S}/remove`, installation.id, { reason: '换新' })
    expect(refused).toMatchObject({ code: codes.gatewayHasChildren.code, msg: expect.stringContaining('STAY-CHILD') })
    expect(await gatewayOf(child.id)).toBe(id)
    expect((await site.act(`${S}/remove`, installation.id, { reason: '换新', withChildren: true })).code).toBe(200)
    expect(await gatewayOf(child.id)).toBeNull()
  })

  it('loses a device that is removed from its school', async () => {
    const id = await gateway('GW-STAYS')
    await makeInstallation(site.site.db, { id }, { id: site.placeIds[0], schoolId: site.schoolId })
    const child = await installed()
    await attach(child.id, id)
    await site.act(`${S}/remove`, child.installationId, { reason: '换校' })
    expect(await gatewayOf(child.id)).toBeNull()
  })
})
