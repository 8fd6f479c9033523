import { codes } from '@tocsin/contract/codes'
import { deviceModels } from '@tocsin/contract/device/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorFields, pageIn } from '../../../test/admin-server.ts'
import { testEntity } from '../../../test/entity.ts'
import { type DeviceServer, makeModelDraft, startDeviceServer } from '../../../test/device-server.ts'

let site: DeviceServer
beforeAll(async () => {
  site = await startDeviceServer()
})
afterAll(() => site.end())

const M = '/device/model'
const create = (more: object) => site.call('POST', `${M}/create`, makeModelDraft(more))
const update = (id: number, version: number, more: object) => site.call('PUT', `${M}/update`, { id, version, ...more })

let made = 0
testEntity(() => site, {
  of: deviceModels,
  subject: 'device_model',
  event: 'model.changed',
  draft: () => {
    made += 1
    return makeModelDraft({ productKey: `standard${made}`, name: `S${made}` })
  },
  change: { heartbeatSec: 40, alarmCodes: ['MEDICAL'] },
  wrong: { vendor: ' ', productKey: 'short', heartbeatSec: 4, alarmCodes: ['?'] },
  filters: ['kind'],
})

describe('device models', () => {
  it('are created once per product key and per name of a vendor', async () => {
    expect((await create({ name: 'other' })).msg).toContain('产品标识')
    expect((await create({ productKey: 'another01' })).msg).toContain('型号名称')
  })

  it('name the field that contradicts the others', async () => {
    const draft = { productKey: 'another02', name: 'B2' }
    expect(errorFields(await create({ ...draft, offlineAfterSec: 30 }))).toEqual(['offlineAfterSec'])
    const falling = [
      { mv: 3000, pct: 50 },
      { mv: 2900, pct: 60 },
    ]
    expect(errorFields(await create({ ...draft, batteryCurve: falling }))).toEqual(['batteryCurve'])
  })

  it.each([
    ['no code', []],
    ['only codes that do not exist', ['HELP']],
  ])('are refused for a button with %s, whose press could prove nothing', async (_case, alarmCodes) => {
    const draft = { productKey: 'nocodes01', name: 'B9', alarmCodes }
    expect(errorFields(await create({ ...draft, kind: 'PANIC_PILLAR' }))).toEqual(['alarmCodes'])
  })

  it('allow any change while no device has them, and can be deleted', async () => {
    const curve = [
      { mv: 2400, pct: 0 },
      { mv: 3000, pct: 100 },
    ]
    const { data } = await create({ productKey: 'another03', name: 'B3', batteryCurve: curve })
    const id = data as unknown as number
    expect((await update(id, 1, { kind: 'WEARABLE', productKey: 'another04', alarmCodes: ['MEDICAL'] })).code).toBe(200)
    expect((await site.call('GET', `${M}/get?id=${id}`)).data).toMatchObject({ kind: 'WEARABLE', batteryCurve: curve })
    expect((await site.call('DELETE', `${M}/delete?id=${id}`)).code).toBe(200)
  })

  it('lock the meaning of stored signals while a device has them, but accept new codes', async () => {
    const { id } = await site.register('LOCK-0001')
    expect(id).toBeGreaterThan(0)
    const { data: before } = await site.call('GET', `${M}/get?id=${site.modelId}`)
    expect(before).toMatchObject({ deviceCount: 1 })
    const locked = await update(site.modelId, 1, { alarmCodes: ['MEDICAL'], kind: 'SIREN' })
    expect(locked).toMatchObject({ code: codes.modelLocked.code, msg: expect.stringContaining('类型、报警代码') })
    expect((await update(site.modelId, 1, { alarmCodes: ['PANIC', 'MEDICAL'], heartbeatSec: 60 })).code).toBe(200)
    expect((await site.call('DELETE', `${M}/delete?id=${site.modelId}`)).code).toBe(codes.referred.code)
  })

  it('are listed by name or kind, offered in a short list, and exported', async () => {
    const { list } = pageIn(await site.call('GET', `${M}/page?keyword=B1&kind=PANIC_BUTTON`))
    expect(list).toEqual([expect.objectContaining({ name: 'B1', deviceCount: 1 })])
    expect((await site.call('GET', `${M}/simple-list`)).data).toContainEqual(expect.objectContaining({ name: 'B1' }))
    const answer = await site.site.app.inject({
      url: `/admin-api${M}/export?format=csv&lang=en`,
      headers: { authorization: `Bearer ${site.adminToken}` },
    })
    expect(answer.body).toContain('Panic button')
  })
})
