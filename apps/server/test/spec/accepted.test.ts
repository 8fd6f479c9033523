import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSchool, makeUser } from '../../seed/fixtures.ts'
import { jobHandlers } from '../../src/areas/jobs.ts'
import type { SettingKey } from '../../src/settings/setting-definitions.ts'
import { storeSettingValue } from '../../src/settings/secret-setting.ts'
import { invalidateSettings } from '../../src/settings/settings-cache.ts'
import { decryptMessage } from '../../src/areas/access/outbound/queue.ts'
import { startJobConsumer } from '../../src/jobs/consume.ts'
import { quietLog } from '../quiet-log.ts'
import { startFullServer, PASSWORD, type FullServer } from '../full-server.ts'
import { specCalls } from './calls.ts'
import { familyCalls } from './family-calls.ts'
import { proofCalls, type Single, singleCalls } from './single-calls.ts'
import { withoutParamNames } from './walk.ts'

// Calls that the recorded requests of both APIs leave out: each is made here and accepted. calls.test.ts and
// rows.test.ts check that the same calls reject requests without a session or permission, with wrong fields, and for
// missing rows.

let site: FullServer
let token = ''
/** An import of the compatibility API responds when it is done. */
let worker: Awaited<ReturnType<typeof startJobConsumer>>
const kept: Record<string, unknown> = {}

beforeAll(async () => {
  site = await startFullServer({ audited: true })
  token = await site.session(site.admin)
  kept['school'] = (await makeSchool(site.db, {})).id
  worker = await startJobConsumer({ db: site.db, handlers: jobHandlers(), log: quietLog })
})
afterAll(async () => {
  await worker.stop()
  await site.close()
})

const filled = (text: string) =>
  text.replaceAll(/"?\{\{(\w+)\}\}"?/g, (whole, name: string) =>
    whole.startsWith('"') ? JSON.stringify(kept[name]) : encodeURIComponent(String(kept[name])),
  )

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGM4IaKLFTEMLQkACg5CQQtxM6EAAAAASUVORK5CYII=',
  'base64',
)
const files = {
  'sheet.csv': Buffer.from('登录名称,用户名称\r\nsingle.sheet,单\r\n'),
  'picture.png': PICTURE,
}

const formOf = ({ name, file, fields = {} }: NonNullable<Single['part']>) => {
  const plain = Object.entries(fields).map(
    ([field, value]) => `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const head = `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\n\r\n`
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    payload: Buffer.concat([Buffer.from(plain.join('') + head), files[file], Buffer.from('\r\n--b--\r\n')]),
  }
}

const make = async (call: string, { at, body, part }: Omit<Single, 'call' | 'keep'> = {}, as = token) => {
  const [method = '', path = ''] = call.split(' ')
  const sent = part ? formOf(part) : body ? { payload: JSON.parse(filled(JSON.stringify(body))) as object } : {}
  const { status, type, text } = await site.call(method, filled(at ?? path), { token: as, ...sent })
  if (!type.startsWith('application/json')) return { code: status, data: text.length > 0 }
  return JSON.parse(text) as { code: number; data: Record<string, unknown> }
}

describe('a call without a recorded request', () => {
  it.each(singleCalls)('$call $at is accepted', async ({ call, keep, ...given }) => {
    const answer = await make(call, given)
    expect(answer).toMatchObject({ code: 200 })
    const { data } = answer
    if (keep) kept[keep] = typeof data === 'object' ? data['url'] : data
  })
})

describe('a call with a proof of identity', () => {
  const mobile = '13900007777'
  /** Reads the verification code of the last message. */
  const lastCode = async () => {
    const { payload } = await site.db
      .selectFrom('outbound')
      .select('payload')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const message = payload && decryptMessage(site.keys.outbound, payload)
    return message?.channel === 'SMS' ? message.code : (/\d{6}/.exec(message?.text ?? '')?.[0] ?? '')
  }
  const again = () => site.db.deleteFrom('loginGuard').execute()
  const picture = async () => {
    const { data } = await make('GET /api/v1/auth/captcha')
    return { captchaKey: Object(data)['captchaKey'], captchaCode: 'ABDEF' }
  }
  const set = async (key: SettingKey, value: string) => {
    const stored = await storeSettingValue(site.db, site.keys.setting, key, value)
    await site.db.updateTable('config').set({ value: stored }).where('key', '=', key).execute()
    invalidateSettings()
  }
  beforeAll(async () => {
    await set('sms.provider', 'console')
    await set('mail.smtp-url', 'smtp://127.0.0.1:9')
    await set('mail.from', 'noreply@tocsin.test')
  })
  const person = async (username: string) => {
    const { id } = await makeUser(site.db, { username, password: PASSWORD })
    const session = await site.session(id)
    await sql`update session set proved_at = now() where user_id = ${id}`.execute(site.db)
    return session
  }
  const accepted = { code: 200 }

  it('binds a mobile number and an address, by both methods', async () => {
    const own = await person('proof.one')
    for (const [method, contact, contactType, call, field] of [
      ['GET', mobile, 'MOBILE', 'PUT /api/v1/users/mobile', 'mobile'],
      ['POST', 'proof@school.test', 'EMAIL', 'PUT /api/v1/users/email', 'email'],
    ] as const) {
      const path = '/api/v1/users/send-verification-code'
      const at = `${path}?contact=${encodeURIComponent(contact)}&contactType=${contactType}`
      expect(await make(`${method} ${path}`, { at }, own)).toMatchObject(accepted)
      expect(await make(call, { body: { [field]: contact, code: await lastCode() } }, own)).toMatchObject(accepted)
    }
  })

  it('signs in by a code, and registers', async () => {
    await again()
    const code = async (contact: string, scene: string) => {
      await again()
      const body = { contact, contactType: 'MOBILE', scene, ...(await picture()) }
      expect(await make('POST /system/auth/send-sms-code', { body })).toMatchObject(accepted)
      return lastCode()
    }
    const login = { mobile, code: await code(mobile, 'LOGIN') }
    expect(await make('POST /system/auth/sms-login', { body: login })).toMatchObject(accepted)
    await set('register.dept-code', 'EDU')
    await set('register.enabled', 'true')
    const fresh = '13900008888'
    const smsCode = await code(fresh, 'REGISTER')
    const body = { username: 'proof.new', password: PASSWORD, mobile: fresh, smsCode, agreed: true }
    expect(await make('POST /system/auth/register', { body })).toMatchObject(accepted)
  })

  it('changes a password, by both aliases', async () => {
    for (const call of ['PUT /profile/update-password', 'PUT /api/v1/users/password']) {
      const own = await person(call.includes('profile') ? 'proof.two' : 'proof.three')
      const body = { oldPassword: PASSWORD, newPassword: 'Other-brook-43' }
      expect(await make(call, { body }, own)).toMatchObject(accepted)
    }
  })
})

describe('the calls made here', () => {
  it('are in the lists, and all of them were accepted', () => {
    const listed = [...specCalls, ...familyCalls].map(({ call }) => call)
    const said = [...singleCalls.map(({ call }) => call), ...proofCalls]
    expect(said.filter((call) => !listed.includes(call))).toEqual([])
    const taken = new Set([...site.accepted].map(withoutParamNames))
    expect(said.filter((call) => !taken.has(withoutParamNames(call)))).toEqual([])
  })
})
