import { endpoints } from '@tocsin/contract/all'
import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeUser } from '../../seed/fixtures.ts'
import { startFullServer, type FullServer } from '../full-server.ts'
import { spellingsOf } from './walk.ts'

// Issue 2: a user who must change the password is answered 1002000012 for every other call.

vi.setConfig({ testTimeout: 180_000 })

let site: FullServer
beforeAll(async () => {
  site = await startFullServer()
})
afterAll(() => site.close())

/** A user with all permissions, so that only the password change is missing. */
const someone = async () => {
  const { id } = await makeUser(site.db, { mustChangePassword: true, roles: ['super_admin'] })
  return site.session(id)
}

it('rejects every call that is not open with the reason while the password must be changed', async () => {
  const token = await someone()
  const answered: string[] = []
  for (const { call, method, address, endpoint } of endpoints.flatMap(spellingsOf)) {
    if (endpoint.permission === 'open') continue
    const { text } = await site.call(method, address, { token })
    const { code } = JSON.parse(text)
    if (code !== codes.mustChangePassword.code) answered.push(`${call} ${code}`)
  }
  // The change itself, in its aliases: nothing was sent, so fields are missing.
  expect(answered.toSorted()).toEqual([
    'PUT /api/v1/users/password 400',
    'PUT /profile/update-password 400',
    'PUT /system/user/profile/update-password 400',
  ])
})
