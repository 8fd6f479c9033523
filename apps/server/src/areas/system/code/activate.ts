import { codes } from '@tocsin/contract/codes'
import type { Activation } from '@tocsin/contract/system/sign-in/contact'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import type { AuthDeps } from '../auth/deps.ts'
import { attempt, type Entered, type Proof, provable } from '../auth/enter.ts'
import { setOwnPassword } from '../auth/own-password.ts'
import { checkNewPassword, hashPassword, spend } from '../auth/password.ts'
import { committed } from '../edit.ts'
import { activationHash } from './activation.ts'
import type { From } from './sign-in.ts'

/** The code is good once: the row says so in the transaction that sets the password. */
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

/** Signs in with an activation code, which chooses the first password. */
export const activate = (deps: AuthDeps, { username, code, password }: Activation, from: From): Promise<Entered> => {
  const name = username.trim().toLowerCase()
  checkNewPassword(password, name)
  const blocked = () => spend(password)
  const given = { name, method: 'ACTIVATION' as const, ...from, refusal: codes.activationWrong, blocked }
  return attempt(deps, given, async (): Promise<Proof> => {
    // Hashed before anybody is looked for: an unknown name takes as long.
    const passwordHash = await hashPassword(password)
    const user = await provable(deps.db).where(sql<boolean>`lower(username) = ${name}`).executeTakeFirst()
    if (!user) return { result: 'UNKNOWN_USER' }
    if (!user.enabled) return { result: 'DISABLED', person: user }
    // It chooses the first password: who has one by now, by whatever way, has not lent his account to whoever imported it.
    if (user.passwordHash !== null) return { result: 'BAD_CODE', person: user }
    const action = 'system:user:activate'
    const done = await committed(deps.db, { userId: user.id }, async (trx) => {
      if (!(await useCode(trx, user.id, code))) return false
      await setOwnPassword(trx, user, { passwordHash, action, origin: from.origin })
      return true
    })
    if (!done) return { result: 'BAD_CODE', person: user }
    return { user: { ...user, passwordHash, mustChangePassword: false } }
  })
}
