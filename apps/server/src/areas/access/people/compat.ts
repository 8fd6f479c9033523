import { localStamp } from '@tocsin/contract/time-zone'
import {
  type UserForm,
  type UserFormDraft,
  UserFormEdit,
  type UserItem,
  type UserItemQuery,
  userFormsV1,
} from '@tocsin/contract/compat/user-form'
import type { UserListRow } from '@tocsin/contract/access/user'
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

const itemOf = (row: UserListRow): UserItem => ({
  id: row.id,
  username: row.username,
  nickname: row.nickname,
  mobile: row.mobile,
  gender: row.sex,
  avatar: row.avatar,
  email: row.email,
  status: row.status,
  deptName: row.deptName,
  roleNames: row.roles.map(({ name }) => name).join(',') || null,
  createTime: localStamp(row.createTime),
})

const pageOf = async (db: Db, query: UserItemQuery, caller: Caller) => {
  const { list, ...counted } = await userPage(db, query, caller.actor)
  const ids = list.map(({ id }) => id)
  const { permission: action, path: call } = userFormsV1.page
  await auditAccountReads(db, caller, { action, call, filter: query, ids })
  return { list: list.map(itemOf), ...counted }
}

const formOf = async (db: Db, id: number, caller: Caller): Promise<UserForm> => {
  const user = await getUser(db, id, caller.actor)
  const { permission: action, path: call } = userFormsV1.form
  await auditAccountReads(db, caller, { action, call, filter: { id }, ids: [id] })
  const { username, nickname, mobile, sex: gender, avatar, email, status, deptId } = user
  const roleIds = await listRoleIds(db, id)
  return { id, username, nickname, mobile, gender, avatar, email, status, deptId, roleIds }
}

const createByForm = (db: Db, form: UserFormDraft, caller: Caller): Promise<number> => {
  const { id: _id, gender: sex, deptId = caller.actor.deptId, roleIds, ...rest } = form
  const { mobile, email } = rest
  for (const [field, value] of Object.entries({ mobile, email }))
    if (value?.includes('*')) throw fieldError(UserFormEdit, field, 'format')
  return runEdit(db, 'all', async (trx) => {
    const draft = { ...rest, ...(sex && { sex }) }
    const id = await insertUser(trx, { type: 'STAFF', deptId, draft, passwordHash: null }, caller)
    await setRoles(trx, id, { roleIds, who: caller })
    return id
  })
}

const updateByForm = async (db: Db, id: number, { form, who }: { form: UserFormEdit; who: Caller }): Promise<null> => {
  if (form.id !== undefined && form.id !== id) throw fieldError(UserFormEdit, 'id', 'choice')
  const { id: _id, gender: sex, ...columns } = form
  await updateUser(db, { ...columns, sex, id }, who)
  return null
}

/** Users of `/api/v1` (wire 1.2): other names and shapes, and one form for three canonical calls. */
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
    const value = { who: caller, call: userFormsV1.update.path, contacts: body }
    return withDisclosureQuota(db, value, () => updateByForm(db, params.id, { form: body, who: caller }))
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
