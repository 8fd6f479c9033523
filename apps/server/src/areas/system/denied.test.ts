import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeUser } from '../../../seed/make.ts'
import { openWholeSite, type WholeSite } from '../../../test/whole-site.ts'
import { everything } from '../../db/scope.ts'

let site: WholeSite
beforeAll(async () => {
  site = await openWholeSite({ denials: { perSecond: 0.001, atOnce: 4 } })
})
afterAll(() => site.close())

const call = async (userId: number, method: string, path: string, payload?: object) => {
  const token = await site.session(userId)
  return JSON.parse((await site.call(method, path, { token, ...(payload && { payload }) })).text).code
}
const noted = (userId: number) =>
  everything(site.db, 'test')
    .selectFrom('auditLog')
    .select(['action', 'result', 'after', 'subject', 'username', 'ip'])
    .where('userId', '=', userId)
    .where('result', '<>', 200)
    .orderBy('id')
    .execute()

it('a write without the permission is on record, a reading and a mistake are not', async () => {
  const { forbidden } = codes
  expect(await call(site.nobody, 'PUT', '/system/user/update-password', { id: 1, password: 'Brook-field-77' })).toBe(
    forbidden.code,
  )
  expect(await call(site.nobody, 'GET', '/system/user/page')).toBe(forbidden.code)
  expect(await call(site.nobody, 'PUT', '/system/user/profile/update', { nickname: '' })).toBe(400)
  expect(await noted(site.nobody)).toEqual([
    {
      action: 'system:user:update-password',
      result: forbidden.code,
      after: { call: '/system/user/update-password' },
      subject: null,
      username: 'nobody',
      ip: '127.0.0.1',
    },
  ])
})

it('a write beyond one’s own rights is on record with whom it was about, and without what it carried', async () => {
  const permission = 'system:user:update-password'
  const { id } = await makeUser(site.db, { username: 'helper' })
  const role = await site.db
    .insertInto('role')
    .values({ code: 'helper', name: 'helper', dataScope: 'ALL' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const menu = await site.db
    .selectFrom('menu')
    .select('id')
    .where('permission', '=', permission)
    .executeTakeFirstOrThrow()
  await site.db.insertInto('roleMenu').values({ roleId: role.id, menuId: menu.id }).execute()
  await site.db.insertInto('userRole').values({ userId: id, roleId: role.id }).execute()
  const body = { id: site.admin, password: 'Brook-field-77' }
  expect(await call(id, 'PUT', '/system/user/update-password', body)).toBe(codes.moreRights.code)
  const after = { call: '/system/user/update-password', id: site.admin }
  expect(await noted(id)).toMatchObject([{ action: permission, result: codes.moreRights.code, after }])
})

it('who tries on and on is refused each time, and noted a few times', async () => {
  const { id } = await makeUser(site.db, { username: 'restless' })
  for (let tried = 0; tried < 6; tried += 1) expect(await call(id, 'DELETE', '/system/role/delete?id=1')).toBe(403)
  expect(await noted(id)).toHaveLength(4)
})
