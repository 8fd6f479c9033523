import { codes } from '@tocsin/contract/codes'
import { TEST_INTERVAL_DAYS } from '@tocsin/contract/device/button-test'
import { endExpectedPressOfAcceptance, endExpectedPressOfPeriod } from '#areas/alarm/end-expected-presses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePlace, makeSchool } from '../../../../seed/fixtures.ts'
import { pageIn } from '../../../../test/admin-server.ts'
import { type InstallationServer, startInstallationServer } from '../../../../test/installation-server.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'

let site: InstallationServer
useTransactionHooks([endExpectedPressOfAcceptance, endExpectedPressOfPeriod])
beforeAll(async () => {
  site = await startInstallationServer()
})
afterAll(() => site.end())

const S = '/device/school-device'
let proofs = 0

describe('installing a device', () => {
  it('allocates a device in stock implicitly, and waits for another person to accept it', async () => {
    const { deviceId, id } = await site.mount('INST-0001')
    expect(await site.lifecycleOf(deviceId)).toBe('COMMISSIONING')
    await site.press(deviceId)
    expect((await site.act(`${S}/accept`, id)).code).toBe(codes.acceptorInstalled.code)
    expect((await site.accept(id)).code).toBe(200)
    const { data } = await site.call('GET', `${S}/get?id=${id}`)
    expect(data).toMatchObject({ status: 'ACCEPTED', installedByName: '系统管理员', nextTestDue: expect.any(String) })
  })

  it('is accepted only after a press since the installation', async () => {
    const { deviceId, id } = await site.mount('INST-0002')
    expect((await site.accept(id)).code).toBe(codes.notProven.code)
    expect((await site.call('GET', `${S}/proof?id=${id}`)).data).toBeNull()
    await site.press(deviceId)
    expect((await site.call('GET', `${S}/proof?id=${id}`)).data).toMatchObject({ receivedAt: expect.any(Number) })
    expect((await site.accept(id)).code).toBe(200)
  })

  it.each([
    ['a cancel', `code = 'CANCEL'`],
    ['a code that its model has not', `code = 'MEDICAL'`],
    ['a press that was made before the installation', `occurred_at = now() - interval '3 days'`],
    ['a press that is sent again without a trusted time', `body = '{"replay": true}', occurred_at = received_at`],
    ['an unreadable message', `kind = 'UNPARSABLE'`],
  ])('is not accepted after %s', async (_case, change) => {
    const { deviceId, id } = await site.mount(`PROOF-${(proofs += 1)}`)
    await site.press(deviceId)
    await site.pool.query(`update signal set ${change} where device_id = $1`, [deviceId])
    expect((await site.call('GET', `${S}/proof?id=${id}`)).data).toBeNull()
    expect((await site.accept(id)).code).toBe(codes.notProven.code)
    await site.press(deviceId)
    expect((await site.accept(id)).code).toBe(200)
  })

  it('is not accepted when it is a button whose model has no alarm code', async () => {
    const { deviceId, id } = await site.mount('PROOF-NONE')
    await site.pool.query(
      `with model as (insert into device_model (product_key, vendor, name, kind, power)
         values ('nocodes1', 'V', 'Without codes', 'PANIC_BUTTON', 'MAINS') returning id)
       update device set model_id = model.id from model where device.id = $1`,
      [deviceId],
    )
    await site.press(deviceId)
    expect((await site.accept(id)).code).toBe(codes.notProven.code)
  })

  it('is due for its next test a quarter after the day of its proof in the zone of the installation', async () => {
    const { deviceId, id } = await site.mount('PROOF-DAY')
    await site.press(deviceId)
    // Half past midnight in China is still the day before in UTC.
    await site.pool.query(
      `update school_device set installed_at = '2026-11-01T00:00:00+08', valid_from = '2026-11-01T00:00:00+08' where id = $1`,
      [id],
    )
    await site.pool.query(`update signal set occurred_at = '2026-11-05T00:30:00+08' where device_id = $1`, [deviceId])
    expect((await site.accept(id)).code).toBe(200)
    const { rows } = await site.pool.query(
      `select next_test_due - '2026-11-05'::date as days from school_device where id = $1`,
      [id],
    )
    expect(rows).toEqual([{ days: TEST_INTERVAL_DAYS }])
  })

  it('is planned first and installed later when no installer is on site yet', async () => {
    const { id: deviceId } = await site.register('INST-0003')
    const { data: id } = await site.call('POST', `${S}/plan`, { deviceId, placeId: site.placeIds[0] })
    expect(await site.lifecycleOf(deviceId)).toBe('INSTALLING')
    const done = await site.act(`${S}/install`, Number(id), { mountNote: '门后' })
    expect(done.code).toBe(200)
    expect((await site.act(`${S}/install`, Number(id))).code).toBe(codes.installationState.code)
    expect(await site.lifecycleOf(deviceId)).toBe('COMMISSIONING')
  })

  it('rejects a second place, and a place of another school', async () => {
    const { deviceId } = await site.mount('INST-0004')
    const twice = await site.call('POST', `${S}/mount`, { deviceId, placeId: site.placeIds[1] })
    expect(twice.code).toBe(codes.alreadyInstalled.code)
    const { id: other } = await site.register('INST-0005')
    const school = await makeSchool(site.site.db, { eduDeptId: site.here.deptId })
    const place = await makePlace(site.site.db, { schoolId: school.id })
    await site.act('/device/device/allocate', other, { schoolId: site.schoolId })
    const wrong = await site.call('POST', `${S}/mount`, { deviceId: other, placeId: place.id })
    expect(wrong.code).toBe(codes.otherSchool.code)
  })

  it('rejects a missing and an invisible place alike', async () => {
    const { id: deviceId } = await site.register('INST-0006')
    expect((await site.call('POST', `${S}/plan`, { deviceId, placeId: 999_999 })).code).toBe(codes.notFound.code)
  })
})

describe('an installed device', () => {
  it('moves to another room, must be proven again there, and keeps its history', async () => {
    const { deviceId, id } = await site.mountAccepted('MOVE-0001')
    expect((await site.act(`${S}/move`, id, { placeId: site.placeIds[0] })).code).toBe(codes.samePlace.code)
    expect((await site.act(`${S}/move`, id, { placeId: site.placeIds[1] })).code).toBe(200)
    expect(await site.lifecycleOf(deviceId)).toBe('COMMISSIONING')
    const { data } = await site.call('GET', `${S}/history?deviceId=${deviceId}`)
    expect(data).toMatchObject([
      { status: 'INSTALLED', placeId: site.placeIds[1], validTo: null },
      { status: 'REMOVED', placeId: site.placeIds[0], validTo: expect.any(Number) },
    ])
    expect((await site.act(`${S}/move`, id, { placeId: site.placeIds[0] })).code).toBe(codes.installationState.code)
  })

  it('is suspended and resumed with its device, and goes to the stock when it is removed', async () => {
    const { deviceId, id } = await site.mountAccepted('SUSP-0001')
    const until = Date.now() + 86_400_000
    expect((await site.act(`${S}/suspend`, id, { reason: '装修', until })).code).toBe(200)
    expect(await site.lifecycleOf(deviceId)).toBe('SUSPENDED')
    expect((await site.act(`${S}/resume`, id)).code).toBe(200)
    expect(await site.lifecycleOf(deviceId)).toBe('IN_SERVICE')
    expect((await site.act(`${S}/remove`, id, { reason: '换新' })).code).toBe(200)
    expect(await site.lifecycleOf(deviceId)).toBe('IN_STOCK')
  })

  it('is replaced by a device of the store, which hangs in its place and is proven anew', async () => {
    const { deviceId, id } = await site.mountAccepted('OLD-0001')
    const { id: fresh } = await site.register('NEW-0001')
    const missing = await site.act(`${S}/replace`, id, { sn: 'NONE-0001', reason: '按键失灵' })
    expect(missing.code).toBe(codes.notFound.code)
    const installer = (await site.clerk('device:school-device:install')).token
    await site.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
    const refused = await site.act(`${S}/replace`, id, { sn: 'NEW-0001', reason: '按键失灵' }, installer)
    expect(refused.code).toBe(codes.forbidden.code)
    const answer = await site.act(`${S}/replace`, id, { sn: 'NEW-0001', reason: '按键失灵' })
    expect(answer.code).toBe(200)
    expect(await site.lifecycleOf(deviceId)).toBe('IN_STOCK')
    expect(await site.lifecycleOf(fresh)).toBe('COMMISSIONING')
    const { data } = await site.call('GET', `${S}/get?id=${Number(answer.data)}`)
    expect(data).toMatchObject({ sn: 'NEW-0001', status: 'INSTALLED', placeId: site.placeIds[0] })
    const again = await site.call('POST', `${S}/replace`, { id, version: 1, sn: 'OLD-0001', reason: 'x' })
    expect(again.code).toBe(codes.stale.code)
  })

  it('is listed while installed, by status, by an overdue test and by missing requirements', async () => {
    const { id } = await site.mountAccepted('LIST-0001')
    await site.pool.query('update school_device set next_test_due = current_date - 1, silent = true where id = $1', [
      id,
    ])
    const listed = async (query: string) =>
      pageIn(await site.call('GET', `${S}/page?pageSize=100&${query}`)).list.map(({ sn }) => sn)
    expect(await listed('testOverdue=true')).toEqual(['LIST-0001'])
    expect(await listed('silent=true')).toEqual(['LIST-0001'])
    expect(await listed('noRecipient=true')).toContain('LIST-0001')
    const { name } = await site.all
      .selectFrom('place')
      .select('name')
      .where('id', '=', site.placeIds[0] ?? 0)
      .executeTakeFirstOrThrow()
    expect(await listed(`keyword=${encodeURIComponent(name)}`)).toContain('LIST-0001')
    expect(await listed(`placeId=${site.placeIds[0]}`)).toContain('LIST-0001')
    expect(await listed(`placeId=${site.placeIds[1]}`)).not.toContain('LIST-0001')
    expect(await listed('')).not.toContain('SUSP-0001')
    expect(await listed('status=REMOVED')).toContain('SUSP-0001')
  })

  it('changes its note, silence and position with a version check', async () => {
    const { id } = await site.mountAccepted('EDIT-0001')
    const { version } = await site.all
      .selectFrom('schoolDevice')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const edit = { id, version, silent: true, mountNote: '窗台' }
    expect((await site.call('PUT', `${S}/update`, edit)).code).toBe(200)
    expect((await site.call('PUT', `${S}/update`, edit)).code).toBe(codes.stale.code)
    const half = { id, version: version + 1, lng: 102.7 }
    expect((await site.call('PUT', `${S}/update`, half)).code).toBe(400)
    const placed = { id, version: version + 1, lng: 102.7, lat: 25.1 }
    expect((await site.call('PUT', `${S}/update`, placed)).code).toBe(200)
    const { data } = await site.call('GET', `${S}/get?id=${id}`)
    expect(data).toMatchObject({ silent: true, mountNote: '窗台', lng: 102.7, lat: 25.1 })
  })

  it('is exported like the list', async () => {
    const answer = await site.site.app.inject({
      url: `/admin-api${S}/export?format=csv`,
      headers: { authorization: `Bearer ${site.adminToken}` },
    })
    expect(answer.body).toContain('EDIT-0001')
    expect(answer.body).toContain('已验收')
  })
})
