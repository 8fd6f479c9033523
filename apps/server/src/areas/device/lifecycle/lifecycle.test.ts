import { codes } from '@tocsin/contract/codes'
import { lifecycleMachine } from '@tocsin/contract/device/lifecycle'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { errorFields, pageIn } from '../../../../test/admin-server.ts'
import { quietLog } from '../../../../test/quiet-log.ts'
import { runDueTimers } from '#timer/scheduler'
import { checkSecret } from '../credential-check.ts'
import { deviceTimerHandlers } from './suspension.ts'

let site: DeviceServer
beforeAll(async () => {
  site = await startDeviceServer()
})
afterAll(() => site.end())

const D = '/device/device'
const S = '/device/school-device'
const inDays = (days: number) => Date.now() + days * 86_400_000

const opens = async (sn: string, secret: string) => {
  const given = Buffer.from(secret, 'base64url')
  const { useStored, ...result } = {
    useStored: undefined,
    ...(await checkSecret(site.site.db, { productKey: 'testbtn01', sn }, given)),
  }
  await useStored
  return result
}

/** Installed, and accepted by a user of the school. */
const installed = async (sn: string) => {
  const { id } = await site.register(sn)
  const [placeId] = site.placeIds
  await site.call('POST', `${S}/mount`, { deviceId: id, placeId, mountNote: '讲台右侧' })
  await site.press(id)
  const { token } = await site.clerk('device:school-device:accept')
  await site.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
  const installation = await site.installationOf(id)
  expect((await site.act(`${S}/accept`, installation.id, {}, token)).code).toBe(200)
  return { id, installationId: installation.id }
}

describe('registering a device', () => {
  it('shows a valid secret once, and rejects an existing serial number', async () => {
    const { id, secret } = await site.register('REG-0001')
    expect(await opens('REG-0001', secret)).toMatchObject({ device: { id } })
    const again = await site.call('POST', `${D}/create`, { sn: 'REG-0001', modelId: site.modelId })
    expect(again).toMatchObject({ code: codes.duplicate.code })
    const { data } = await site.call('GET', `${D}/get?id=${id}`)
    expect(JSON.stringify(data)).not.toContain(secret)
    expect(data).toMatchObject({ lifecycle: 'IN_STOCK', secretCount: 1 })
  })

  it('keeps the old secret valid beside the new one for a day when it is rotated', async () => {
    const { id, secret } = await site.register('REG-0002')
    const { data } = await site.act(`${D}/rotate-secret`, id)
    for (const item of [secret, String(data['secret'])]) expect(await opens('REG-0002', item)).toHaveProperty('device')
    await site.pool.query(`update device_credential set expires_at = now() where expires_at is not null`)
    expect(await opens('REG-0002', secret)).toEqual({ refused: 'BAD_SECRET' })
    expect(await opens('REG-0002', String(data['secret']))).toHaveProperty('device')
  })

  it('keeps the secret in use for its day however often others are issued, which asks for a confirmation', async () => {
    const { id, secret } = await site.register('REG-0004')
    const first = String((await site.act(`${D}/rotate-secret`, id)).data['secret'])
    // Neither was used, so the device may have any of them.
    const unused = await site.act(`${D}/rotate-secret`, id)
    expect(unused).toMatchObject({ code: codes.secretUnused.code })
    expect(await opens('REG-0004', secret)).toHaveProperty('device')
    const row = async () => (await site.call('GET', `${D}/get?id=${id}`)).data
    expect(await row()).toMatchObject({ isNewestSecretUnused: true })
    let newest = ''
    for (let count = 0; count < 6; count += 1)
      newest = String((await site.act(`${D}/rotate-secret`, id, { force: true })).data['secret'])
    expect(await opens('REG-0004', secret)).toHaveProperty('device')
    const expiry = `select extract(epoch from expires_at - created_at) / 3600 as hours from device_credential
      where device_id = $1 order by id limit 1`
    expect(Number((await site.pool.query(expiry, [id])).rows[0].hours)).toBeCloseTo(24, 1)
    expect(await opens('REG-0004', newest)).toHaveProperty('device')
    expect(await row()).toMatchObject({ isNewestSecretUnused: false })
    // After a further rotation the one that was used last is compared first.
    await site.act(`${D}/rotate-secret`, id)
    for (let count = 0; count < 5; count += 1) await site.act(`${D}/rotate-secret`, id, { force: true })
    expect(await opens('REG-0004', newest)).toHaveProperty('device')
    expect(await opens('REG-0004', first)).toEqual({ refused: 'BAD_SECRET' })
  })

  it('opens with the newest secret although each of the earlier ones was used', async () => {
    const { id, secret } = await site.register('REG-0005')
    expect(await opens('REG-0005', secret)).toHaveProperty('device')
    for (let count = 0; count < 5; count += 1) {
      const { data } = await site.act(`${D}/rotate-secret`, id)
      expect(await opens('REG-0005', String(data['secret']))).toHaveProperty('device')
    }
  })

  it('issues secrets to several devices at once, all or none, and lists what has none', async () => {
    const first = await site.register('ISSUE-0001')
    const second = await site.register('ISSUE-0002')
    await site.site.db.deleteFrom('deviceCredential').where('deviceId', '=', second.id).execute()
    const listed = async (query: string) =>
      pageIn(await site.call('GET', `${D}/page?keyword=ISSUE&${query}`)).list.map(({ sn }) => sn)
    expect(await listed('noSecret=true')).toEqual(['ISSUE-0002'])
    const stale = [
      { id: first.id, version: 1 },
      { id: second.id, version: 9 },
    ]
    expect((await site.call('POST', `${D}/issue-secrets`, { items: stale })).code).toBe(codes.stale.code)
    const items = stale.map(({ id }) => ({ id, version: 1 }))
    const made = (await site.call('POST', `${D}/issue-secrets`, { items })).data as unknown as {
      sn: string
      secret: string
    }[]
    expect(made.map(({ sn }) => sn)).toEqual(['ISSUE-0001', 'ISSUE-0002'])
    for (const { sn, secret } of made) expect(await opens(sn, secret)).toHaveProperty('device')
    expect(await opens('ISSUE-0001', first.secret)).toHaveProperty('device')
    expect(await listed('rotating=true')).toEqual(['ISSUE-0001'])
    await site.pool.query(`update device set warranty_until = current_date + 30 where sn = 'ISSUE-0002'`)
    expect(await listed('warrantyDue=true')).toEqual(['ISSUE-0002'])
  })

  it('adopts a refused device into a school, and rejects a model of another product key', async () => {
    const refused = { sn: 'NEW-0001', ip: '10.0.0.9', reason: 'UNKNOWN_SN' } as const
    const insert = (productKey: string) =>
      site.site.db
        .insertInto('unknownDevice')
        .values({ ...refused, productKey })
        .returning('id')
        .executeTakeFirst()
    const other = await insert('otherkey1')
    const body = { modelId: site.modelId, schoolId: site.schoolId }
    expect((await site.call('POST', `${D}/adopt`, { ...body, unknownId: other?.id })).code).toBe(
      codes.adoptProduct.code,
    )
    await site.site.db.deleteFrom('unknownDevice').execute()
    const same = await insert('testbtn01')
    const { data } = await site.call('POST', `${D}/adopt`, { ...body, unknownId: same?.id })
    expect(await site.lifecycleOf(Number(data['id']))).toBe('ALLOCATED')
    expect(await site.site.db.selectFrom('unknownDevice').selectAll().execute()).toEqual([])
  })

  it('changes only the fields of the edit, with a version check', async () => {
    const { id } = await site.register('REG-0003')
    const edit = { id, version: 1, batchNo: '2026-11' }
    expect((await site.call('PUT', `${D}/update`, edit)).code).toBe(200)
    expect((await site.call('PUT', `${D}/update`, edit)).code).toBe(codes.stale.code)
    const wrong = await site.call('PUT', `${D}/update`, { id, version: 2, gatewayId: id })
    expect(errorFields(wrong)).toEqual(['gatewayId'])
  })
})

describe('the stages of a device', () => {
  it('lead from the stock to an installation and back, with a history of users and reasons', async () => {
    const { id } = await installed('LIFE-0001')
    expect(await site.lifecycleOf(id)).toBe('IN_SERVICE')
    await site.act(`${D}/repair`, id, { reason: '按键松动' })
    await site.act(`${D}/repaired`, id)
    const { data } = await site.call('GET', `${D}/history?id=${id}`)
    const rows = data as unknown as { verb: string; reason: string | null; userName: string | null }[]
    expect(rows.map(({ verb }) => verb).toReversed()).toEqual([
      'create',
      'allocate',
      'plan',
      'install',
      'accept',
      'repair',
      'repaired',
    ])
    expect(rows[1]).toMatchObject({ reason: '按键松动', userName: '系统管理员', userAccount: 'admin' })
  })

  it('revoke the secrets in the transaction of the retirement, which an installed device rejects', async () => {
    const { id, installationId } = await installed('LIFE-0002')
    await site.act(`${D}/repair`, id, { reason: '进水' })
    expect((await site.act(`${D}/retire`, id, { reason: '报废' })).code).toBe(codes.deviceInstalled.code)
    await site.act(`${S}/remove`, installationId)
    expect((await site.act(`${D}/retire`, id, { reason: '报废' })).code).toBe(200)
    expect(await site.lifecycleOf(id)).toBe('RETIRED')
    const left = site.site.db.selectFrom('deviceCredential').selectAll().where('deviceId', '=', id)
    expect(await left.execute()).toEqual([])
    expect((await site.act(`${D}/rotate-secret`, id)).code).toBe(codes.secretRetired.code)
  })

  it('remove the installation of a lost device, and return it to the stock when it is found', async () => {
    const { id } = await installed('LIFE-0003')
    await site.act(`${D}/lost`, id, { reason: '被人拆走' })
    expect(await site.installationOf(id)).toMatchObject({ status: 'REMOVED' })
    expect((await site.call('GET', `${D}/get?id=${id}`)).data).toMatchObject({ secretCount: 0 })
    await site.act(`${D}/found`, id)
    expect(await site.lifecycleOf(id)).toBe('IN_STOCK')
  })

  it('suspend a panic device for 30 days at most, and resume it by the timer', async () => {
    const { id } = await installed('LIFE-0004')
    const suspend = (until: number) => site.act(`${D}/suspend`, id, { reason: '教室装修', until })
    expect((await suspend(inDays(31))).code).toBe(codes.suspendTooLong.code)
    expect((await suspend(inDays(-1))).code).toBe(codes.suspendPast.code)
    expect((await suspend(inDays(2))).code).toBe(200)
    expect(await site.installationOf(id)).toMatchObject({ status: 'SUSPENDED' })
    await site.pool.query(`update device set suspended_until = now() where id = $1`, [id])
    await site.pool.query(`update timer set due_at = now() where kind = 'device' and subject_id = $1`, [id])
    const deps = { db: site.site.db, handlers: deviceTimerHandlers, log: quietLog }
    await runDueTimers(deps, new AbortController().signal)
    expect(await site.lifecycleOf(id)).toBe('IN_SERVICE')
    expect(await site.installationOf(id)).toMatchObject({ status: 'ACCEPTED' })
  })

  it('allocate several or none, and name the one that failed', async () => {
    const [first, second] = [await site.register('BULK-0001'), await site.register('BULK-0002')]
    await site.act(`${D}/lost`, second.id, { reason: '运输途中' })
    const items = [
      { id: first.id, version: 1 },
      { id: second.id, version: 2 },
    ]
    const answer = await site.call('POST', `${D}/allocate-list`, { items, schoolId: site.schoolId })
    expect(answer).toMatchObject({ code: codes.deviceState.code, msg: expect.stringContaining('BULK-0002') })
    expect(await site.lifecycleOf(first.id)).toBe('IN_STOCK')
    const { data } = await site.call('GET', `${D}/count`)
    expect(data).toContainEqual({ lifecycle: 'LOST', count: 1 })
  })

  it('need the permission of the verb, and a visible device', async () => {
    const { id } = await site.register('SIGHT-0001')
    for (const verb of ['restock', 'resume', 'repaired', 'found'] as const) {
      const { permission } = lifecycleMachine[verb]
      const { token } = await site.clerk(permission)
      await site.all.updateTable('role').set({ dataScope: 'SELF' }).where('code', 'like', 'clerk%').execute()
      expect((await site.act(`${D}/${verb}`, id, {}, token)).code).toBe(codes.notFound.code)
    }
    const { token } = await site.clerk('device:device:query')
    expect((await site.act(`${D}/found`, id, {}, token)).code).toBe(codes.forbidden.code)
  })
})

describe('the list of devices', () => {
  it('filters by model, batch and stage, and is exported as the caller sees it', async () => {
    const { list } = pageIn(await site.call('GET', `${D}/page?modelId=${site.modelId}&batchNo=2026-11`))
    expect(list).toEqual([expect.objectContaining({ sn: 'REG-0003', registeredLifecycle: 'IN_STOCK' })])
    const answer = await site.site.app.inject({
      url: `/admin-api${D}/export?batchNo=2026-11&format=csv&lang=en`,
      headers: { authorization: `Bearer ${site.adminToken}` },
    })
    expect(answer.body).toContain('REG-0003')
    expect(answer.body).toContain('In stock')
  })
})
