import { UserDraft, UserEdit, UserRow } from '@tocsin/contract/access/user'
import { z } from 'zod'

const { username, nickname, password } = UserDraft.shape
const { email, mobile, sex, postIds, remark, status, roleIds } = UserEdit.shape

/** The form values; masks of contact data that the user may not see are sent back unchanged. */
export const UserForm = z.strictObject({
  username,
  nickname,
  deptId: UserRow.shape.deptId,
  mobile,
  email,
  sex,
  postIds,
  remark,
  status,
  roleIds,
})

/** A new user needs a password, and full contact data if any. */
export const NewUserForm = UserForm.extend({
  password,
  mobile: UserDraft.shape.mobile,
  email: UserDraft.shape.email,
})
