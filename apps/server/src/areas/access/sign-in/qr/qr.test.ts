import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSignInFixture, password, type SignInFixture } from '../../../../../test/sign-in-fixture.ts'
import { deleteExpiredTickets } from './qr.ts'

let fixture: SignInFixture
let id: number
let phone: string

beforeAll(async () => {
  fixture = await openSignInFixture()
  ;({ id } = await fixture.person('wang'))
  phone = await fixture.tokenOf('wang', password)
})
afterAll(() => fixture.close())
beforeEach(() => fixture.forgetTries())

const show = async () => {
  const { code, data } = await fixture.call('POST', '/system/auth/qr-ticket', { ip: '198.51.100.20' })
  expect(code).toBe(200)
  return { ticket: String(data.ticket), verifier: String(data.verifier), expiresTime: Number(data.expiresTime) }
}
type Shown = { ticket: string; verifier: string }
const state = ({ ticket, verifier }: Shown, ip = '198.51.100.20') =>
  fixture.call('GET', `/system/auth/qr-state?ticket=${ticket}&verifier=${verifier}`, { ip })
const scan = ({ ticket }: Shown, token = phone) =>
  fixture.call('POST', '/system/auth/qr-scan', { token, body: { ticket } })
const confirm = ({ ticket }: Shown, token = phone) =>
  fixture.call('POST', '/system/auth/qr-confirm', { token, body: { ticket } })
const late = () => sql`update qr_ticket set expires_at = now() - interval '1 second'`.execute(fixture.db)
const gone = 1_002_000_040

describe('a QR code', () => {
  it('signs in the browser that shows it, once, after a signed-in user saw where it is and agreed', async () => {
    const shown = await show()
    expect((shown.expiresTime - Date.now()) / 1000).toBeGreaterThan(60)
    expect((await state(shown)).data).toEqual({ state: 'WAITING', signedIn: null })
    expect((await scan(shown)).data).toMatchObject({ ip: '198.51.100.20', userAgent: expect.any(String) })
    expect((await state(shown)).data).toEqual({ state: 'SCANNED', signedIn: null })
    expect((await confirm(shown)).code).toBe(200)
    const answer = await state(shown)
    expect(answer.data).toMatchObject({ state: 'USED', signedIn: { tokenType: 'Bearer', userId: id } })
    expect(answer.cookie).toMatch(/^browser=/)
    const { accessToken } = answer.data['signedIn'] as unknown as { accessToken: string }
    expect((await fixture.call('GET', '/profile/get', { token: accessToken })).data).toMatchObject({ username: 'wang' })
    expect((await state(shown)).data).toEqual({ state: 'USED', signedIn: null })
    expect((await fixture.logs()).at(-1)).toMatchObject({ type: 'LOGIN', method: 'QR', result: 'SUCCESS', userId: id })
    expect(await fixture.audits('users', id)).toContain('system:session:confirm-qr')
  })

  it('creates one session for a browser that polls many times at the same moment', async () => {
    const shown = await show()
    await scan(shown)
    await confirm(shown)
    const answers = await Promise.all(Array.from({ length: 8 }, () => state(shown)))
    expect(answers.filter(({ data }) => data['signedIn'] !== null)).toHaveLength(1)
  })

  it('answers nothing without the verifier', async () => {
    const shown = await show()
    const other = await show()
    expect((await state({ ticket: shown.ticket, verifier: other.verifier })).code).toBe(gone)
    await scan(shown)
    await confirm(shown)
    expect((await state({ ticket: shown.ticket, verifier: other.verifier })).code).toBe(gone)
  })

  it('is confirmed only by the user who scanned it', async () => {
    await fixture.person('li')
    const li = await fixture.tokenOf('li', password)
    const shown = await show()
    expect((await confirm(shown)).code).toBe(gone)
    await scan(shown)
    expect((await scan(shown, li)).code).toBe(gone)
    expect((await confirm(shown, li)).code).toBe(gone)
    expect((await scan(shown)).code).toBe(200)
    expect((await confirm(shown)).code).toBe(200)
    expect((await confirm(shown)).code).toBe(gone)
  })

  it('expires after two minutes at any step', async () => {
    const fresh = await show()
    await late()
    expect((await state(fresh)).data).toMatchObject({ state: 'EXPIRED' })
    expect((await scan(fresh)).code).toBe(gone)
    const scanned = await show()
    await scan(scanned)
    await late()
    expect((await confirm(scanned)).code).toBe(gone)
    const confirmed = await show()
    await scan(confirmed)
    await confirm(confirmed)
    await late()
    expect((await state(confirmed)).data).toMatchObject({ state: 'EXPIRED', signedIn: null })
  })

  it('rejects a user who was disabled meanwhile', async () => {
    const { id: userId } = await fixture.person('fired')
    const token = await fixture.tokenOf('fired', password)
    const shown = await show()
    await scan(shown, token)
    await confirm(shown, token)
    await sql`update users set enabled = false where id = ${userId}`.execute(fixture.db)
    expect((await state(shown)).code).toBe(1_002_000_001)
    expect((await fixture.logs()).at(-1)).toMatchObject({ method: 'QR', result: 'DISABLED' })
  })

  it('rejects a confirmation by a session that has ended since, whoever ended it', async () => {
    await fixture.person('robbed')
    const [stolen, own] = [await fixture.tokenOf('robbed', password), await fixture.tokenOf('robbed', password)]
    const agreed = async (token: string) => {
      const shown = await show()
      await scan(shown, token)
      expect((await confirm(shown, token)).code).toBe(200)
      return shown
    }
    const shown = await agreed(stolen)
    const body = { oldPassword: password, newPassword: 'Brook-field-77' }
    expect((await fixture.call('PUT', '/profile/update-password', { token: own, body })).code).toBe(200)
    expect(await state(shown)).toMatchObject({ code: gone, data: null })
    expect((await state(shown)).data).toEqual({ state: 'USED', signedIn: null })
    expect((await state(await agreed(own))).data).toMatchObject({ signedIn: { tokenType: 'Bearer' } })
    const left = await agreed(own)
    expect((await fixture.call('POST', '/system/auth/logout', { token: own })).code).toBe(200)
    expect((await state(left)).code).toBe(gone)
  })

  it('is stored as hashes', async () => {
    const shown = await show()
    const { rows } = await fixture.pool.query('select to_jsonb(t)::text as row from qr_ticket t')
    const text = rows.map(({ row }) => String(row)).join()
    expect(text).not.toContain(shown.ticket)
    expect(text).not.toContain(shown.verifier)
  })

  it('is rejected when disabled by the setting, without a session, and above the rate', async () => {
    const shown = await show()
    expect((await fixture.call('POST', '/system/auth/qr-scan', { body: { ticket: shown.ticket } })).code).toBe(401)
    expect(
      (await fixture.call('POST', '/system/auth/qr-scan', { token: phone, body: { ticket: 'x' } })).data,
    ).toMatchObject({ errors: [{ field: 'ticket' }] })
    await fixture.set('sign-in.qr', 'false')
    expect((await fixture.call('POST', '/system/auth/qr-ticket')).code).toBe(1_002_014_010)
    await fixture.set('sign-in.qr', 'true')
    const ask = async () => (await fixture.call('POST', '/system/auth/qr-ticket', { ip: '192.0.2.40' })).code
    const codes = []
    for (let at = 0; at < 40; at += 1) codes.push(await ask())
    expect(codes.at(-1)).toBe(429)
  })
})

it('deletes expired tickets', async () => {
  const shown = await show()
  const count = async () => (await fixture.db.selectFrom('qrTicket').select('state').execute()).length
  const before = await count()
  await deleteExpiredTickets(fixture.db)
  expect(await count()).toBe(before)
  await sql`update qr_ticket set expires_at = now() - interval '2 hours'`.execute(fixture.db)
  await deleteExpiredTickets(fixture.db)
  expect(await count()).toBe(0)
  expect(
    (await fixture.call('POST', '/system/auth/qr-scan', { token: phone, body: { ticket: shown.ticket } })).code,
  ).toBe(1_002_000_040)
})
