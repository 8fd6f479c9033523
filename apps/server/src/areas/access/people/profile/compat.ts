import { localStamp } from '@tocsin/contract/time-zone'
import { OwnPassword, userFormsV1 } from '@tocsin/contract/compat/user-form'
import type { Profile } from '@tocsin/contract/access/profile'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { changePassword } from '../../sign-in/password/change-password.ts'
import { checkConfirmation } from '../../sign-in/password/password.ts'
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

/** The caller's account by `/api/v1` (wire 1.2): only names and shapes differ. */
export const profileRoutesV1 = ({ db }: { db: Db }): Route[] => [
  route(userFormsV1.profile, async ({ actor }) => itemOf(await getProfile(db, actor))),
  route(userFormsV1.updateProfile, async ({ body, caller }) => {
    const { nickname, gender: sex, mobile, email, avatar } = body
    const value = { who: caller, call: userFormsV1.updateProfile.path }
    await updateProfile(db, { nickname, sex, mobile, email, avatar }, value)
    return null
  }),
  route(userFormsV1.updatePassword, async ({ body, caller }) => {
    const { oldPassword, newPassword, confirmPassword } = body
    checkConfirmation(OwnPassword, newPassword, confirmPassword)
    await changePassword(db, { ...caller, oldPassword, newPassword })
    return null
  }),
]
