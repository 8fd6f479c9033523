import { endpoints } from '@tocsin/contract/all'
import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeUser } from '../../seed/fixtures.ts'
import { startFullServer, type FullServer } from '../full-server.ts'
import { spellingsOf } from './walk.ts'

// Issue 2: whoever must change his password is answered 1002000012 for every other call.

vi.setConfig({ testTimeout: 180_000 })

let site: FullServer
beforeAll(async () => {
  site = await startFullServer()
})
afterAll(() => site.close())

/** As whom nothing else stands in the way: he may do everything, once his password is his own. */
const someone = async () => {
  const { id } = await makeUser(site.db, { mustChangePassword: true, roles: ['super_admin'] })
  return site.session(id)
}

it('a session that must change its password is refused every call that is not open, and told why', async () => {
  const token = await someone()
  const answered: string[] = []
  for (const { call, method, address, endpoint } of endpoints.flatMap(spellingsOf)) {
    if (endpoint.permission === 'open') continue
    const { text } = await site.call(method, address, { token })
    const { code } = JSON.parse(text)
    if (code !== codes.mustChangePassword.code) answered.push(`${call} ${code}`)
  }
  // The change itself, in its spellings: nothing was sent, so fields are missing.
  expect(answered.toSorted()).toEqual([
    'PUT /api/v1/users/password 400',
    'PUT /profile/update-password 400',
    'PUT /system/user/profile/update-password 400',
  ])
})
