import { menusV1 } from '@tocsin/contract/compat/menu'
import { usersV1 } from '@tocsin/contract/compat/user'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { depts } from '@tocsin/contract/access/dept'
import { menus } from '@tocsin/contract/access/rights/menu'
import { permissions } from '@tocsin/contract/access/rights/permission'
import { profile } from '@tocsin/contract/access/profile'
import { roles } from '@tocsin/contract/access/rights/role'
import { merchantUsers, users } from '@tocsin/contract/access/user'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../test/admin-fixture.ts'
import { emitEvents } from '#db/event'
import { runEdit } from '#areas/audit/edit-transaction'
import { userImportRoutes } from './user-import/routes.ts'

let fixture: AdminFixture
let nobody: string

beforeAll(async () => {
  fixture = await openAdminFixture((db) => userImportRoutes({ db }))
  await makeUser(fixture.db, { username: 'nobody', password, deptId: fixture.east.id })
  nobody = await fixture.tokenOf('nobody', password)
})
afterAll(() => fixture.close())

const sets = [users, merchantUsers, profile, permissions, roles, menus, depts, usersV1, menusV1]
const calls = sets
  .flatMap((set): Endpoint[] => Object.values(set))
  .flatMap((e) =>
    [{ path: e.path }, ...(e.also ?? [])].map(({ path }) => ({
      method: e.method as 'GET' | 'POST' | 'PUT' | 'DELETE',
      path: path.replace(':id', '1'),
      permission: e.permission,
    })),
  )
const guarded = calls.filter(({ permission }) => permission !== 'token')

describe('a call of the administration', () => {
  it.each(guarded)('$method $path rejects a caller without $permission', async ({ method, path }) => {
    expect(await fixture.call(method, path, { token: nobody })).toMatchObject({ code: 403, msg: '没有该操作权限' })
  })

  it.each(calls)('$method $path rejects a caller without a session', async ({ method, path }) => {
    expect(await fixture.call(method, path)).toMatchObject({ code: 401, msg: '账号未登录' })
  })
})

describe('an edit that the database ended as a deadlock', () => {
  const ended = sql`do $$ begin raise exception using errcode = '40P01'; end $$`

  it('is retried and leaves nothing of the first attempt', async () => {
    let tries = 0
    const made = await runEdit(fixture.db, 'all', async (trx) => {
      tries += 1
      await emitEvents(trx, { type: 'dict.changed', ref: tries })
      if (tries === 1) await ended.execute(trx)
      return tries
    })
    expect(made).toBe(2)
    expect((await fixture.told()).filter(({ type }) => type === 'dict.changed')).toMatchObject([{ ref: 2 }])
  })

  it('fails after five attempts', async () => {
    let tries = 0
    const work = runEdit(fixture.db, 'all', async (trx) => {
      tries += 1
      await ended.execute(trx)
    })
    await expect(work).rejects.toMatchObject({ code: '40P01' })
    expect(tries).toBe(5)
  })
})
