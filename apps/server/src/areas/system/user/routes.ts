import { usersV1 } from '@tocsin/contract/compat/user'
import { permissions } from '@tocsin/contract/system/permission'
import { merchantUsers, users } from '@tocsin/contract/system/user'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { permissionInfo } from '../auth/permission-info.ts'
import { deleteUser, resetPassword, updateStatus } from './account.ts'
import { createUser, updateUser } from './change.ts'
import { createMerchant, exportMerchants, merchantPage } from './merchant.ts'
import { getUser, userOptions, userPage } from './read.ts'
import { assignUserRoles, listUserRoles } from './roles.ts'

export const userRoutes = ({ db }: { db: Db }): Route[] => [
  route(users.page, ({ query, actor }) => userPage(db, query, actor)),
  route(users.get, ({ query, actor }) => getUser(db, query.id, actor)),
  route(users.simpleList, ({ actor }) => userOptions(db, actor)),
  route(users.create, ({ body, actor, origin }) => createUser(db, body, { actor, origin })),
  route(users.update, ({ body, actor, origin }) => updateUser(db, body, { actor, origin })),
  route(users.updatePassword, ({ body, actor, origin }) => resetPassword(db, body, { actor, origin })),
  route(users.updateStatus, ({ body, actor, origin }) => updateStatus(db, body, { actor, origin })),
  route(users.delete, ({ query, actor, origin }) => deleteUser(db, query.id, { actor, origin })),
  route(permissions.listUserRoles, ({ query, actor }) => listUserRoles(db, query.userId, actor)),
  route(permissions.assignUserRole, ({ body, actor, origin }) => assignUserRoles(db, body, { actor, origin })),
  route(merchantUsers.page, ({ query, actor }) => merchantPage(db, query, actor)),
  route(merchantUsers.create, ({ body, actor, origin }) => createMerchant(db, body, { actor, origin })),
  route(merchantUsers.export, ({ query, actor, origin }) => exportMerchants(db, query, { actor, origin })),
  route(usersV1.me, async ({ actor }) => {
    const { user, roles, permissions: perms } = await permissionInfo(db, actor)
    return { userId: user.id, username: user.username, nickname: user.nickname, avatar: user.avatar, roles, perms }
  }),
  route(usersV1.options, async ({ actor }) =>
    (await userOptions(db, actor)).map(({ id, nickname }) => ({ value: String(id), label: nickname })),
  ),
]
