import { codes } from '@tocsin/contract/codes'
import { configs } from '@tocsin/contract/settings/config'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdminServer, startAdminServer, pageIn, errorFields } from '../../../test/admin-server.ts'
import { testEntity } from '../../../test/entity.ts'
import { configurations } from './routes.ts'
import { invalidateSettings, getSetting } from '#settings/settings-cache'

let admin: AdminServer
let clerk: string
beforeAll(async () => {
  admin = await startAdminServer((db) => configurations.routes({ db, keys: { setting: new Uint8Array(32) } }))
  clerk = (await admin.clerk()).token
})
afterAll(() => admin.end())

let made = 0
const draft = (more: object = {}) => {
  made += 1
  return { category: 'test', name: `参数${made}`, key: `test.key-${made}`, value: 'v', visible: true, ...more }
}
const create = async (more: object = {}) => {
  const body = draft(more)
  return { ...body, id: Number((await admin.call('POST', '/infra/config/create', body)).data) }
}
const row = async (id: number) => (await admin.call('GET', `/infra/config/get?id=${id}`)).data
const update = (body: object) => admin.call('PUT', '/infra/config/update', body)
const valueOf = (key: string, token = clerk) =>
  admin.call('GET', `/infra/config/get-value-by-key?key=${key}`, undefined, token)
const builtIn = async (key: string) => {
  const { list } = pageIn(await admin.call('GET', `/infra/config/page?key=${key}`))
  return list[0] ?? {}
}

testEntity(() => admin, {
  of: configs,
  subject: 'config',
  event: 'config.changed',
  missing: codes.configMissing,
  draft: () => draft({ remark: '备注', valueType: 'STRING' }),
  change: { value: 'w', visible: false },
  wrong: { category: '', key: 'a b', builtIn: true },
})

describe('settings', () => {
  it('are reread at once by every change', async () => {
    const { id, key } = await create({ remark: '备注' })
    expect(await row(id)).toMatchObject({ id, key, value: 'v', valueType: 'STRING', type: 2, version: 1 })
    expect((await valueOf(key)).data).toBe('v')
    expect((await update({ id, version: 1, value: 'w', remark: null })).code).toBe(200)
    expect((await valueOf(key)).data).toBe('w')
    expect((await update({ id, value: null })).code).toBe(200)
    expect((await valueOf(key)).data).toBe('')
    expect((await admin.call('DELETE', `/infra/config/delete?id=${id}`)).code).toBe(200)
    expect((await valueOf(key)).data).toBeNull()
  })

  it('that control codes and external sign-in need the security permission', async () => {
    const { token } = await admin.clerk('infra:config:query', 'infra:config:update')
    const change = (id: unknown, value: string, as?: string) =>
      admin.call('PUT', '/infra/config/update', { id, value }, as)
    for (const [key, value] of [
      ['mail.smtp-url', 'smtp://thief.test:25'],
      ['sms.endpoint', 'https://thief.test/'],
      ['social.providers', '[{"key":"a","name":"A","issuer":"https://thief.test","clientId":"x"}]'],
    ] as const) {
      const { id, value: before } = await builtIn(key)
      expect((await change(id, value, token)).code).toBe(codes.configSecurity.code)
      expect((await builtIn(key)).value).toBe(before)
      expect((await change(id, value)).code).toBe(200)
      expect((await change(id, String(before))).code).toBe(200)
    }
    const title = await builtIn('site.title')
    expect((await change(title.id, String(title.value), token)).code).toBe(200)
  })

  it('are found by whether they are built in', async () => {
    const { id, key } = await create()
    const find = async (query: string) => pageIn(await admin.call('GET', `/infra/config/page?${query}`))
    expect(await find(`key=${key}&type=2`)).toMatchObject({ list: [{ id }], total: 1 })
    expect((await find(`key=${key}&type=1`)).total).toBe(0)
    expect((await find('key=site.demo&type=1')).total).toBe(1)
  })

  it('that are not visible are returned to no user by key', async () => {
    const { id, key } = await create({ visible: false })
    expect((await valueOf(key, admin.adminToken)).code).toBe(codes.configHidden.code)
    await update({ id, visible: true })
    expect((await valueOf(key)).data).toBe('v')
  })

  it('reject a duplicate key', async () => {
    const { key } = await create()
    expect((await admin.call('POST', '/infra/config/create', draft({ key }))).code).toBe(codes.configKey.code)
  })

  it.each([
    ['INT', 'ten', '10'],
    ['BOOLEAN', '1', 'true'],
    ['JSON', '{a}', '{"a":1}'],
    ['INT', null, '0'],
  ])('of type %s refuse %s', async (valueType, bad, good) => {
    expect(errorFields(await admin.call('POST', '/infra/config/create', draft({ valueType, value: bad })))).toEqual([
      'value',
    ])
    const { id } = await create({ valueType, value: good })
    expect(await row(id)).toMatchObject({ value: good })
    expect(errorFields(await update({ id, value: bad }))).toEqual(['value'])
  })
})

describe('built-in settings', () => {
  it('change their value but not their key or type, and cannot be deleted', async () => {
    const { id, type } = await builtIn('site.document-url')
    expect(type).toBe(1)
    expect((await update({ id, value: 'https://docs.example.org/' })).code).toBe(200)
    expect((await update({ id, key: 'site.other' })).code).toBe(codes.configBuiltInKey.code)
    expect((await update({ id, valueType: 'JSON', value: '1' })).code).toBe(codes.configBuiltInKey.code)
    expect((await admin.call('DELETE', `/infra/config/delete?id=${String(id)}`)).code).toBe(codes.configBuiltIn.code)
    expect(await getSetting(admin.site.db, 'site.document-url')).toBe('https://docs.example.org/')
  })

  it('keep logs for 180 days at least', async () => {
    const { id } = await builtIn('log.login-days')
    const answer = await update({ id, value: '179' })
    expect(answer.data).toMatchObject({ errors: [{ field: 'value', rule: 'tooSmall', bound: 180 }] })
    expect((await update({ id, value: '180' })).code).toBe(200)
    expect(await getSetting(admin.site.db, 'log.login-days')).toBe('180')
  })

  it('enable registration only when it can work, and name what is missing', async () => {
    const set = async (key: string, value: string | null) => update({ id: (await builtIn(key)).id, value })
    const isOn = async () => (await builtIn('register.enabled')).value
    const refused = { code: codes.configRegister.code, msg: codes.configRegister.zh }
    expect(await set('register.enabled', 'true')).toMatchObject(refused)
    expect(errorFields(await set('register.dept-code', 'NOWHERE'))).toEqual(['value'])
    expect((await set('register.dept-code', 'EDU')).code).toBe(200)
    // No channel yet to verify a contact.
    expect(await set('register.enabled', 'true')).toMatchObject(refused)
    expect(await isOn()).toBe('false')
    expect((await set('sms.provider', 'console')).code).toBe(200)
    expect((await set('register.enabled', 'true')).code).toBe(200)
    expect(await set('register.dept-code', null)).toMatchObject(refused)
    expect(errorFields(await set('register.dept-code', 'NOWHERE'))).toEqual(['value'])
    // Its requirements cannot be removed while registration is on.
    const on = { code: codes.configRegisterOn.code, msg: codes.configRegisterOn.zh }
    expect(await set('sms.provider', null)).toMatchObject(on)
    expect(errorFields(await set('mail.smtp-url', 'smtp:'))).toEqual(['value'])
    expect((await set('mail.smtp-url', 'smtp://mail.example.cn:25')).code).toBe(200)
    expect(await set('sms.provider', null)).toMatchObject(on)
    expect((await set('mail.from', 'a@example.cn')).code).toBe(200)
    expect((await set('sms.provider', null)).code).toBe(200)
    expect(await set('mail.smtp-url', null)).toMatchObject(on)
    expect(await set('mail.from', null)).toMatchObject(on)
    expect((await set('sms.provider', 'console')).code).toBe(200)
    expect((await set('mail.from', null)).code).toBe(200)
    expect((await set('mail.smtp-url', null)).code).toBe(200)
    expect(await isOn()).toBe('true')
    expect((await set('register.enabled', 'false')).code).toBe(200)
    expect((await set('register.dept-code', null)).code).toBe(200)
    const { remark, remarkEn } = await builtIn('register.enabled')
    expect([remark, remarkEn]).toEqual([
      expect.stringContaining('register.dept-code'),
      expect.stringContaining('register.dept-code'),
    ])
  })

  it('keep one of two channels when both are switched off concurrently during registration', async () => {
    const rows = {
      sms: await builtIn('sms.provider'),
      mail: await builtIn('mail.from'),
      on: await builtIn('register.enabled'),
    }
    const set = (key: string, value: string) => builtIn(key).then(({ id }) => update({ id, value }))
    for (const [key, value] of [
      ['register.dept-code', 'EDU'],
      ['sms.provider', 'console'],
      ['mail.smtp-url', 'smtp://mail.example.cn:25'],
      ['mail.from', 'a@example.cn'],
      ['register.enabled', 'true'],
    ] as const)
      expect((await set(key, value)).code).toBe(200)
    for (let n = 0; n < 10; n += 1) {
      const answers = await Promise.all([rows.sms, rows.mail].map(({ id }) => update({ id, value: null })))
      expect(answers.map(({ code }) => Number(code)).toSorted((a, b) => a - b)).toEqual([
        200,
        codes.configRegisterOn.code,
      ])
      await update({ id: rows.sms.id, value: 'console' })
      await update({ id: rows.mail.id, value: 'a@example.cn' })
    }
    expect((await update({ id: rows.on.id, value: 'false' })).code).toBe(200)
    for (const { id } of [rows.sms, rows.mail]) expect((await update({ id, value: null })).code).toBe(200)
  })

  it('link to web addresses and paths of this site only', async () => {
    const { id } = await builtIn('site.project-url')
    for (const value of ['javascript:alert(1)', '//elsewhere.example', '/\\\\elsewhere.example', 'document'])
      expect(errorFields(await update({ id, value }))).toEqual(['value'])
    expect((await valueOf('site.project-url')).data).toBe('/')
    expect((await update({ id, value: '/document' })).code).toBe(200)
    expect((await update({ id, value: null })).code).toBe(200)
  })
})

describe('the compatibility API', () => {
  it('finds, creates, returns, changes and deletes the same settings', async () => {
    const body = { configName: '另一种', configKey: 'other.key', configValue: '1' }
    const { data } = await admin.call('POST', '/api/v1/config', body)
    const id = Number(data)
    const form = { id, ...body, remark: null }
    expect((await admin.call('GET', `/api/v1/config/${id}/form`)).data).toEqual(form)
    const page = await admin.call('GET', '/api/v1/config/page?pageNum=1&keywords=OTHER.K')
    expect(page.data).toEqual({ list: [form], total: 1 })
    expect((await admin.call('PUT', `/api/v1/config/${id}`, { id, configValue: '2' })).code).toBe(200)
    expect((await valueOf('other.key')).data).toBe('2')
    expect((await admin.call('DELETE', `/api/v1/config/${id}`)).code).toBe(200)
    expect((await admin.call('GET', `/api/v1/config/${id}/form`)).code).toBe(codes.configMissing.code)
  })
})

describe('cached values', () => {
  it('are reread after a refresh, or when another node reports a change', async () => {
    const { key } = await create()
    await valueOf(key)
    const behind = (value: string) =>
      admin.site.db.updateTable('config').set({ value }).where('key', '=', key).execute()
    await behind('changed elsewhere')
    expect((await valueOf(key)).data).toBe('v')
    expect((await admin.call('POST', '/infra/config/refresh')).code).toBe(200)
    expect((await valueOf(key)).data).toBe('changed elsewhere')
    await behind('once more')
    invalidateSettings()
    expect((await valueOf(key)).data).toBe('once more')
  })
})

describe('permissions', () => {
  it.each([
    ['GET', '/api/v1/config/page'],
    ['POST', '/api/v1/config'],
  ] as const)('%s %s is refused without its permission', async (method, path) => {
    expect((await admin.call(method, path, undefined, clerk)).code).toBe(403)
  })
})
