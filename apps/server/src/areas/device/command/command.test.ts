import { codes } from '@tocsin/contract/codes'
import { commandMachine } from '@tocsin/contract/device/command'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorFields } from '../../../../test/admin-server.ts'
import { type DeviceServer, makeModelDraft, startDeviceServer } from '../../../../test/device-server.ts'
import { applyCommandReply, type CommandReply } from './command-reply.ts'

let site: DeviceServer
let deviceId: number
beforeAll(async () => {
  site = await startDeviceServer()
  deviceId = (await site.register('CMD-0001')).id
})
afterAll(() => site.end())

const C = '/device/command'
const send = async (more: object = {}) => {
  const { data } = await site.call('POST', `${C}/create`, { deviceId, type: 'SELF_TEST', ...more })
  const id = data as unknown as number
  const row = await site.site.db
    .selectFrom('deviceCommand')
    .select('commandId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, commandId: row.commandId }
}
const stateOf = async (id: number) => String((await site.call('GET', `${C}/get?id=${id}`)).data['state'])
const reply = (commandId: string, state: CommandReply['state'], result = {}) =>
  applyCommandReply(site.site.db, deviceId, { commandId, state, result })
const markSent = (commandId: string) =>
  site.pool.query(`update device_outbox set sent_at = now() where key = $1`, [commandId])
const expire = async (commandId: string) => {
  await site.pool.query(`update device_command set expires_at = now() - interval '2 minutes' where command_id = $1`, [
    commandId,
  ])
  await site.pool.query(`update device_outbox set expires_at = now() - interval '2 minutes' where key = $1`, [
    commandId,
  ])
}

describe('a command to a device', () => {
  it('is queued for the gateway, and shows its progress until it is over', async () => {
    const { id, commandId } = await send({ type: 'LED', on: false })
    const [row] = await site.site.db.selectFrom('deviceOutbox').selectAll().where('key', '=', commandId).execute()
    expect(row).toMatchObject({ channel: 'cmd', payload: { commandId, type: 'LED', payload: { on: false } } })
    const seen = [await stateOf(id)]
    await markSent(commandId)
    seen.push(await stateOf(id))
    await site.site.db.deleteFrom('deviceOutbox').where('key', '=', commandId).execute()
    seen.push(await stateOf(id))
    await reply(commandId, 'ACCEPTED')
    seen.push(await stateOf(id))
    await reply(commandId, 'SUCCEEDED', { took: 3 })
    seen.push(await stateOf(id))
    expect(seen).toEqual(['CREATED', 'SENT', 'DELIVERED', 'ACCEPTED', 'SUCCEEDED'])
    for (const [from, to] of [seen.slice(0, 2), seen.slice(1, 3), seen.slice(2, 4), seen.slice(3)])
      expect(commandMachine[from as 'SENT']).toContain(to)
  })

  it('ignores replies that are repeated, late, or from another device', async () => {
    const { id, commandId } = await send()
    await reply(commandId, 'FAILED', { reason: 'BATTERY' })
    await reply(commandId, 'ACCEPTED')
    await reply(commandId, 'SUCCEEDED')
    await applyCommandReply(site.site.db, deviceId + 1, { commandId, state: 'SUCCEEDED' })
    expect((await site.call('GET', `${C}/get?id=${id}`)).data).toMatchObject({
      state: 'FAILED',
      result: { reason: 'BATTERY' },
    })
  })

  it('expires when it was never sent, and reports a missing reply when it was', async () => {
    const [never, sent, running] = [await send(), await send(), await send()]
    await markSent(sent.commandId)
    await reply(running.commandId, 'ACCEPTED')
    for (const { commandId } of [never, sent, running]) await expire(commandId)
    expect([await stateOf(never.id), await stateOf(sent.id), await stateOf(running.id)]).toEqual([
      'EXPIRED',
      'TIMEOUT',
      'TIMEOUT',
    ])
    await site.site.db.deleteFrom('deviceOutbox').execute()
    expect(await stateOf(never.id)).toBe('EXPIRED')
  })

  it('can be cancelled before it was sent, and not afterwards', async () => {
    const [waiting, gone] = [await send(), await send()]
    expect((await site.call('POST', `${C}/cancel`, { id: waiting.id })).code).toBe(200)
    expect((await site.call('GET', `${C}/get?id=${waiting.id}`)).data).toMatchObject({
      state: 'CANCELLED',
      sentAt: null,
      deliveredAt: null,
    })
    await markSent(gone.commandId)
    expect((await site.call('POST', `${C}/cancel`, { id: gone.id })).code).toBe(codes.commandOver.code)
  })

  it('must be supported by the model, with its payload, for a device that is not retired', async () => {
    const answer = (more: object) => site.call('POST', `${C}/create`, { deviceId, ...more })
    expect((await answer({ type: 'REBOOT' })).code).toBe(codes.commandUnknown.code)
    const speech = { PLAY_TTS: { type: 'object' }, SELF_TEST: { type: 'object' } }
    const draft = makeModelDraft({ productKey: 'speaker01', name: 'V1', commandSchema: speech })
    const { data: modelId } = await site.call('POST', '/device/model/create', draft)
    const made = await site.call('POST', '/device/device/create', { sn: 'CMD-0002', modelId })
    const speaker = { deviceId: Number(made.data['id']) }
    expect(errorFields(await answer({ ...speaker, type: 'PLAY_TTS' }))).toEqual(['text'])
    expect((await answer({ ...speaker, type: 'PLAY_TTS', text: '请到操场集合' })).code).toBe(200)
    await site.act('/device/device/retire', speaker.deviceId, { reason: '报废' })
    expect((await answer({ ...speaker, type: 'SELF_TEST' })).code).toBe(codes.commandRetired.code)
    expect((await site.call('GET', `${C}/list?deviceId=${speaker.deviceId}`)).data).toMatchObject([
      { type: 'PLAY_TTS', requestedByName: '系统管理员' },
    ])
  })
})
