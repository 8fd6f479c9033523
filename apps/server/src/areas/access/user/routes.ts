import type { Endpoint } from '@tocsin/contract/endpoint'
import { usersV1 } from '@tocsin/contract/compat/user'
import { permissions } from '@tocsin/contract/access/rights/permission'
import { merchantUsers, users } from '@tocsin/contract/access/user'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { permissionInfo } from '../sign-in/permission-info.ts'
import type { Caller } from '#areas/audit/edit-transaction'
import { exportRoutes } from '#areas/audit/export-routes'
import { deleteUsers, resetPassword, updateStatus } from './account.ts'
import { createUser, updateUser } from './change.ts'
import { userExport } from './export.ts'
import { createMerchant, merchantExport, merchantPage } from './merchant.ts'
import { getUser, userOptions, userPage } from './read.ts'
import { auditAccountReads } from './account-reads.ts'
import { assignUserRoles, listUserRoles } from './roles.ts'
import { withDisclosureQuota } from './contact-disclosure.ts'
import { userRoutesV1 } from './v1.ts'

type Look = { of: Endpoint; filter: Record<string, unknown>; rows: readonly { id: number }[] }

const looked = (db: Db, who: Caller, { of, filter, rows }: Look) =>
  auditAccountReads(db, who, { action: of.permission, call: of.path, filter, ids: rows.map(({ id }) => id) })

export const userRoutes = ({ db }: { db: Db }): Route[] => [
  route(users.page, async ({ query, actor, origin }) => {
    const page = await userPage(db, query, actor)
    await looked(db, { actor, origin }, { of: users.page, filter: query, rows: page.list })
    return page
  }),
  route(users.get, async ({ query, actor, origin }) => {
    const user = await getUser(db, query.id, actor)
    await looked(db, { actor, origin }, { of: users.get, filter: query, rows: [user] })
    return user
  }),
  route(users.simpleList, ({ query, actor }) => userOptions(db, query, actor)),
  route(users.create, ({ body, actor, origin }) => {
    const who = { actor, origin }
    return withDisclosureQuota(db, { who, call: users.create.path, contacts: body }, () => createUser(db, body, who))
  }),
  route(users.update, ({ body, actor, origin }) => {
    const who = { actor, origin }
    return withDisclosureQuota(db, { who, call: users.update.path, contacts: body }, () => updateUser(db, body, who))
  }),
  route(users.updatePassword, ({ body, actor, origin }) => resetPassword(db, body, { actor, origin })),
  route(users.updateStatus, ({ body, actor, origin }) => updateStatus(db, body, { actor, origin })),
  route(users.deleteList, ({ query, actor, origin }) => deleteUsers(db, query.ids, { actor, origin })),
  route(users.delete, ({ query, actor, origin }) => deleteUsers(db, [query.id], { actor, origin })),
  ...exportRoutes(db, userExport),
  route(permissions.listUserRoles, ({ query, actor }) => listUserRoles(db, query.userId, actor)),
  route(permissions.assignUserRole, ({ body, actor, origin }) => assignUserRoles(db, body, { actor, origin })),
  route(merchantUsers.page, async ({ query, actor, origin }) => {
    const page = await merchantPage(db, query, actor)
    await looked(db, { actor, origin }, { of: merchantUsers.page, filter: query, rows: page.list })
    return page
  }),
  route(merchantUsers.create, ({ body, actor, origin }) => {
    const who = { actor, origin }
    return withDisclosureQuota(db, { who, call: merchantUsers.create.path, contacts: body }, () =>
      createMerchant(db, body, who),
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
