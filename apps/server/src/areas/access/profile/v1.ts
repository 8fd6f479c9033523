import { localStamp } from '@tocsin/contract/time-zone'
import { OwnPassword, userFormsV1 } from '@tocsin/contract/compat/user-form'
import type { Profile } from '@tocsin/contract/access/profile'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { changePassword } from '../sign-in/change-password.ts'
import { fieldError } from '#areas/audit/edit-transaction'
import { getProfile, updateProfile } from './profile.ts'

const itemOf = ({ id, username, nickname, mobile, sex, avatar, email, dept, roles, createTime }: Profile) => ({
  id,
  username,
  nickname,
  mobile,
  gender: sex,
  avatar,
  email,
  deptName: dept.name,
  roleNames: roles.map(({ name }) => name).join(',') || null,
  createTime: localStamp(createTime),
})

/** One's own account by the other family (wire 1.2): names and shapes only. */
export const profileRoutesV1 = ({ db }: { db: Db }): Route[] => [
  route(userFormsV1.profile, async ({ actor }) => itemOf(await getProfile(db, actor))),
  route(userFormsV1.updateProfile, async ({ body, caller }) => {
    const { nickname, gender: sex, mobile, email, avatar } = body
    const asked = { who: caller, call: userFormsV1.updateProfile.path }
    await updateProfile(db, { nickname, sex, mobile, email, avatar }, asked)
    return null
  }),
  route(userFormsV1.updatePassword, async ({ body, caller }) => {
    const { oldPassword, newPassword, confirmPassword = newPassword } = body
    if (confirmPassword !== newPassword) throw fieldError(OwnPassword, 'confirmPassword', 'choice')
    await changePassword(db, { ...caller, oldPassword, newPassword })
    return null
  }),
]
