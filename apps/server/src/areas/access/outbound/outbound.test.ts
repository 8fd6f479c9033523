import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSignInFixture, type SignInFixture } from '../../../../test/sign-in-fixture.ts'
import { deliverDue, startOutbound } from './deliver.ts'
import { sendMail, sendSms } from './queue.ts'

let fixture: SignInFixture
beforeAll(async () => {
  fixture = await openSignInFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  await fixture.openChannels()
  await fixture.db.deleteFrom('outbound').execute()
  fixture.mailbox.mails.length = 0
  fixture.mailbox.state.refuse = undefined
  fixture.lines.length = 0
})

const mail = { to: 'wang@school.test', subject: '校园 notice', text: '您好 hello' }
const send = () => sendMail(fixture.db, fixture.deps.keys.outbound, mail)
const rows = () => fixture.db.selectFrom('outbound').selectAll().orderBy('id').execute()
const due = () => sql`update outbound set due_at = now(), lease_until = null`.execute(fixture.db)
const once = () => deliverDue({ db: fixture.db, keys: fixture.deps.keys, log: fixture.log })

describe('a mail', () => {
  it('is sent once, and its content is deleted from the database', async () => {
    await send()
    const [waiting] = await rows()
    expect(waiting?.state).toBe('PENDING')
    expect(waiting?.payload?.includes(Buffer.from(mail.to))).toBe(false)
    await fixture.deliver()
    await fixture.deliver()
    expect(fixture.mailbox.mails.map(({ to }) => to)).toEqual([[mail.to]])
    expect(fixture.mailbox.mails[0]?.raw).toContain('From: =?UTF-8?')
    expect(await rows()).toMatchObject([{ state: 'SENT', attempts: 1, payload: null, lastError: null }])
  })

  it('is not sent when its transaction is rolled back', async () => {
    const failing = fixture.db.transaction().execute(async (trx) => {
      await sendMail(trx, fixture.deps.keys.outbound, mail)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await fixture.deliver()
    expect(fixture.mailbox.mails).toEqual([])
  })

  it('is retried after a temporary failure, and neither log nor row contains the address', async () => {
    fixture.mailbox.state.refuse = 451
    await send()
    expect(await once()).toBe(1)
    expect(await once()).toBe(0)
    const [row] = await rows()
    expect(row).toMatchObject({ state: 'PENDING', attempts: 1 })
    expect(`${row?.lastError} ${fixture.lines.join()}`).not.toContain(mail.to)
    fixture.mailbox.state.refuse = undefined
    await due()
    await once()
    expect(await rows()).toMatchObject([{ state: 'SENT', attempts: 2 }])
    expect(fixture.mailbox.mails).toHaveLength(1)
  })

  it('fails after a permanent failure, or when it is too late', async () => {
    fixture.mailbox.state.refuse = 550
    await send()
    await once()
    expect(await rows()).toMatchObject([{ state: 'FAILED', attempts: 1, payload: null }])
    fixture.mailbox.state.refuse = undefined
    await send()
    await sql`update outbound set expires_at = now() - interval '1 second' where state = 'PENDING'`.execute(fixture.db)
    await once()
    expect(await rows()).toMatchObject([{ state: 'FAILED' }, { state: 'FAILED', lastError: 'too late' }])
    expect(fixture.mailbox.mails).toEqual([])
  })

  it('fails after six attempts at an unreachable server', async () => {
    await fixture.set('mail.smtp-url', 'smtp://127.0.0.1:9')
    await send()
    for (let at = 0; at < 8; at += 1) {
      await due()
      await once()
    }
    expect(await rows()).toMatchObject([{ state: 'FAILED', attempts: 6 }])
  })

  it('waits for the node that claimed it, and is taken over when that node died', async () => {
    await send()
    await sql`update outbound set lease_until = now() + interval '1 minute', attempts = 1`.execute(fixture.db)
    expect(await once()).toBe(0)
    await sql`update outbound set lease_until = now() - interval '1 second'`.execute(fixture.db)
    expect(await once()).toBe(1)
    expect(fixture.mailbox.mails).toHaveLength(1)
  })

  it('is sent once while the server runs, although two nodes send', async () => {
    const nodes = [1, 2].map(() => startOutbound({ db: fixture.db, keys: fixture.deps.keys, log: fixture.log }))
    await send()
    await expect.poll(() => fixture.mailbox.mails.length).toBe(1)
    await Promise.all(nodes.map(({ stop }) => stop()))
    expect(fixture.mailbox.mails).toHaveLength(1)
  })
})

type Seen = { request: IncomingMessage; body: string }

/** Starts a fake provider on loopback. */
const provider = async (answer: (seen: Seen) => { status?: number; body: unknown }) => {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { status = 200, body: given } = answer({ request, body })
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(given))
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((closed) => server.close(closed)) }
}

const secret = 'Sms-secret-of-a-test'
const sha256 = (given: string) => createHash('sha256').update(given).digest('hex')
const header = ({ request }: Seen, name: string) => String(request.headers[name] ?? '')
const signatureOf = (seen: Seen) =>
  /Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(header(seen, 'authorization')) ?? []

/** Computes the signature as the provider does, from the request that arrived. */
const fitsAliyun = (seen: Seen): boolean => {
  const [, id, names = '', signature] = signatureOf(seen)
  const [path, query] = (seen.request.url ?? '').split('?')
  const lines = names.split(';').map((name) => `${name}:${header(seen, name)}\n`)
  const canonical = [seen.request.method, path, query, lines.join(''), names, sha256(seen.body)].join('\n')
  const wanted = createHmac('sha256', secret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex')
  return id === 'key-1' && signature === wanted && header(seen, 'x-acs-content-sha256') === sha256(seen.body)
}

const fitsTencent = (seen: Seen): boolean => {
  const [, credential = '', names = '', signature] = signatureOf(seen)
  const [id, day = '', service = ''] = credential.split('/')
  const lines = names.split(';').map((name) => `${name}:${header(seen, name).toLowerCase()}\n`)
  const canonical = [seen.request.method, '/', '', lines.join(''), names, sha256(seen.body)].join('\n')
  const at = header(seen, 'x-tc-timestamp')
  const scope = `${day}/${service}/tc3_request`
  const hmac = (key: string | Buffer, given: string) => createHmac('sha256', key).update(given).digest()
  const key = hmac(hmac(hmac(`TC3${secret}`, day), service), 'tc3_request')
  const wanted = hmac(key, ['TC3-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')).toString('hex')
  return id === 'key-1' && signature === wanted && Math.abs(Date.now() / 1000 - Number(at)) < 60
}

const configure = async (name: string, url: string) => {
  await fixture.set('sms.provider', name)
  await fixture.set('sms.endpoint', url)
  await fixture.set('sms.access-key-id', 'key-1')
  await fixture.set('sms.access-key-secret', secret)
  await fixture.set('sms.sign-name', '校警联')
  await fixture.set('sms.template', 'SMS_1')
  await fixture.set('sms.app-id', '1400000001')
}
const text1 = () => sendSms(fixture.db, fixture.deps.keys.outbound, { to: '13812345678', code: '204060' })

describe('a text message', () => {
  it('by Alibaba Cloud carries number, template and code under a valid signature', async () => {
    const seen: Seen[] = []
    const aliyun = await provider((value) => {
      seen.push(value)
      return { body: { Code: fitsAliyun(value) ? 'OK' : 'SignatureDoesNotMatch' } }
    })
    await configure('aliyun', aliyun.url)
    await text1()
    await fixture.deliver()
    const query = new URL(seen[0]?.request.url ?? '', aliyun.url).searchParams
    expect(Object.fromEntries(query)).toEqual({
      PhoneNumbers: '13812345678',
      SignName: '校警联',
      TemplateCode: 'SMS_1',
      TemplateParam: '{"code":"204060"}',
    })
    expect(await rows()).toMatchObject([{ state: 'SENT' }])
    await aliyun.close()
  })

  it('uses the template of its kind', async () => {
    const seen: Seen[] = []
    const aliyun = await provider((value) => {
      seen.push(value)
      return { body: { Code: 'OK' } }
    })
    await configure('aliyun', aliyun.url)
    await fixture.set('sms.template-application', 'SMS_2')
    const sms = { to: '13812345678', code: '已通过', template: 'APPLICATION' } as const
    await sendSms(fixture.db, fixture.deps.keys.outbound, sms)
    await fixture.deliver()
    const query = new URL(seen[0]?.request.url ?? '', aliyun.url).searchParams
    expect(query.get('TemplateCode')).toBe('SMS_2')
    expect(query.get('TemplateParam')).toBe('{"code":"已通过"}')
    await aliyun.close()
  })

  it('by Tencent Cloud carries number, template and code under a valid signature', async () => {
    const seen: Seen[] = []
    const tencent = await provider((value) => {
      seen.push(value)
      const right = { SendStatusSet: [{ Code: 'Ok' }] }
      return { body: { Response: fitsTencent(value) ? right : { Error: { Code: 'AuthFailure.SignatureFailure' } } } }
    })
    await configure('tencent', tencent.url)
    await text1()
    await fixture.deliver()
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      PhoneNumberSet: ['+8613812345678'],
      SmsSdkAppId: '1400000001',
      SignName: '校警联',
      TemplateId: 'SMS_1',
      TemplateParamSet: ['204060'],
    })
    expect(seen[0] && header(seen[0], 'x-tc-region')).toBe('ap-guangzhou')
    expect(await rows()).toMatchObject([{ state: 'SENT' }])
    await tencent.close()
  })

  it.each([
    ['aliyun', { Code: 'SignatureDoesNotMatch' }, 'FAILED'],
    ['aliyun', { Code: 'isv.BUSINESS_LIMIT_CONTROL' }, 'PENDING'],
    ['tencent', { Response: { Error: { Code: 'AuthFailure' } } }, 'FAILED'],
    ['tencent', { Response: { SendStatusSet: [{ Code: 'LimitExceeded.PhoneNumberDailyLimit' }] } }, 'PENDING'],
  ])('of %s that answers %j is %s', async (name, body, state) => {
    const away = await provider(() => ({ body }))
    await configure(name, away.url)
    await text1()
    await once()
    expect(await rows()).toMatchObject([{ state, attempts: 1 }])
    expect(fixture.lines.join()).not.toMatch(/13812345678|204060/)
    await away.close()
  })

  it('is retried when the provider fails', async () => {
    const away = await provider(() => ({ status: 503, body: {} }))
    await configure('aliyun', away.url)
    await text1()
    await once()
    expect(await rows()).toMatchObject([{ state: 'PENDING', lastError: 'the provider answered 503' }])
    await away.close()
  })

  it('fails without a provider', async () => {
    await fixture.set('sms.provider', '')
    await text1()
    await once()
    expect(await rows()).toMatchObject([{ state: 'FAILED' }])
  })

  it('fails when another key sealed it', async () => {
    await sendSms(fixture.db, new Uint8Array(32), { to: '13812345678', code: '204060' })
    await once()
    expect(await rows()).toMatchObject([{ state: 'FAILED', lastError: 'sealed by another key' }])
  })
})
