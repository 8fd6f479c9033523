import { codes } from '@tocsin/contract/codes'
import {
  type ContactQuery,
  type ContactType,
  EmailBinding,
  MobileBinding,
} from '@tocsin/contract/system/sign-in/contact'
import { Refusal } from '#http/refusal'
import { scoped } from '#db/scope'
import { audit } from '../audit.ts'
import type { AuthDeps } from '../auth/deps.ts'
import { takeTry, forgive } from '../auth/guard.ts'
import { committed, recordable, touched, type Who } from '../edit.ts'
import { lockUser } from '../user/lock.ts'
import { sendCode, takeCode } from './code.ts'
import { checkChannel, contactOf } from './contact.ts'
import { checkRecent } from './recent.ts'

/** A code to a contact that is to become the caller's own; it is bound to him. */
export const requestBindingCode = async (deps: AuthDeps, query: ContactQuery, who: Who): Promise<true> => {
  const contact = contactOf(query.contactType, query.contact)
  await checkChannel(deps.db, contact)
  const { userId } = who.actor
  await sendCode(deps, { contact, scene: 'BIND', userId }, who)
  return true
}

type Binding = { type: ContactType; value: string; code: string; password?: string | undefined }

const forms = { MOBILE: MobileBinding, EMAIL: EmailBinding }

/** Makes a proven contact the caller's own; one that somebody else has is refused by its constraint. */
export const bindContact = async (deps: AuthDeps, binding: Binding, who: Who): Promise<true> => {
  const { type, value, code, password } = binding
  const { userId } = who.actor
  const contact = contactOf(type, value)
  await checkRecent(deps.db, who.actor, { password, form: forms[type] })
  const key = `bind:${userId}`
  const attempt = await takeTry(deps.db, key)
  if (!attempt.allowed) throw new Refusal(codes.slowDown, { seconds: attempt.seconds })
  if (!(await takeCode(deps, { contact, scene: 'BIND', userId }, code))) throw new Refusal(codes.codeWrong)
  await forgive(deps.db, key)
  return committed(deps.db, { userId }, async (trx) => {
    const before = await lockUser(trx, who.actor, userId)
    const after = await scoped(trx, who.actor)
      .updateTable('users')
      .set({ ...(type === 'MOBILE' ? { mobile: contact.value } : { email: contact.value }), ...touched(who) })
      .where('id', '=', userId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(trx, {
      ...who,
      action: type === 'MOBILE' ? 'system:user:bind-mobile' : 'system:user:bind-email',
      subject: 'users',
      subjectId: userId,
      before: recordable(before),
      after: recordable(after),
    })
    return true as const
  })
}
