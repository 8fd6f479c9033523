import { codes } from '@tocsin/contract/codes'
import { endExpectedPressOfAcceptance, endExpectedPressOfPeriod } from '#areas/alarm/end-expected-presses'
import { verifyLog } from '#areas/alarm/verify-chain'
import { claim } from '#areas/alarm/verb/claim'
import { dispatch, escalate, verify } from '#areas/alarm/verb/handle'
import { merge } from '#areas/alarm/verb/merge'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

describe('the expected press of an installation that is not accepted yet', () => {
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
    const { deviceId, id } = await site.mount('COMM-0001')
    const { recordId } = await site.ingest(deviceId)
    expect(await site.recordsOf(deviceId)).toMatchObject([waiting])
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
    expect((await site.accept(id)).code).toBe(200)
    expect(await site.recordsOf(deviceId)).toMatchObject([{ state: 'CLOSED', disposition: 'TEST' }])
    expect(await reasonsOf(recordId ?? 0)).toEqual(['INSTALLATION_ACCEPTED'])
    await site.ingest(deviceId)
    expect((await site.recordsOf(deviceId)).at(-1)).toMatchObject(ringing)
  })

  it.each([
    ['another press', {}, undefined],
    ['another code', {}, 'MEDICAL'],
    ['a cancel under duress', {}, 'DURESS_CANCEL'],
    ['a press that the device calls a test', { mode: 'TEST' }, undefined],
  ] as const)('does not keep %s from ringing beside it', async (_case, more, code) => {
    const { deviceId } = await site.mount(`COMM-A${(proofs += 1)}`)
    await site.ingest(deviceId)
    const { recordId } = await site.ingest(deviceId, code, more)
    expect(await site.recordsOf(deviceId)).toMatchObject([waiting, { ...ringing, ...more }])
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
    const { deviceId } = await site.mount(`COMM-B${(proofs += 1)}`)
    await site.pool.query(
      `insert into device_state (device_id, last_seen_at, skew_ms, skew_boot, boot_clock_ms) values ($1, now(), 0, 1, null)
       on conflict (device_id) do update set skew_ms = 0, skew_boot = 1`,
      [deviceId],
    )
    const first = await site.ingest(deviceId, code, more)
    expect((await rung(first.recordId)).events).toEqual(['alarm.raised'])
    await site.ingest(deviceId)
    const modes = (await site.recordsOf(deviceId)).map(({ mode, commissioning }) => [mode, commissioning])
    expect(new Set(modes.map(String))).toEqual(new Set(['LIVE,false']))
  })

  it('is none while an alarm of the button is open, which the press after a move is linked with', async () => {
    const { deviceId, id } = await site.mountAccepted('COMM-OPEN')
    const { recordId } = await site.ingest(deviceId)
    expect((await site.act(`${S}/move`, id, { placeId: site.placeIds[1] })).code).toBe(200)
    await site.ingest(deviceId)
    expect(await site.recordsOf(deviceId)).toMatchObject([ringing, { ...ringing, linkedRecordId: recordId }])
  })

  it('is none a day after the mounting', async () => {
    const { deviceId, id } = await site.mount('COMM-LATE')
    await site.pool.query(`update school_device set installed_at = now() - interval '25 hours' where id = $1`, [id])
    await site.ingest(deviceId)
    expect(await site.recordsOf(deviceId)).toMatchObject([ringing])
  })

  it('counts for a burst with the presses after it, whose record is linked with it', async () => {
    const { deviceId } = await site.mount('COMM-BURST')
    const { recordId } = await site.ingest(deviceId)
    await site.ingest(deviceId)
    await site.ingest(deviceId)
    const burst = { ...ringing, level: 1, linkedRecordId: recordId }
    expect(await site.recordsOf(deviceId)).toMatchObject([waiting, burst])
    expect((await rung(recordId)).events).toEqual(['alarm.changed', 'alarm.changed'])
  })

  it('is only one when two presses arrive at the same time', async () => {
    const { deviceId } = await site.mount('COMM-0002')
    await Promise.all([1, 2, 3, 4].map(() => site.ingest(deviceId)))
    const found = await site.recordsOf(deviceId)
    expect(found.map(({ commissioning }) => commissioning).toSorted()).toEqual([false, true])
    expect(found.find(({ commissioning }) => !commissioning)).toMatchObject(ringing)
  })

  const claimed = async (sn: string) => {
    const made = await site.mount(sn)
    const record = await claim(site.site.db, site.operator, { id: (await site.ingest(made.deviceId)).recordId ?? 0 })
    return { ...made, db: site.site.db, actor: site.operator, record }
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
    expect((await site.accept(id)).code).toBe(200)
    expect(await site.recordsOf(deviceId)).toMatchObject([{ mode: 'TEST', commissioning: false, state: 'CLAIMED' }])
    expect(await hasTimeLimit(record)).toBe(true)
  })

  it('is neither joined by a cancel under duress that the device calls a test nor merged into its alarm', async () => {
    const { deviceId, db, actor, record } = await claimed('COMM-0005')
    const duress = await site.ingest(deviceId, 'DURESS_CANCEL', { mode: 'TEST' })
    expect((await rung(duress.recordId)).events).toEqual(['alarm.raised'])
    const merged = merge(db, actor, { ...record, intoId: duress.recordId ?? 0 })
    await expect(merged).rejects.toMatchObject({ code: codes.mergeTarget.code })
  })

  it('rings, and waits for nobody, while the installation is being changed', async () => {
    const { deviceId, id } = await site.mount('COMM-0003')
    await site.site.db.transaction().execute(async (trx) => {
      await sql`select from school_device where id = ${id} for no key update`.execute(trx)
      await site.ingest(deviceId)
    })
    expect(await site.recordsOf(deviceId)).toMatchObject([ringing])
  })

  it.each([
    ['remove', {}, 'DEVICE_REMOVED'],
    ['move', 1, 'DEVICE_MOVED'],
  ] as const)(
    'ends with the reason when its device leaves by %s, unless people found more in it',
    async (verb, to, why) => {
      const left = async (sn: string, found?: number) => {
        const { deviceId, id } = await site.mount(sn)
        const { recordId } = await site.ingest(deviceId)
        if (found) await site.pool.query('update warn_record set validation = $2 where id = $1', [recordId, found])
        await site.act(`${S}/${verb}`, id, to === 1 ? { placeId: site.placeIds[1] } : to)
        return { deviceId, recordId: recordId ?? 0 }
      }
      const ended = await left(`COMM-${verb}`)
      expect(await site.recordsOf(ended.deviceId)).toMatchObject([{ state: 'CLOSED' }])
      expect(await reasonsOf(ended.recordId)).toEqual([why])
      const confirmed = await left(`COMM-X${verb}`, 3)
      expect(await site.recordsOf(confirmed.deviceId)).toMatchObject([{ state: 'NEW' }])
    },
  )
})
