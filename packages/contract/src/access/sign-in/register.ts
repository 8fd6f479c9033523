import { z } from 'zod'
import { Id } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { field } from '../../field.ts'
import { newPassword, nickname, username } from '../user.ts'
import { Email, Mobile } from '../user-contact.ts'
import { code, confirmPassword } from './contact.ts'

/**
 * `smsCode` was sent (scene REGISTER) to the mobile number, or to the e-mail address when no mobile is given; one of
 * them is required.
 */
export const Registration = z
  .strictObject({
    username,
    nickname,
    password: newPassword,
    mobile: field(Mobile.nullable(), '手机号码', 'Mobile'),
    email: field(Email.nullable(), '邮箱', 'E-mail'),
    smsCode: code,
    /** The user has accepted the privacy policy (SPEC 5). */
    agreed: field(z.literal(true), '隐私政策', 'Privacy policy'),
  })
  .partial({ nickname: true, mobile: true, email: true })
export type Registration = z.output<typeof Registration>

/** The same with the field names of SPEC 3; one of the user names is needed. */
export const RegistrationForm = Registration.extend({
  username: field(username.optional(), '用户名称', 'User name'),
  userName: field(username.optional(), '用户名称', 'User name'),
  confirmPassword,
})
export type RegistrationForm = z.output<typeof RegistrationForm>

const id = field(Id, '用户编号', 'User id')
const version = field(z.int().optional(), '版本', 'Version')
export const Approval = z.strictObject({ id, version })
export type Approval = z.output<typeof Approval>

const approver = { method: 'POST', kind: 'json', permission: 'system:user:approve', scope: 'dept' } as const

export const registrations = {
  register: endpoint({
    method: 'POST',
    path: '/system/auth/register',
    kind: 'json',
    permission: 'open',
    scope: 'none',
    summary: '注册',
    summaryEn: 'Ask for an account; the answer is the same whether or not the name is taken',
    body: RegistrationForm,
    data: z.literal(true),
  }),
  approve: endpoint({
    ...approver,
    path: '/system/user/approve',
    summary: '通过注册申请',
    summaryEn: 'Enable an account that waits for approval',
    body: Approval,
    data: z.literal(true),
  }),
  reject: endpoint({
    ...approver,
    path: '/system/user/reject',
    summary: '拒绝注册申请',
    summaryEn: 'Delete an account that waits for approval',
    body: Approval,
    data: z.literal(true),
  }),
}
