import { localStamp } from '@tocsin/contract/time-zone'
import {
  type UserForm,
  type UserFormDraft,
  UserFormEdit,
  type UserItem,
  type UserItemQuery,
  userFormsV1,
} from '@tocsin/contract/compat/user-form'
import type { UserRow } from '@tocsin/contract/access/user'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { type Route, route, type Caller } from '#http/route'
import { fieldError, runEdit } from '#areas/audit/edit-transaction'
import { exportNow } from '#areas/audit/exporter'
import { deleteUsers, resetPassword, updateStatus } from './account.ts'
import { insertUser, updateUser } from './change.ts'
import { userExport } from './export.ts'
import { listRoleIds } from './lock.ts'
import { getUser, userPage } from './read.ts'
import { auditAccountReads } from './account-reads.ts'
import { setRoles } from './roles.ts'
import { withDisclosureQuota } from './contact-disclosure.ts'

const roleNames = async (db: Db, userIds: readonly number[]): Promise<Map<number, string>> => {
  const found = await db
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select(['userRole.userId', sql<string>`string_agg(role.name, ',' order by role.sort, role.id)`.as('names')])
    .where('userRole.userId', '=', sql<number>`any(${userIds})`)
    .groupBy('userRole.userId')
    .execute()
  return new Map(found.map(({ userId, names }) => [userId, names]))
}

const itemOf = (row: UserRow, names: string | undefined): UserItem => ({
  id: row.id,
  username: row.username,
  nickname: row.nickname,
  mobile: row.mobile,
  gender: row.sex,
  avatar: row.avatar,
  email: row.email,
  status: row.status,
  deptName: row.deptName,
  roleNames: names ?? null,
  createTime: localStamp(row.createTime),
})

const pageOf = async (db: Db, query: UserItemQuery, who: Caller) => {
  const { list, ...counted } = await userPage(db, query, who.actor)
  const ids = list.map(({ id }) => id)
  const { permission: action, path: call } = userFormsV1.page
  await auditAccountReads(db, who, { action, call, filter: query, ids })
  const names = await roleNames(db, ids)
  return { list: list.map((row) => itemOf(row, names.get(row.id))), ...counted }
}

const formOf = async (db: Db, id: number, who: Caller): Promise<UserForm> => {
  const user = await getUser(db, id, who.actor)
  const { permission: action, path: call } = userFormsV1.form
  await auditAccountReads(db, who, { action, call, filter: { id }, ids: [id] })
  const { username, nickname, mobile, sex: gender, avatar, email, status, deptId } = user
  const roleIds = await listRoleIds(db, id)
  return { id, username, nickname, mobile, gender, avatar, email, status, deptId, roleIds }
}

const createByForm = (db: Db, form: UserFormDraft, who: Caller): Promise<number> => {
  const { id: _id, gender: sex, deptId = who.actor.deptId, roleIds, ...rest } = form
  const { mobile, email } = rest
  for (const [field, value] of Object.entries({ mobile, email }))
    if (value?.includes('*')) throw fieldError(UserFormEdit, field, 'format')
  return runEdit(db, 'all', async (trx) => {
    const draft = { ...rest, ...(sex && { sex }) }
    const id = await insertUser(trx, { type: 'STAFF', deptId, draft, passwordHash: null }, who)
    await setRoles(trx, id, { roleIds, who })
    return id
  })
}

const updateByForm = async (db: Db, id: number, { form, who }: { form: UserFormEdit; who: Caller }): Promise<null> => {
  if (form.id !== undefined && form.id !== id) throw fieldError(UserFormEdit, 'id', 'choice')
  const { id: _id, gender: sex, ...columns } = form
  await updateUser(db, { ...columns, sex, id }, who)
  return null
}

/** Users by the other family (wire 1.2): names and shapes, and one form for what are three calls elsewhere. */
export const userRoutesV1 = ({ db }: { db: Db }): Route[] => [
  route(userFormsV1.page, ({ query, caller }) => pageOf(db, query, caller)),
  route(userFormsV1.export, ({ query, caller }) => exportNow(db, userExport, query, caller)),
  route(userFormsV1.form, ({ params, caller }) => formOf(db, params.id, caller)),
  route(userFormsV1.create, ({ body, caller }) => {
    return withDisclosureQuota(db, { who: caller, call: userFormsV1.create.path, contacts: body }, () =>
      createByForm(db, body, caller),
    )
  }),
  route(userFormsV1.update, ({ params, body, caller }) => {
    const asked = { who: caller, call: userFormsV1.update.path, contacts: body }
    return withDisclosureQuota(db, asked, () => updateByForm(db, params.id, { form: body, who: caller }))
  }),
  route(userFormsV1.delete, async ({ params, caller }) => {
    await deleteUsers(db, params.ids, caller)
    return null
  }),
  route(userFormsV1.status, async ({ params: { id }, query: { status }, caller }) => {
    await updateStatus(db, { id, status }, caller)
    return null
  }),
  route(userFormsV1.resetPassword, async ({ params: { id }, query: { password }, caller }) => {
    await resetPassword(db, { id, password }, caller)
    return null
  }),
]
