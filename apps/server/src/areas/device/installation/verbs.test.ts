import { stateMachine } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import { TEST_INTERVAL_DAYS } from '@tocsin/contract/device/button-test'
import type { Alarm, AlarmCode } from '@tocsin/protocol/alarm'
import { endWithAcceptance, endWithStay } from '#areas/alarm/end-by-test'
import { ingestSignal } from '#areas/alarm/ingest'
import { recordRoutes } from '#areas/alarm/record/routes'
import { verifyLog } from '#areas/alarm/verify-chain'
import { claim } from '#areas/alarm/verb/claim'
import { dispatch, escalate, verify } from '#areas/alarm/verb/handle'
import { merge } from '#areas/alarm/verb/merge'
import type { Actor } from '#http/route'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePlace, makeSchool } from '../../../../seed/fixtures.ts'
import { pageIn } from '../../../../test/admin-server.ts'
import { alarm } from '../../../../test/intake-fixture.ts'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'

let site: DeviceServer
let acceptor: string
useTransactionHooks([endWithAcceptance, endWithStay])
beforeAll(async () => {
  site = await startDeviceServer((db) => recordRoutes({ db }))
  acceptor = (await site.clerk('device:school-device:accept', 'device:school-device:query')).token
  await site.all.updateTable('role').set({ dataScope: 'ALL' }).where('code', 'like', 'clerk%').execute()
})
afterAll(() => site.end())

const S = '/device/school-device'
let proofs = 0

const mounted = async (sn: string) => {
  const { id: deviceId } = await site.register(sn)
  const answer = await site.call('POST', `${S}/mount`, { deviceId, placeId: site.placeIds[0] })
  expect(answer.code).toBe(200)
  return { deviceId, id: answer.data as unknown as number }
}

const accepted = async (sn: string) => {
  const made = await mounted(sn)
  await site.press(made.deviceId)
  expect((await site.act(`${S}/accept`, made.id, {}, acceptor)).code).toBe(200)
  return made
}

describe('installing a device', () => {
  it('allocates a device in stock implicitly, and waits for another person to accept it', async () => {
    const { deviceId, id } = await mounted('INST-0001')
    expect(await site.lifecycleOf(deviceId)).toBe('COMMISSIONING')
    await site.press(deviceId)
    expect((await site.act(`${S}/accept`, id)).code).toBe(codes.acceptorInstalled.code)
    expect((await site.act(`${S}/accept`, id, {}, acceptor)).code).toBe(200)
    const { data } = await site.call('GET', `${S}/get?id=${id}`)
    expect(data).toMatchObject({ status: 'ACCEPTED', installedByName: '系统管理员', nextTestDue: expect.any(String) })
  })

  it('is accepted only after a press since the installation', async () => {
    const { deviceId, id } = await mounted('INST-0002')
    expect((await site.act(`${S}/accept`, id, {}, acceptor)).code).toBe(codes.notProven.code)
    expect((await site.call('GET', `${S}/proof?id=${id}`)).data).toBeNull()
    await site.press(deviceId)
    expect((await site.call('GET', `${S}/proof?id=${id}`)).data).toMatchObject({ receivedAt: expect.any(Number) })
    expect((await site.act(`${S}/accept`, id, {}, acceptor)).code).toBe(200)
  })

  it.each([
    ['a cancel', `code = 'CANCEL'`],
    ['a code that its model has not', `code = 'MEDICAL'`],
    ['a press that was made before the installation', `occurred_at = now() - interval '3 days'`],
    ['a press that is sent again without a trusted time', `body = '{"replay": true}', occurred_at = received_at`],
    ['an unreadable message', `kind = 'UNPARSABLE'`],
  ])('is not accepted after %s', async (_case, change) => {
    const { deviceId, id } = await mounted(`PROOF-${(proofs += 1)}`)
    await site.press(deviceId)
    await site.pool.query(`update signal set ${change} where device_id = $1`, [deviceId])
    expect((await site.call('GET', `${S}/proof?id=${id}`)).data).toBeNull()
    expect((await site.act(`${S}/accept`, id, {}, acceptor)).code).toBe(codes.notProven.code)
    await site.press(deviceId)
    expect((await site.act(`${S}/accept`, id, {}, acceptor)).code).toBe(200)
  })

  it('is not accepted when it is a button whose model has no alarm code', async () => {
    const { deviceId, id } = await mounted('PROOF-NONE')
    await site.pool.query(
      `with model as (insert into device_model (product_key, vendor, name, kind, power)
         values ('nocodes1', 'V', 'Without codes', 'PANIC_BUTTON', 'MAINS') returning id)
       update device set model_id = model.id from model where device.id = $1`,
      [deviceId],
    )
    await site.press(deviceId)
    expect((await site.act(`${S}/accept`, id, {}, acceptor)).code).toBe(codes.notProven.code)
  })

  it('is due for its next test a quarter after the day of its proof in the zone of the installation', async () => {
    const { deviceId, id } = await mounted('PROOF-DAY')
    await site.press(deviceId)
    // Half past midnight in China is still the day before in UTC.
    await site.pool.query(
      `update school_device set installed_at = '2026-11-01T00:00:00+08', valid_from = '2026-11-01T00:00:00+08' where id = $1`,
      [id],
    )
    await site.pool.query(`update signal set occurred_at = '2026-11-05T00:30:00+08' where device_id = $1`, [deviceId])
    expect((await site.act(`${S}/accept`, id, {}, acceptor)).code).toBe(200)
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
    const { deviceId } = await mounted('INST-0004')
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
    const { deviceId, id } = await accepted('MOVE-0001')
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
    const { deviceId, id } = await accepted('SUSP-0001')
    const until = Date.now() + 86_400_000
    expect((await site.act(`${S}/suspend`, id, { reason: '装修', until })).code).toBe(200)
    expect(await site.lifecycleOf(deviceId)).toBe('SUSPENDED')
    expect((await site.act(`${S}/resume`, id)).code).toBe(200)
    expect(await site.lifecycleOf(deviceId)).toBe('IN_SERVICE')
    expect((await site.act(`${S}/remove`, id, { reason: '换新' })).code).toBe(200)
    expect(await site.lifecycleOf(deviceId)).toBe('IN_STOCK')
  })

  it('is replaced by a device of the store, which hangs in its place and is proven anew', async () => {
    const { deviceId, id } = await accepted('OLD-0001')
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
    const { id } = await accepted('LIST-0001')
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
    const { id } = await accepted('EDIT-0001')
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

describe('the expected press of an installation that is not accepted yet', () => {
  let seq = 0
  const ingest = (deviceId: number, code: AlarmCode = 'PANIC', more: Partial<Alarm> = {}) => {
    seq += 1
    return ingestSignal(site.site.db, { deviceId, via: 'MQTT', channel: 'alarm', message: alarm(code, seq, more) })
  }
  const recordsOf = (deviceId: number) =>
    site.all
      .selectFrom('warnRecord')
      .select(['id', 'mode', 'commissioning', 'state', 'disposition', 'level', 'linkedRecordId'])
      .where('deviceId', '=', deviceId)
      .orderBy('id')
      .execute()
  const rung = async (id: number | null) => {
    const { rows } = await site.pool.query(
      `select (select count(*)::int from timer where subject_id = $1 and kind in ('record', 'notification')) as timers,
        (select array_agg(type order by id) from event where ref = $1 and type like 'alarm.%') as events`,
      [id],
    )
    return rows[0]
  }
  const reasonsOf = async (recordId: number) => {
    const logged = site.all.selectFrom('warnLog').select('payload').where('recordId', '=', recordId)
    return (await logged.where('verb', '=', 'endTest').execute()).map(({ payload }) => payload?.['reason'])
  }
  const waiting = { mode: 'TEST', commissioning: true, state: 'NEW' }
  const ringing = { mode: 'LIVE', commissioning: false, state: 'NEW' }

  it('is shown without ringing to those who see the school, proves the button, and ends with the acceptance', async () => {
    const { deviceId, id } = await mounted('COMM-0001')
    const { recordId } = await ingest(deviceId)
    expect(await recordsOf(deviceId)).toMatchObject([waiting])
    expect(await rung(recordId)).toEqual({ timers: 0, events: ['alarm.changed'] })
    const queue = async (token?: string) =>
      (await site.call('GET', '/warn/record/desk', undefined, token)).data as unknown as {
        list: { id: number; commissioning: boolean; limit: null }[]
        moreDue: number
      }
    const row = (await queue()).list.find((item) => item.id === recordId)
    expect(row).toMatchObject({ commissioning: true, limit: null })
    const stranger = await site.clerk('warn:record:query')
    await site.all.updateTable('role').set({ dataScope: 'SELF' }).where('code', '=', 'clerk2').execute()
    expect((await queue(stranger.token)).list.map((item) => item.id)).not.toContain(recordId)
    expect((await site.call('GET', `${S}/proof?id=${id}`)).data).toMatchObject({ commissioning: true, soundedAt: null })
    expect((await site.act(`${S}/accept`, id, {}, acceptor)).code).toBe(200)
    expect(await recordsOf(deviceId)).toMatchObject([{ state: 'CLOSED', disposition: 'TEST' }])
    expect(await reasonsOf(recordId ?? 0)).toEqual(['INSTALLATION_ACCEPTED'])
    await ingest(deviceId)
    expect((await recordsOf(deviceId)).at(-1)).toMatchObject(ringing)
  })

  it.each([
    ['another press', {}, undefined],
    ['another code', {}, 'MEDICAL'],
    ['a cancel under duress', {}, 'DURESS_CANCEL'],
    ['a press that the device calls a test', { mode: 'TEST' }, undefined],
  ] as const)('does not keep %s from ringing beside it', async (_case, more, code) => {
    const { deviceId } = await mounted(`COMM-A${(proofs += 1)}`)
    await ingest(deviceId)
    const { recordId } = await ingest(deviceId, code, more)
    expect(await recordsOf(deviceId)).toMatchObject([waiting, { ...ringing, ...more }])
    expect((await rung(recordId)).events).toEqual(['alarm.raised'])
  })

  it.each([
    ['several presses at once', { press: { count: 3, holdMs: 100 } }, undefined],
    ['a press that is sent again', { replay: true }, undefined],
    ['a press that was made before', { ts: Date.now() - 60_000 }, undefined],
    ['a press without a trusted time', { ts: 1 }, undefined],
    ['another code', {}, 'MEDICAL'],
    ['a cancel under duress', {}, 'DURESS_CANCEL'],
  ] as const)('is not %s, which rings, and so does the press after it', async (_case, more, code) => {
    const { deviceId } = await mounted(`COMM-B${(proofs += 1)}`)
    await site.pool.query(
      `insert into device_state (device_id, last_seen_at, skew_ms, skew_boot, boot_clock_ms) values ($1, now(), 0, 1, null)
       on conflict (device_id) do update set skew_ms = 0, skew_boot = 1`,
      [deviceId],
    )
    const first = await ingest(deviceId, code, more)
    expect((await rung(first.recordId)).events).toEqual(['alarm.raised'])
    await ingest(deviceId)
    const modes = (await recordsOf(deviceId)).map(({ mode, commissioning }) => [mode, commissioning])
    expect(new Set(modes.map(String))).toEqual(new Set(['LIVE,false']))
  })

  it('is none while an alarm of the button is open, which the press after a move is linked with', async () => {
    const { deviceId, id } = await accepted('COMM-OPEN')
    const { recordId } = await ingest(deviceId)
    expect((await site.act(`${S}/move`, id, { placeId: site.placeIds[1] })).code).toBe(200)
    await ingest(deviceId)
    expect(await recordsOf(deviceId)).toMatchObject([ringing, { ...ringing, linkedRecordId: recordId }])
  })

  it('is none a day after the mounting', async () => {
    const { deviceId, id } = await mounted('COMM-LATE')
    await site.pool.query(`update school_device set installed_at = now() - interval '25 hours' where id = $1`, [id])
    await ingest(deviceId)
    expect(await recordsOf(deviceId)).toMatchObject([ringing])
  })

  it('counts for a burst with the presses after it, whose record is linked with it', async () => {
    const { deviceId } = await mounted('COMM-BURST')
    const { recordId } = await ingest(deviceId)
    await ingest(deviceId)
    await ingest(deviceId)
    const burst = { ...ringing, level: 1, linkedRecordId: recordId }
    expect(await recordsOf(deviceId)).toMatchObject([waiting, burst])
    expect((await rung(recordId)).events).toEqual(['alarm.changed', 'alarm.changed'])
  })

  it('is only one when two presses arrive at the same time', async () => {
    const { deviceId } = await mounted('COMM-0002')
    await Promise.all([1, 2, 3, 4].map(() => ingest(deviceId)))
    const found = await recordsOf(deviceId)
    expect(found.map(({ commissioning }) => commissioning).toSorted()).toEqual([false, true])
    expect(found.find(({ commissioning }) => !commissioning)).toMatchObject(ringing)
  })

  const claimed = async (sn: string) => {
    const made = await mounted(sn)
    const db = site.site.db
    const permissions = new Set(Object.values(stateMachine).map(({ permission }) => permission))
    const person = { ...site.here, depts: 'all', schools: 'all', sessionId: 1, username: 'w', nickname: '王' } as const
    const actor: Actor = { ...person, permissions }
    const record = await claim(db, actor, { id: (await ingest(made.deviceId)).recordId ?? 0 })
    return { ...made, db, actor, record }
  }
  const hasTimeLimit = async ({ id }: { id: number }) => {
    const pending = site.all.selectFrom('timer').select('step').where('subjectId', '=', id).where('doneAt', 'is', null)
    return (await pending.where('kind', '=', 'record').execute()).some(({ step }) => step === 'T5')
  }

  it.each([
    ['dispatch', { toldName: '王', toldPhone: '13800000000' }, dispatch],
    ['verify', { validation: 3 }, verify],
    ['escalate', { reason: '求助' }, escalate],
  ] as const)('is a LIVE alarm with its limits once people find it real by %s', async (verb, more, run) => {
    const { db, actor, record } = await claimed(`COMM-R-${verb}`)
    expect([record.mode, await hasTimeLimit(record)]).toEqual(['TEST', false])
    const real = await run(db, actor, { ...record, ...more } as never)
    expect(real).toMatchObject({ mode: 'LIVE', commissioning: false, testPlanId: null })
    expect(await hasTimeLimit(record)).toBe(true)
    expect((await rung(record.id)).events.includes('alarm.again')).toBe(verb === 'escalate')
    expect((await verifyLog(db)).broken).toBeUndefined()
  })

  it('stays with its owner as a test with limits when the installation is accepted', async () => {
    const { deviceId, id, record } = await claimed('COMM-0004')
    expect((await site.act(`${S}/accept`, id, {}, acceptor)).code).toBe(200)
    expect(await recordsOf(deviceId)).toMatchObject([{ mode: 'TEST', commissioning: false, state: 'CLAIMED' }])
    expect(await hasTimeLimit(record)).toBe(true)
  })

  it('is neither joined by a cancel under duress that the device calls a test nor merged into its alarm', async () => {
    const { deviceId, db, actor, record } = await claimed('COMM-0005')
    const duress = await ingest(deviceId, 'DURESS_CANCEL', { mode: 'TEST' })
    expect((await rung(duress.recordId)).events).toEqual(['alarm.raised'])
    const merged = merge(db, actor, { ...record, intoId: duress.recordId ?? 0 })
    await expect(merged).rejects.toMatchObject({ code: codes.mergeTarget.code })
  })

  it('rings, and waits for nobody, while the installation is being changed', async () => {
    const { deviceId, id } = await mounted('COMM-0003')
    await site.site.db.transaction().execute(async (trx) => {
      await sql`select from school_device where id = ${id} for no key update`.execute(trx)
      await ingest(deviceId)
    })
    expect(await recordsOf(deviceId)).toMatchObject([ringing])
  })

  it.each([
    ['remove', {}, 'DEVICE_REMOVED'],
    ['move', 1, 'DEVICE_MOVED'],
  ] as const)(
    'ends with the reason when its device leaves by %s, unless people found more in it',
    async (verb, to, why) => {
      const left = async (sn: string, found?: number) => {
        const { deviceId, id } = await mounted(sn)
        const { recordId } = await ingest(deviceId)
        if (found) await site.pool.query('update warn_record set validation = $2 where id = $1', [recordId, found])
        await site.act(`${S}/${verb}`, id, to === 1 ? { placeId: site.placeIds[1] } : to)
        return { deviceId, recordId: recordId ?? 0 }
      }
      const ended = await left(`COMM-${verb}`)
      expect(await recordsOf(ended.deviceId)).toMatchObject([{ state: 'CLOSED' }])
      expect(await reasonsOf(ended.recordId)).toEqual([why])
      const confirmed = await left(`COMM-X${verb}`, 3)
      expect(await recordsOf(confirmed.deviceId)).toMatchObject([{ state: 'NEW' }])
    },
  )
})
