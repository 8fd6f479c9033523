import { endpoints } from '@tocsin/contract/all'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unscoped } from '../../src/db/scope.ts'
import { startFullServer, PASSWORD, type FullServer } from '../full-server.ts'
import { spellingsOf } from './walk.ts'

/** Signing in and out, refreshing, unlocking: all that a read-only demo accepts beside reading. */
const taken = [
  'DELETE /api/v1/auth/logout',
  'POST /api/v1/auth/login',
  'POST /system/auth/login',
  'POST /system/auth/logout',
  'POST /system/auth/qr-confirm',
  'POST /system/auth/qr-scan',
  'POST /system/auth/qr-ticket',
  'POST /system/auth/refresh-token',
  'POST /system/auth/second-factor',
  'POST /system/auth/send-sms-code',
  'POST /system/auth/sms-login',
  'POST /system/auth/social-login',
  'POST /system/auth/unlock',
]

/** GET calls that send a message count as writes (wire 11.10). */
const sending = ['GET /api/v1/users/send-verification-code', 'GET /system/user/profile/send-verification-code']

const calls = endpoints.flatMap(spellingsOf)
const isTaken = ({ call, method }: (typeof calls)[number]) =>
  taken.includes(call) || (method === 'GET' && !sending.includes(call))

let site: FullServer
let token: string
beforeAll(async () => {
  site = await startFullServer({ demoReadonly: true })
  token = await site.session(site.admin)
})
afterAll(() => site.close())

const refused = { code: 901, msg: '演示模式，禁止写操作', data: null }
const answer = async (...given: Parameters<FullServer['call']>) => JSON.parse((await site.call(...given)).text)

describe('a read-only demo', () => {
  it('lists all that it accepts', () => {
    const names = calls.map(({ call }) => call)
    expect([...taken, ...sending].filter((call) => !names.includes(call))).toEqual([])
  })

  it.each(calls.filter((call) => !isTaken(call)))('rejects $call', async ({ method, address }) => {
    for (const sent of [{ token, payload: {} }, { token }, {}])
      expect(await answer(method, address, sent)).toMatchObject(refused)
  })

  it.each(calls.filter(isTaken))('still answers $call', async ({ method, address }) => {
    const { status, type, text } = await site.call(method, address, { token: await site.session(site.admin) })
    expect(status).toBeLessThan(500)
    if (type.startsWith('application/json')) expect(JSON.parse(text).code).not.toBe(901)
  })

  it('lets users sign in and out', async () => {
    const { data: picture } = await answer('GET', '/api/v1/auth/captcha')
    const payload = { username: 'admin', password: PASSWORD, captchaKey: picture.captchaKey, captchaCode: 'ABDEF' }
    const { code, data } = await answer('POST', '/api/v1/auth/login', { payload })
    expect(code).toBe(200)
    const own = { token: data.accessToken }
    expect((await answer('GET', '/system/auth/get-permission-info', own)).data.user.id).toBe(site.admin)
    expect((await answer('POST', `/system/auth/refresh-token?refreshToken=${data.refreshToken}`)).code).toBe(200)
    expect(await answer('POST', '/system/auth/logout', own)).toMatchObject({ code: 200, data: true })
  })

  it('marks nothing as read when it is opened', async () => {
    const all = unscoped(site.db, 'tests look at every row')
    const { id: deptId } = await all.selectFrom('dept').select('id').executeTakeFirstOrThrow()
    const { id } = await all
      .insertInto('notice')
      .values({ deptId, title: '演示', content: '<p>x</p>', type: '1', target: 'ALL', state: 'PUBLISHED' })
      .returning('id')
      .executeTakeFirstOrThrow()
    // A new session: the calls above have ended the first one by the limit of sessions.
    const own = { token: await site.session(site.admin) }
    const { code, data } = await answer('GET', `/api/v1/notices/${id}/detail`, own)
    expect([code, data.title]).toEqual([200, '演示'])
    expect(await all.selectFrom('noticeReceipt').selectAll().execute()).toEqual([])
  })

  it('rejects a write before any of it is read or done', async () => {
    const before = await site.db.selectFrom('dept').select('id').execute()
    const payload = { name: '新部门', parentId: before[0]?.id, sort: 1 }
    expect(await answer('POST', '/system/dept/create', { token, payload })).toMatchObject(refused)
    expect(await site.db.selectFrom('dept').select('id').execute()).toEqual(before)
  })
})
