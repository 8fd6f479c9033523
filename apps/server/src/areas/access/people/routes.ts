import type { Endpoint } from '@tocsin/contract/endpoint'
import { usersV1 } from '@tocsin/contract/compat/user'
import { permissions } from '@tocsin/contract/access/rights/permission'
import { merchantUsers, users } from '@tocsin/contract/access/user'
import type { Db } from '#db/db'
import { type Route, route, type Caller } from '#http/route'
import { permissionInfo } from '../sign-in/permission-info.ts'
import { exportRoutes } from '#areas/audit/export-routes'
import { deleteUsers, resetPassword, updateStatus } from './account.ts'
import { createUser, updateUser } from './change.ts'
import { userExport } from './export.ts'
import { createMerchant, merchantExport, merchantPage } from './merchant.ts'
import { getUser, userOptions, userPage } from './read.ts'
import { auditAccountReads } from './account-reads.ts'
import { assignUserRoles, listUserRoles } from './roles.ts'
import { withDisclosureQuota } from './contact-disclosure.ts'
import { userRoutesV1 } from './compat.ts'

type Look = { of: Endpoint; filter: Record<string, unknown>; rows: readonly { id: number }[] }

const looked = (db: Db, caller: Caller, { of, filter, rows }: Look) =>
  auditAccountReads(db, caller, { action: of.permission, call: of.path, filter, ids: rows.map(({ id }) => id) })

export const userRoutes = ({ db }: { db: Db }): Route[] => [
  route(users.page, async ({ query, actor, caller }) => {
    const page = await userPage(db, query, actor)
    await looked(db, caller, { of: users.page, filter: query, rows: page.list })
    return page
  }),
  route(users.get, async ({ query, actor, caller }) => {
    const user = await getUser(db, query.id, actor)
    await looked(db, caller, { of: users.get, filter: query, rows: [user] })
    return user
  }),
  route(users.simpleList, ({ query, actor }) => userOptions(db, query, actor)),
  route(users.create, ({ body, caller }) => {
    return withDisclosureQuota(db, { who: caller, call: users.create.path, contacts: body }, () =>
      createUser(db, body, caller),
    )
  }),
  route(users.update, ({ body, caller }) => {
    return withDisclosureQuota(db, { who: caller, call: users.update.path, contacts: body }, () =>
      updateUser(db, body, caller),
    )
  }),
  route(users.updatePassword, ({ body, caller }) => resetPassword(db, body, caller)),
  route(users.updateStatus, ({ body, caller }) => updateStatus(db, body, caller)),
  route(users.deleteList, ({ query, caller }) => deleteUsers(db, query.ids, caller)),
  route(users.delete, ({ query, caller }) => deleteUsers(db, [query.id], caller)),
  ...exportRoutes(db, userExport),
  route(permissions.listUserRoles, ({ query, actor }) => listUserRoles(db, query.userId, actor)),
  route(permissions.assignUserRole, ({ body, caller }) => assignUserRoles(db, body, caller)),
  route(merchantUsers.page, async ({ query, actor, caller }) => {
    const page = await merchantPage(db, query, actor)
    await looked(db, caller, { of: merchantUsers.page, filter: query, rows: page.list })
    return page
  }),
  route(merchantUsers.create, ({ body, caller }) => {
    return withDisclosureQuota(db, { who: caller, call: merchantUsers.create.path, contacts: body }, () =>
      createMerchant(db, body, caller),
    )
  }),
  ...exportRoutes(db, merchantExport),
  route(usersV1.me, async ({ actor }) => {
    const { user, roles, permissions: perms } = await permissionInfo(db, actor)
    return { userId: user.id, username: user.username, nickname: user.nickname, avatar: user.avatar, roles, perms }
  }),
  route(usersV1.options, async ({ actor }) =>
    (await userOptions(db, {}, actor)).map(({ id, nickname }) => ({ value: String(id), label: nickname })),
  ),
  ...userRoutesV1({ db }),
]
