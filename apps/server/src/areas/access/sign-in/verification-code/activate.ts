import { codes } from '@tocsin/contract/codes'
import type { Activation } from '@tocsin/contract/access/sign-in/contact'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import type { AuthDeps } from '../deps.ts'
import { attemptSignIn, type SignInResult, type IdentityCheck, signInColumns } from '../complete-sign-in.ts'
import { resetOwnPassword } from '../password/own-password.ts'
import { checkNewPassword, hashPassword, simulateVerify } from '../password/password.ts'
import { runEdit } from '#areas/audit/edit-transaction'
import { activationHash } from './activation.ts'
import type { SignInSource } from './sign-in.ts'

/** A code works once: the transaction that sets the password marks the row as used. */
const useCode = async (trx: Db, userId: number, code: string): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('activationCode')
    .set({ usedAt: sql`now()` })
    .where('userId', '=', userId)
    .where('codeHash', '=', activationHash(code))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Sets the first password by an activation code, and signs in. */
export const activate = (
  deps: AuthDeps,
  { username, code, password }: Activation,
  from: SignInSource,
): Promise<SignInResult> => {
  const name = username.trim().toLowerCase()
  checkNewPassword(password, name)
  const blocked = () => simulateVerify(password)
  const given = { name, method: 'ACTIVATION' as const, ...from, refusal: codes.activationWrong, blocked }
  return attemptSignIn(deps, given, async (): Promise<IdentityCheck> => {
    // Hashes before the lookup, so that an unknown name takes as long.
    const passwordHash = await hashPassword(password)
    const user = await signInColumns(deps.db).where(sql<boolean>`lower(username) = ${name}`).executeTakeFirst()
    if (!user) return { result: 'UNKNOWN_USER' }
    if (!user.enabled) return { result: 'DISABLED', person: user }
    // Rejects a user who has a password already: the person who imported the account knows the code.
    if (user.passwordHash !== null) return { result: 'BAD_CODE', person: user }
    const action = 'system:user:activate'
    const done = await runEdit(deps.db, { userId: user.id }, async (trx) => {
      if (!(await useCode(trx, user.id, code))) return false
      await resetOwnPassword(trx, user, { passwordHash, action, origin: from.origin })
      return true
    })
    if (!done) return { result: 'BAD_CODE', person: user }
    return { user: { ...user, passwordHash, mustChangePassword: false } }
  })
}
