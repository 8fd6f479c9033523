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
import type { AuthDeps } from '../deps.ts'
import { countAttempt, clearAttempts } from '../login-throttle.ts'
import type { Caller } from '#http/route'
import { runEdit, toAuditState, updateStamp } from '#areas/audit/edit-transaction'
import { lockUser } from '../../people/lock.ts'
import { sendCode, consumeCode } from './code.ts'
import { checkChannel, normalizeContact } from './contact.ts'
import { requireRecentAuth } from './recent-auth.ts'

/** Sends a code to a contact that the caller wants to bind; only the caller can use it. */
export const requestBindingCode = async (deps: AuthDeps, query: ContactQuery, caller: Caller): Promise<true> => {
  const contact = normalizeContact(query.contactType, query.contact)
  await checkChannel(deps.db, contact)
  const { userId } = caller.actor
  await sendCode(deps, { contact, scene: 'BIND', userId }, caller)
  return true
}

type Binding = { type: ContactType; value: string; code: string; password?: string | undefined }

const forms = { MOBILE: MobileBinding, EMAIL: EmailBinding }

/** Stores a proven contact of the caller. A constraint rejects the contact of another user. */
export const bindContact = async (deps: AuthDeps, binding: Binding, caller: Caller): Promise<true> => {
  const { type, value, code, password } = binding
  const { userId } = caller.actor
  const contact = normalizeContact(type, value)
  await requireRecentAuth(deps.db, caller.actor, { password, form: forms[type] })
  const key = `bind:${userId}`
  const attempt = await countAttempt(deps.db, key)
  if (!attempt.allowed) throw new BusinessError(codes.slowDown, { seconds: attempt.seconds })
  if (!(await consumeCode(deps, { contact, scene: 'BIND', userId }, code))) throw new BusinessError(codes.codeWrong)
  await clearAttempts(deps.db, key)
  return runEdit(deps.db, { userId }, async (trx) => {
    const before = await lockUser(trx, caller.actor, userId)
    const after = await scoped(trx, caller.actor)
      .updateTable('users')
      .set({ ...(type === 'MOBILE' ? { mobile: contact.value } : { email: contact.value }), ...updateStamp(caller) })
      .where('id', '=', userId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await writeAudit(trx, {
      ...caller,
      action: type === 'MOBILE' ? 'system:user:bind-mobile' : 'system:user:bind-email',
      subject: 'users',
      subjectId: userId,
      before: toAuditState(before),
      after: toAuditState(after),
    })
    return true as const
  })
}
