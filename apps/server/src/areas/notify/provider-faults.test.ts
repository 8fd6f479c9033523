import type { DeliveryChannel } from '@tocsin/contract/notify/delivery'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openFaultyProvider, openRawServer } from '../../../test/faulty-provider.ts'
import { openSignInFixture, type SignInFixture } from '../../../test/sign-in-fixture.ts'
import type { Actor } from '#http/route'
import { cancelDeliveries, planDeliveries } from './plan.ts'
import { recordReceipt } from './receipt.ts'
import { deliverDueNotifications, startNotifySender } from './sender.ts'

const SMS = 'SendSms'
const VOICE = 'SingleCallByTts'
const accepted = { body: { Code: 'OK', BizId: 'sms', CallId: 'call', errcode: 0, code: 0 } }
const subject = { type: 'RECORD', id: 41 } as const

let fixture: SignInFixture
let provider: Awaited<ReturnType<typeof openFaultyProvider>>
let guard: { id: number }
beforeAll(async () => {
  fixture = await openSignInFixture()
  guard = await fixture.person('guard1', { mobile: '13811112222', email: 'guard@school.test' })
})
afterAll(() => fixture.close())
beforeEach(async () => {
  provider = await openFaultyProvider()
  await fixture.openChannels()
  for (const kind of ['sms', 'voice'] as const) {
    await fixture.set(`${kind}.provider`, 'aliyun')
    await fixture.set(`${kind}.endpoint`, provider.origin)
  }
  await fixture.set('sms.template-alarm', 'SMS_9')
  await fixture.set('voice.template', 'TTS_1')
  await fixture.set('notify.webhook-secret', 'wh1')
  for (const name of ['wecom', 'dingtalk', 'feishu', 'webhook'] as const)
    await fixture.set(`notify.${name}-url`, `${provider.origin}/${name}`)
  await fixture.all.deleteFrom('delivery').execute()
  return () => provider.close()
})

const deps = () => ({ db: fixture.db, settingKey: fixture.deps.keys.setting, log: fixture.log })
const reader = () => ({ userId: guard.id, depts: [], schools: [], permissions: new Set<string>() }) as unknown as Actor
const plan = (channels: readonly DeliveryChannel[], key = 'k') =>
  fixture.db.transaction().execute((trx) =>
    planDeliveries(trx, {
      subject,
      schoolId: null,
      deptId: null,
      level: 1,
      title: '一级 紧急报警',
      body: '304 教室',
      userIds: [guard.id],
      channels,
      key,
    }),
  )
const rows = () => fixture.all.selectFrom('delivery').selectAll().orderBy('id').execute()
const states = async () => (await rows()).map(({ channel, state, attempts }) => `${channel} ${state} ${attempts}`)
const makeDue = (channel?: DeliveryChannel) =>
  sql`update delivery set due_at = now()
      where ended_at is null and ${channel ? sql`channel = ${channel}` : sql`true`}`.execute(fixture.db)
const endLeases = () =>
  sql`update delivery set lease_until = now() - interval '1 second'
  where state = 'SENDING'`.execute(fixture.db)
const callsOf = (name: string) => provider.calls.filter((call) => call.name === name)
const waitForCalls = (name: string, count: number) => expect.poll(() => callsOf(name).length).toBe(count)

describe('a provider that hangs', () => {
  it('delays neither the next channel of the person nor other channels, even when its own channel is full', async () => {
    provider.state.answer = (name) => (name === SMS ? undefined : accepted)
    for (let n = 0; n < 10; n += 1) await plan(['SMS', 'VOICE'], `k${n}`)
    const [sms, voice] = await rows()
    expect(Math.round(((voice?.dueAt.getTime() ?? 0) - (sms?.dueAt.getTime() ?? 0)) / 1000)).toBe(10)
    const sender = startNotifySender(deps())
    await expect.poll(() => callsOf(SMS).length).toBeGreaterThanOrEqual(8)
    await makeDue('VOICE')
    await plan(['WEBHOOK'], 'other')
    const sent = async () => (await rows()).filter(({ state }) => state === 'SENT').map(({ channel }) => channel)
    await expect.poll(sent).toEqual([...Array.from({ length: 10 }, () => 'VOICE'), 'WEBHOOK'])
    provider.state.answer = () => accepted
    for (const call of callsOf(SMS)) call.answer(accepted)
    await expect.poll(async () => (await sent()).length).toBe(21)
    await sender.stop()
    expect(callsOf(SMS)).toHaveLength(10)
  })

  it('is given up at the limit of the sender, in every channel, and the next attempt has the same key', async () => {
    let releaseMail = () => {}
    fixture.mailbox.state.hold = new Promise((resolve) => {
      releaseMail = resolve
    })
    fixture.mailbox.mails.length = 0
    await plan(['SMS', 'VOICE', 'EMAIL', 'WECOM_ROBOT', 'DINGTALK', 'FEISHU', 'WEBHOOK'])
    await makeDue()
    expect(await deliverDueNotifications(deps())).toBe(7)
    const tried = await rows()
    expect(tried.map(({ state, attempts }) => [state, attempts])).toEqual(tried.map(() => ['QUEUED', 1]))
    expect(tried.every(({ providerAnswer, providerMsgId }) => providerAnswer !== null && providerMsgId === null)).toBe(
      true,
    )
    await Promise.all(provider.calls.map(({ closed }) => closed))

    // The late answers reach nobody.
    for (const call of provider.calls) call.answer({ status: 410, body: {} })
    releaseMail()
    provider.state.answer = () => accepted
    await makeDue()
    await deliverDueNotifications(deps())
    const again = await rows()
    expect(again.map(({ state, attempts }) => [state, attempts])).toEqual(again.map(() => ['SENT', 2]))
    const keys = callsOf('webhook').map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([`delivery-${again.at(-1)?.id}`, keys[0]])
    const messageIds = fixture.mailbox.mails.map(({ raw }) => /^message-id: *(\S+)/im.exec(raw)?.[1])
    expect(messageIds).toEqual([expect.stringContaining('delivery-'), messageIds[0]])
  })

  it('is given up although it keeps sending lines, so that no second node takes the mail over', async () => {
    const talking = await openRawServer((socket) => {
      socket.write('220 mail.test\r\n')
      const timer = setInterval(() => socket.write('250-please wait\r\n'), 200)
      socket.on('close', () => clearInterval(timer))
    })
    await fixture.set('mail.smtp-url', `smtp://127.0.0.1:${talking.port}`)
    await plan(['EMAIL'])
    await deliverDueNotifications(deps())
    const [row] = await rows()
    expect(row).toMatchObject({ state: 'QUEUED', attempts: 1 })
    await expect.poll(() => talking.sockets.size).toBe(0)
    await talking.close()
  })
})

describe('a provider that answers twice', () => {
  it('decides only the message that it was asked about', async () => {
    const answer = (code: number) => {
      const body = JSON.stringify({ errcode: code })
      return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    }
    const twice = await openRawServer((socket) => socket.on('data', () => socket.write(answer(0) + answer(93_000))))
    await fixture.set('notify.wecom-url', `http://127.0.0.1:${twice.port}/`)
    for (const key of ['a', 'b', 'c']) {
      await plan(['WECOM_ROBOT'], key)
      await deliverDueNotifications(deps())
    }
    expect(await states()).toEqual(['WECOM_ROBOT SENT 1', 'WECOM_ROBOT SENT 1', 'WECOM_ROBOT SENT 1'])
    await twice.close()
  })

  it('has the same effect as one receipt when the receipt arrives twice, at once or later', async () => {
    await plan(['INAPP', 'SMS'])
    const [shown] = await rows()
    const ids = [shown?.id ?? 0]
    await fixture.db.deleteFrom('event').execute()
    await Promise.all([1, 2, 3].map(() => recordReceipt(fixture.db, reader(), ids, 'read')))
    const first = await rows()
    expect(await states()).toEqual(['INAPP READ 1', 'SMS CANCELLED 0'])
    await recordReceipt(fixture.db, reader(), ids, 'deliver')
    await recordReceipt(fixture.db, reader(), ids, 'read')
    expect(await rows()).toEqual(first)
    const events = await fixture.db.selectFrom('event').select('type').execute()
    expect(events.map(({ type }) => type)).toEqual(['delivery.arrived'])
  })
})

describe('a node that dies while it sends', () => {
  it('leaves the message to a second node after the lease, and its late answer changes nothing', async () => {
    await plan(['SMS'])
    const dying = deliverDueNotifications(deps())
    await waitForCalls(SMS, 1)
    expect(await deliverDueNotifications(deps())).toBe(0)
    await endLeases()
    const second = deliverDueNotifications(deps())
    await waitForCalls(SMS, 2)
    callsOf(SMS)[1]?.answer({ body: { Code: 'OK', BizId: 'second' } })
    await second
    const [taken] = await rows()
    expect(taken).toMatchObject({ state: 'SENT', attempts: 2, providerMsgId: 'second' })
    callsOf(SMS)[0]?.answer({ body: { Code: 'isv.MOBILE_NUMBER_ILLEGAL' } })
    await dying
    expect(await rows()).toEqual([taken])
  })

  it('leaves nothing to send when the alarm was claimed meanwhile', async () => {
    await plan(['VOICE'])
    const dying = deliverDueNotifications(deps())
    await waitForCalls(VOICE, 1)
    await fixture.db.transaction().execute((trx) => cancelDeliveries(trx, subject, 'CLAIMED'))
    await endLeases()
    await deliverDueNotifications(deps())
    expect(await states()).toEqual(['VOICE FAILED 2'])
    callsOf(VOICE)[0]?.answer(accepted)
    await dying
    expect(await states()).toEqual(['VOICE FAILED 2'])
    expect(callsOf(VOICE)).toHaveLength(1)
  })
})

describe('a failed attempt', () => {
  it('is not repeated when the person read the message on the page meanwhile', async () => {
    await plan(['INAPP', 'SMS', 'VOICE'])
    await makeDue('SMS')
    const sending = deliverDueNotifications(deps())
    await waitForCalls(SMS, 1)
    const [shown] = await rows()
    await recordReceipt(fixture.db, reader(), [shown?.id ?? 0], 'read')
    callsOf(SMS)[0]?.answer({ status: 503, body: {} })
    await sending
    expect(await states()).toEqual(['INAPP READ 1', 'SMS FAILED 1', 'VOICE CANCELLED 0'])
  })
})
