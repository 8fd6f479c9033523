import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorFields } from '../../../../test/admin-server.ts'
import { type DeviceServer, makeModelDraft, startDeviceServer } from '../../../../test/device-server.ts'
import { applyCommandReply } from './command-reply.ts'
import { audioTimerHandlers } from './audio.ts'
import { AUDIO_TIMER } from './audio-timer.ts'

const C = '/device/command'
let site: DeviceServer
let modelId: number
beforeAll(async () => {
  site = await startDeviceServer()
  modelId = await createModel('talker01', true)
})
afterAll(() => site.end())

const speech = { LISTEN: { type: 'object' }, TALK_START: { type: 'object' }, TALK_STOP: { type: 'object' } }
const createModel = async (productKey: string, twoWayAudio: boolean): Promise<number> => {
  const capabilities = { ...makeModelDraft({}).capabilities, twoWayAudio }
  const draft = makeModelDraft({ productKey, name: productKey, commandSchema: speech, capabilities })
  return (await site.call('POST', '/device/model/create', draft)).data as unknown as number
}
let made = 0
const register = async (model = modelId): Promise<number> => {
  made += 1
  const { data } = await site.call('POST', '/device/device/create', { sn: `AUDIO-${made}`, modelId: model })
  return Number(data['id'])
}
const open = (deviceId: number, more: object = {}, token = site.adminToken) =>
  site.call('POST', `${C}/open-audio`, { deviceId, type: 'LISTEN', reason: '核实呼救', ...more }, token)
const opened = async (deviceId: number, more: object = {}) => {
  const answer = await open(deviceId, more)
  expect(answer).toMatchObject({ code: 200 })
  return answer.data as unknown as number
}
const close = (id: number) => site.call('POST', `${C}/close-audio`, { id })
const get = async (id: number) => (await site.call('GET', `${C}/get?id=${id}`)).data
const messages = async (deviceId: number) => {
  const rows = await site.site.db
    .selectFrom('deviceOutbox')
    .select('payload')
    .where('deviceId', '=', deviceId)
    .orderBy('id')
    .execute()
  return rows.map(({ payload }) => payload as { type: string; payload: Record<string, unknown> })
}
const markSent = (deviceId: number) =>
  site.pool.query('update device_outbox set sent_at = now() where device_id = $1', [deviceId])
const runTimer = (id: number) =>
  site.site.db.transaction().execute(async (trx) => {
    const handler = audioTimerHandlers[AUDIO_TIMER]
    await handler.lock?.(trx, [id], true)
    await handler.execute(trx, [{ kind: AUDIO_TIMER, subjectId: id, step: 'STOP', epoch: 1 }])
  })
const timersOf = (id: number) =>
  site.site.db
    .selectFrom('timer')
    .select(['step', 'outcome'])
    .where('kind', '=', AUDIO_TIMER)
    .where('subjectId', '=', id)
    .execute()

describe('listening and talking through a device', () => {
  it('needs a reason, a permission of its own, and a model with two-way audio', async () => {
    const deviceId = await register()
    expect(errorFields(await open(deviceId, { reason: ' ' }))).toEqual(['reason'])
    const clerk = await site.clerk('device:command:create', 'device:command:query')
    expect((await open(deviceId, {}, clerk.token)).code).toBe(403)
    const mute = await register(await createModel('mute00001', false))
    expect((await open(mute)).code).toBe(codes.commandUnknown.code)
    expect((await open((await site.register('AUDIO-NONE')).id)).code).toBe(codes.commandUnknown.code)
    const types = async (id: number) => (await site.call('GET', `/device/device/get?id=${id}`)).data['commandTypes']
    expect([await types(deviceId), await types(mute)]).toEqual([
      expect.arrayContaining(['LISTEN', 'TALK_START']),
      ['TALK_STOP'],
    ])
  })

  it('is stopped by a timer after three minutes, once on two nodes, with an entry in the audit', async () => {
    const deviceId = await register()
    const id = await opened(deviceId, { type: 'TALK_START' })
    const { createdAt, stopAt } = (await get(id)) as unknown as { createdAt: number; stopAt: number }
    expect(stopAt - createdAt).toBe(180_000)
    expect(await timersOf(id)).toEqual([{ step: 'STOP', outcome: null }])
    await markSent(deviceId)
    await Promise.all([runTimer(id), runTimer(id)])
    expect(await messages(deviceId)).toEqual([
      expect.objectContaining({ type: 'TALK_START', payload: { seconds: 180 } }),
      expect.objectContaining({ type: 'TALK_STOP', payload: { commandId: expect.any(String) } }),
    ])
    expect(await get(id)).toMatchObject({ reason: '核实呼救', stoppedAt: expect.any(Number) })
    expect(await site.audited('device_command', id)).toEqual(['device:command:audio', 'device:command:audio'])
    expect((await close(id)).code).toBe(codes.commandAudioOver.code)
  })

  it('has its three minutes from the acceptance by the device, which a late or repeated reply does not lengthen', async () => {
    const sessionOf = async (deviceId: number) => {
      const id = await opened(deviceId)
      await markSent(deviceId)
      const { commandId } = (await get(id)) as unknown as { commandId: string }
      const answer = async (state: 'ACCEPTED' | 'SUCCEEDED') => {
        await applyCommandReply(site.site.db, deviceId, { commandId, state })
        return (await get(id)) as unknown as { acceptedAt: number; createdAt: number; stopAt: number }
      }
      return { id, answer }
    }
    const shift = (id: number, seconds: number) =>
      site.pool.query(
        `update device_command set created_at = created_at - $2 * interval '1 second',
           expires_at = expires_at - $2 * interval '1 second', stop_at = stop_at - $2 * interval '1 second'
         where id = $1`,
        [id, seconds],
      )
    const prompt = await sessionOf(await register())
    await shift(prompt.id, 20)
    const { acceptedAt, stopAt } = await prompt.answer('ACCEPTED')
    expect(stopAt - acceptedAt).toBe(180_000)
    const { rows } = await site.pool.query<{ due: number }>(
      'select extract(epoch from due_at)::float8 * 1000 as due from timer where kind = $1 and subject_id = $2',
      [AUDIO_TIMER, prompt.id],
    )
    expect(Math.abs((rows[0]?.due ?? 0) - stopAt)).toBeLessThan(10)
    expect((await prompt.answer('SUCCEEDED')).stopAt).toBe(stopAt)

    const late = await sessionOf(await register())
    await shift(late.id, 100)
    const bounded = await late.answer('ACCEPTED')
    expect(bounded.stopAt - bounded.createdAt).toBe((30 + 180) * 1000)
  })

  it('is stopped by a person before, and the timer then does nothing', async () => {
    const deviceId = await register()
    const id = await opened(deviceId)
    await markSent(deviceId)
    expect((await open(deviceId, { type: 'TALK_START' })).code).toBe(codes.commandAudioOpen.code)
    expect(await close(id)).toMatchObject({ code: 200 })
    expect(await timersOf(id)).toEqual([{ step: 'STOP', outcome: 'CANCELLED' }])
    await runTimer(id)
    expect((await messages(deviceId)).map(({ type, payload }) => [type, payload['on']])).toEqual([
      ['LISTEN', true],
      ['LISTEN', false],
    ])
    expect((await open(deviceId)).code).toBe(200)
  })

  it('never starts when it was stopped, refused or expired before, and leaves the device free', async () => {
    const deviceId = await register()
    const withdrawn = await opened(deviceId)
    expect(await close(withdrawn)).toMatchObject({ code: 200 })
    expect([(await get(withdrawn))['state'], await messages(deviceId)]).toEqual(['CANCELLED', []])
    // A connected device may have got the start at that moment, so it is told to stop.
    await site.pool.query(
      `insert into device_state (device_id, connectivity) values ($1, 'ONLINE')
       on conflict (device_id) do update set connectivity = 'ONLINE'`,
      [deviceId],
    )
    const crossed = await opened(deviceId)
    expect(await close(crossed)).toMatchObject({ code: 200 })
    expect((await messages(deviceId)).map(({ payload }) => payload['on'])).toEqual([false])
    const refused = await opened(deviceId)
    const { commandId } = (await get(refused)) as unknown as { commandId: string }
    await applyCommandReply(site.site.db, deviceId, { commandId, state: 'FAILED', result: { reason: 'BUSY' } })
    expect(await get(refused)).toMatchObject({ state: 'FAILED', stoppedAt: expect.any(Number) })
    const expired = await opened(deviceId)
    await site.pool.query(`update device_command set expires_at = now() - interval '1 second' where id = $1`, [expired])
    expect((await get(expired))['state']).toBe('EXPIRED')
    expect((await open(deviceId)).code).toBe(200)
    await runTimer(expired)
    expect((await get(expired))['state']).toBe('EXPIRED')
  })

  it('belongs to the open record of the device, and is listed there for users who see the record', async () => {
    const deviceId = await register()
    await opened(deviceId)
    const { rows } = await site.pool.query<{ id: number }>(
      `insert into warn_record (no, class, code, dedup_key, level, mode, dept_id, school_id, device_id, first_at, last_at)
       select 'AUDIO-REC-1', 'PANIC', 'PANIC', 'audio', 1, 'LIVE', dept_id, $2, id, now(), now() from device where id = $1 returning id`,
      [deviceId, site.schoolId],
    )
    const recordId = rows[0]?.id ?? 0
    await site.pool.query('update device_command set stopped_at = now() where device_id = $1', [deviceId])
    const id = await opened(deviceId, { reason: '听现场' })
    const listed = await site.call('GET', `${C}/record-list?recordId=${recordId}`)
    expect(listed.data).toEqual([expect.objectContaining({ id, reason: '听现场', requestedByName: '系统管理员' })])
    const stranger = await site.clerk('device:command:query')
    expect((await site.call('GET', `${C}/record-list?recordId=${recordId}`, undefined, stranger.token)).code).toBe(404)
  })
})
