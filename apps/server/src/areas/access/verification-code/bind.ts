import { codes } from '@tocsin/contract/codes'
import {
  type ContactQuery,
  type ContactType,
  EmailBinding,
  MobileBinding,
} from '@tocsin/contract/access/sign-in/contact'
import { BusinessError } from '#http/business-error'
import { scoped } from '#db/scope'
import { writeAudit } from '#areas/audit/audit'
import type { AuthDeps } from '../sign-in/deps.ts'
import { countAttempt, clearAttempts } from '../sign-in/login-throttle.ts'
import type { Caller } from '#http/route'
import { runEdit, toAuditState, updateStamp } from '#areas/audit/edit-transaction'
import { lockUser } from '../user/lock.ts'
import { sendCode, consumeCode } from './code.ts'
import { checkChannel, normalizeContact } from './contact.ts'
import { requireRecentAuth } from './recent-auth.ts'

/** A code to a contact that is to become the caller's own; it is bound to him. */
export const requestBindingCode = async (deps: AuthDeps, query: ContactQuery, who: Caller): Promise<true> => {
  const contact = normalizeContact(query.contactType, query.contact)
  await checkChannel(deps.db, contact)
  const { userId } = who.actor
  await sendCode(deps, { contact, scene: 'BIND', userId }, who)
  return true
}

type Binding = { type: ContactType; value: string; code: string; password?: string | undefined }

const forms = { MOBILE: MobileBinding, EMAIL: EmailBinding }

/** Makes a proven contact the caller's own; one that somebody else has is refused by its constraint. */
export const bindContact = async (deps: AuthDeps, binding: Binding, who: Caller): Promise<true> => {
  const { type, value, code, password } = binding
  const { userId } = who.actor
  const contact = normalizeContact(type, value)
  await requireRecentAuth(deps.db, who.actor, { password, form: forms[type] })
  const key = `bind:${userId}`
  const attempt = await countAttempt(deps.db, key)
  if (!attempt.allowed) throw new BusinessError(codes.slowDown, { seconds: attempt.seconds })
  if (!(await consumeCode(deps, { contact, scene: 'BIND', userId }, code))) throw new BusinessError(codes.codeWrong)
  await clearAttempts(deps.db, key)
  return runEdit(deps.db, { userId }, async (trx) => {
    const before = await lockUser(trx, who.actor, userId)
    const after = await scoped(trx, who.actor)
      .updateTable('users')
      .set({ ...(type === 'MOBILE' ? { mobile: contact.value } : { email: contact.value }), ...updateStamp(who) })
      .where('id', '=', userId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await writeAudit(trx, {
      ...who,
      action: type === 'MOBILE' ? 'system:user:bind-mobile' : 'system:user:bind-email',
      subject: 'users',
      subjectId: userId,
      before: toAuditState(before),
      after: toAuditState(after),
    })
    return true as const
  })
}
