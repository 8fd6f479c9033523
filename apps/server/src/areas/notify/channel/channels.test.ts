import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSignInFixture, type SignInFixture } from '../../../../test/sign-in-fixture.ts'
import { channelDrivers } from './drivers.ts'
import type { OutgoingMessage } from './message.ts'

type Call = { url: URL; headers: IncomingMessage['headers']; body: string }
type Answer = { status?: number; body: unknown }

/** A provider on loopback that answers as configured. */
const openProvider = async () => {
  const calls: Call[] = []
  const state: { answer: (call: Call) => Answer } = { answer: () => ({ body: {} }) }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const call = { url: new URL(request.url ?? '', 'http://provider'), headers: request.headers, body }
      calls.push(call)
      const { status = 200, body: given } = state.answer(call)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(given))
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook?key=k`,
    calls,
    state,
    close: () => new Promise((end) => server.close(end)),
  }
}

let fixture: SignInFixture
let provider: Awaited<ReturnType<typeof openProvider>>
beforeAll(async () => {
  fixture = await openSignInFixture()
  provider = await openProvider()
})
afterAll(async () => {
  await provider.close()
  await fixture.close()
})
beforeEach(() => {
  provider.calls.length = 0
})

const message: OutgoingMessage = {
  id: 7,
  plannedAt: new Date('2026-11-25T06:00:00Z'),
  to: '13812345678',
  level: 1,
  title: '一级 紧急报警',
  body: '东湖第一小学 304 教室',
  subject: { type: 'RECORD', id: 3 },
}
const send = (channel: keyof typeof channelDrivers, given = message) =>
  channelDrivers[channel]({ db: fixture.db, settingKey: fixture.deps.keys.setting, log: () => undefined }, given)
const hmac = (key: string, given: string) => createHmac('sha256', key).update(given)
const content = `${message.title}\n${message.body}`

describe('channel drivers', () => {
  it('sends a text message by the template of alarms and keeps the provider id', async () => {
    provider.state.answer = () => ({ body: { Code: 'OK', BizId: 'biz-1' } })
    await fixture.set('sms.provider', 'aliyun')
    await fixture.set('sms.endpoint', new URL(provider.url).origin)
    await fixture.set('sms.template-alarm', 'SMS_9')
    expect(await send('SMS')).toEqual({ msgId: 'biz-1' })
    const query = provider.calls[0]?.url.searchParams
    expect(query?.get('TemplateCode')).toBe('SMS_9')
    expect(JSON.parse(query?.get('TemplateParam') ?? '')).toEqual({ title: message.title, body: message.body })
  })

  it('calls by Aliyun and by Tencent Cloud when voice is configured', async () => {
    await fixture.set('voice.endpoint', new URL(provider.url).origin)
    await fixture.set('voice.template', 'TTS_1')
    await fixture.set('voice.show-number', '4001112222')
    await fixture.set('voice.provider', 'aliyun')
    provider.state.answer = () => ({ body: { Code: 'OK', CallId: 'call-1' } })
    expect(await send('VOICE')).toEqual({ msgId: 'call-1' })
    expect(provider.calls[0]?.headers['x-acs-action']).toBe('SingleCallByTts')
    expect(Object.fromEntries(provider.calls[0]?.url.searchParams ?? [])).toMatchObject({
      CalledNumber: message.to,
      CalledShowNumber: '4001112222',
      TtsCode: 'TTS_1',
    })
    await fixture.set('voice.provider', 'tencent')
    await fixture.set('voice.app-id', '14000')
    provider.state.answer = () => ({ body: { Response: { SendStatus: { CallId: 'call-2' } } } })
    expect(await send('VOICE')).toEqual({ msgId: 'call-2' })
    expect(provider.calls[1]?.headers['x-tc-action']).toBe('SendTtsVoice')
    expect(JSON.parse(provider.calls[1]?.body ?? '')).toEqual({
      TemplateId: 'TTS_1',
      CalledNumber: '+8613812345678',
      VoiceSdkAppid: '14000',
      TemplateParamSet: [message.title, message.body],
    })
  })

  it('mails title and body', async () => {
    await fixture.openChannels()
    await send('EMAIL', { ...message, to: 'wang@school.test' })
    expect(fixture.mailbox.mails.map(({ to }) => to)).toEqual([['wang@school.test']])
  })

  it('posts a text to the WeCom robot', async () => {
    await fixture.set('notify.wecom-url', provider.url)
    provider.state.answer = () => ({ body: { errcode: 0, errmsg: 'ok' } })
    expect(await send('WECOM_ROBOT')).toEqual({ answer: 'WeCom 0' })
    expect(JSON.parse(provider.calls[0]?.body ?? '')).toEqual({ msgtype: 'text', text: { content } })
    expect(provider.calls[0]?.url.searchParams.get('key')).toBe('k')
  })

  it('signs time and secret for DingTalk', async () => {
    await fixture.set('notify.dingtalk-url', provider.url)
    await fixture.set('notify.dingtalk-secret', 'SEC1')
    provider.state.answer = () => ({ body: { errcode: 0 } })
    await send('DINGTALK')
    const { searchParams } = provider.calls[0]?.url ?? new URL('http://none')
    const timestamp = searchParams.get('timestamp') ?? ''
    expect(searchParams.get('sign')).toBe(hmac('SEC1', `${timestamp}\nSEC1`).digest('base64'))
  })

  it('signs an empty text with time and secret as the key for Feishu', async () => {
    await fixture.set('notify.feishu-url', provider.url)
    await fixture.set('notify.feishu-secret', 'fs1')
    provider.state.answer = () => ({ body: { code: 0 } })
    await send('FEISHU')
    const body = JSON.parse(provider.calls[0]?.body ?? '')
    expect(body).toMatchObject({ msg_type: 'text', content: { text: content } })
    expect(body.sign).toBe(hmac(`${body.timestamp}\nfs1`, '').digest('base64'))
  })

  it('signs the webhook and repeats the same idempotency key', async () => {
    await fixture.set('notify.webhook-url', provider.url)
    await fixture.set('notify.webhook-secret', 'wh1')
    provider.state.answer = () => ({ body: {} })
    await send('WEBHOOK')
    await send('WEBHOOK')
    for (const { headers, body } of provider.calls) {
      expect(headers['idempotency-key']).toBe('delivery-7')
      const signed = hmac('wh1', `${String(headers['x-tocsin-timestamp'])}.${body}`).digest('hex')
      expect(headers['x-tocsin-signature']).toBe(`sha256=${signed}`)
      expect(JSON.parse(body)).toMatchObject({ id: 7, level: 1, subject: { type: 'RECORD', id: 3 } })
    }
  })

  it.each([
    ['WECOM_ROBOT', { body: { errcode: 93000 } }, true],
    ['WECOM_ROBOT', { body: { errcode: 45009 } }, false],
    ['DINGTALK', { body: { errcode: 310000 } }, true],
    ['DINGTALK', { body: { errcode: 130101 } }, false],
    ['FEISHU', { body: { code: 19021 } }, true],
    ['FEISHU', { body: { code: 9499 } }, false],
    ['WEBHOOK', { status: 410, body: {} }, true],
    ['WEBHOOK', { status: 503, body: {} }, false],
  ] as const)('rejects by %s after %j, permanently: %s', async (channel, answer, permanent) => {
    provider.state.answer = () => answer
    const error = await send(channel).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(Error)
    expect((error as Error).constructor.name === 'PermanentDeliveryError').toBe(permanent)
  })
})
