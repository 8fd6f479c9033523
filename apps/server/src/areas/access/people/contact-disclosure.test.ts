import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { openJobFixture, type JobFixture, workbook } from '../../../../test/job-fixture.ts'
import { unscoped } from '#db/scope'

let fixture: JobFixture
/** Mobile numbers of people in the west; the user `local` of the east cannot see them. */
const numbers = Array.from({ length: 14 }, (_, at) => `138000056${String(at).padStart(2, '0')}`)
let ids: number[]

beforeAll(async () => {
  fixture = await openJobFixture()
  ids = []
  for (const [at, mobile] of numbers.entries())
    ids.push((await makeUser(fixture.db, { username: `west.${at}`, mobile, deptId: fixture.west.id })).id)
})
afterAll(() => fixture.close())
beforeEach(() => fixture.db.deleteFrom('loginGuard').execute())

const all = () => unscoped(fixture.db, 'test')
/** A spreadsheet of new people with these mobile numbers. */
const sheet = (mobiles: readonly string[], prefix: string) =>
  workbook(mobiles.map((mobile, at) => [`${prefix}.${at}`, '甲', null, null, mobile]))
const badOf = async (id: number, as: 'local' | 'admin') => {
  const { data } = await fixture.get(`/system/user/import-rows?id=${id}&onlyBad=true&pageSize=100`, as)
  return (data as unknown as { list: { line: number }[] }).list.map(({ line }) => line)
}
/** The disclosures of this user by the audit, oldest first. */
const readings = async (username: string) =>
  (
    await all()
      .selectFrom('auditLog')
      .select('after')
      .where('action', '=', 'system:user:reveal')
      .where('username', '=', username)
      .orderBy('id')
      .execute()
  ).map(({ after }) => after as { call: string; ids: number[] })
const toldSince = async (before: number) => (await readings('local')).slice(before).flatMap((row) => row.ids)

describe('a reader of masks gets a limited number of disclosures', () => {
  it('by a check, audits each, and then compares nothing and says so', async () => {
    const before = (await readings('local')).length
    const first = await fixture.check(await sheet(numbers, 'guess'), '', 'local')
    expect(first.counts).toEqual({ create: 4, update: 0, same: 0, bad: 10, untold: 1 })
    expect(await badOf(first.id, 'local')).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect((await toldSince(before)).toSorted((a, b) => a - b)).toEqual(ids.slice(0, 10))
    const guesses = Array.from({ length: 100 }, (_, at) => `138000056${String(at).padStart(2, '0')}`)
    const second = await fixture.check(await sheet(guesses, 'again'), '', 'local')
    const none = await fixture.check(await sheet(['13911119999'], 'none'), '', 'local')
    expect([second.counts, none.counts]).toMatchObject([
      { create: 100, bad: 0, untold: 1 },
      { create: 1, bad: 0, untold: 1 },
    ])
    for (const { id } of [second, none])
      expect(await fixture.post('/system/user/import-commit', { id, onlyGood: false }, 'local')).toMatchObject({
        code: codes.importUntold.code,
      })
  })

  it('does not limit a sheet without contacts, or of a reader of unmasked contacts', async () => {
    await fixture.check(await sheet(numbers, 'guess'), '', 'local')
    const plain = await fixture.check(await workbook([['plain.one', '甲']]), '', 'local')
    expect(plain.counts).toEqual({ create: 1, update: 0, same: 0, bad: 0 })
    const admin = await fixture.check(await sheet(numbers, 'guess'))
    expect(admin.counts).toEqual({ create: 0, update: 0, same: 0, bad: 14 })
  })

  it('by writing the good lines: taken contacts are left out, reported and audited', async () => {
    await fixture.check(await sheet(numbers, 'guess'), '', 'local')
    const before = (await readings('local')).length
    const { id } = await fixture.check(await sheet(['13911118888', numbers[12] ?? ''], 'honest'), '', 'local')
    await fixture.post('/system/user/import-commit', { id, onlyGood: true }, 'local')
    expect((await fixture.until(id, 'DONE', 'local')).counts).toMatchObject({ created: 1, bad: 1 })
    expect(await badOf(id, 'local')).toEqual([3])
    expect(await toldSince(before)).toEqual([ids[12]])
  })

  it('does not disclose whether the reader guessed a masked number', async () => {
    const mobile = '13700004321'
    await makeUser(fixture.db, { username: 'east.one', nickname: '甲', mobile, deptId: fixture.east.id })
    const verdict = async (guess: string) => {
      const file = await workbook([['east.one', '甲', null, null, guess]])
      return (await fixture.check(file, 'updateSupport=true', 'local')).counts
    }
    expect(await verdict(mobile)).toEqual(await verdict('13700014321'))
    expect(await verdict('137****4321')).toMatchObject({ same: 1 })
  })

  it('counts concurrent calls against the limit', async () => {
    const before = (await readings('local')).length
    const give = (mobile: string) =>
      fixture.post(
        '/system/user/create',
        { username: `at.once`, nickname: '甲', mobile, password: 'Brook-field-77' },
        'local',
      )
    await Promise.all([...numbers, ...numbers].map(give))
    expect((await toldSince(before)).length).toBeLessThanOrEqual(10)
  })

  it('counts changes by a sheet like changes by the form', async () => {
    const user = await makeUser(fixture.db, { username: 'east.changed', nickname: '甲', deptId: fixture.east.id })
    await fixture.check(await sheet(numbers, 'guess'), '', 'local')
    const before = (await readings('local')).length
    const changed = await workbook([['east.changed', '乙', null, null, numbers[13] ?? '']])
    const { id } = await fixture.check(changed, 'updateSupport=true', 'local')
    await fixture.post('/system/user/import-commit', { id, onlyGood: true }, 'local')
    await fixture.until(id, 'DONE', 'local')
    const { data } = await fixture.get(`/system/user/import-rows?id=${id}&onlyBad=true`, 'local')
    expect(JSON.stringify(data)).toContain(codes.contactsUntold.zh)
    expect(await toldSince(before)).toEqual([])
    const left = await all().selectFrom('users').select('nickname').where('id', '=', user.id).executeTakeFirst()
    expect(left).toEqual({ nickname: '甲' })
  })

  it('by a form audits each, and then rejects every contact of that day', async () => {
    const before = (await readings('local')).length
    const give = (mobile: string, at: number) =>
      fixture.post(
        '/system/user/create',
        { username: `form.${at}`, nickname: '甲', mobile, password: 'Brook-field-77', roleIds: [999_999] },
        'local',
      )
    for (const [at, mobile] of numbers.slice(0, 10).entries())
      expect((await give(mobile, at)).code).toBe(codes.mobileExists.code)
    expect(await toldSince(before)).toEqual(ids.slice(0, 10))
    for (const mobile of [numbers[10] ?? '', '13911117777'])
      expect((await give(mobile, 20)).code).toBe(codes.contactsUntold.code)
    const { id } = fixture.local
    expect((await fixture.put('/system/user/update', { id, mobile: numbers[11] }, 'local')).code).toBe(
      codes.contactsUntold.code,
    )
    expect((await fixture.put('/system/user/update', { id, remark: '无' }, 'local')).code).toBe(200)
    expect(
      (
        await fixture.post('/system/user/create', {
          username: 'admins',
          nickname: '甲',
          mobile: numbers[0],
          password: 'Brook-field-77',
        })
      ).code,
    ).toBe(codes.mobileExists.code)
  })

  it('by the own profile, which needs no permission', async () => {
    const before = (await readings('local')).length
    const own = (mobile: string) => fixture.put('/profile/update', { mobile }, 'local')
    for (const mobile of numbers.slice(0, 9)) expect((await own(mobile)).code).toBe(codes.mobileExists.code)
    const v1 = await fixture.put('/api/v1/users/profile', { mobile: numbers[9] }, 'local')
    expect(v1.code).toBe(codes.mobileExists.code)
    expect(await toldSince(before)).toEqual(ids.slice(0, 10))
    for (const mobile of [numbers[10] ?? '', '13911116666'])
      expect((await own(mobile)).code).toBe(codes.contactsUntold.code)
    // Sending back the own values discloses nothing, so it does not count against the limit.
    const { data } = await fixture.get('/profile/get', 'local')
    const { nickname, mobile, email } = data as Record<string, string | null>
    expect((await fixture.put('/profile/update', { nickname, mobile, email }, 'local')).code).toBe(200)
  })
})
