import { codes } from '@tocsin/contract/codes'
import type { SecondFactorState } from '@tocsin/contract/access/sign-in/second-factor'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { encrypt, decrypt } from '#db/encryption'
import { BusinessError } from '#http/business-error'
import { writeAudit } from '#areas/audit/audit'
import { checkOwnPassword } from '../password/change-password.ts'
import type { AuthDeps } from '../deps.ts'
import { clearAttempts, countAttempt } from '../login-throttle.ts'
import { getSetting } from '#settings/settings-cache'
import type { Caller } from '#http/route'
import { runEdit } from '#areas/audit/edit-transaction'
import { assertCoversUser } from '../../roles/grant-guards.ts'
import { endSessionsOf } from '../session.ts'
import { lockUser } from '../../people/lock.ts'
import { newRecoveryCodes, newSecret, recoveryHash, matchTotpStep } from './totp.ts'

export const findFactor = (db: Db, userId: number) =>
  db.selectFrom('secondFactor').selectAll().where('userId', '=', userId).executeTakeFirst()

export const decryptTotpSecret = (key: Uint8Array, sealed: Uint8Array): string => decrypt(key, sealed)?.toString() ?? ''

/** The key under which attempts are counted, at the sign-in and in the profile. */
export const factorKey = (userId: number) => `factor:${userId}`

export const getFactorState = async (db: Db, userId: number): Promise<SecondFactorState> => {
  const factor = await findFactor(db, userId)
  const { left } = await db
    .selectFrom('recoveryCode')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow()
  const enabledAt = factor?.confirmedAt ?? null
  return { enabled: enabledAt !== null, enabledAt, recoveryLeft: left }
}

/** A new secret, without effect until a first code confirms it. */
export const startEnrolment = async ({ db, keys }: AuthDeps, password: string, caller: Caller) => {
  const { actor } = caller
  await checkOwnPassword(db, actor, password, codes.passwordWrong)
  const { secret, uri } = await newSecret(await getSetting(db, 'site.title'), actor.username)
  const sealed = encrypt(keys.factor, Buffer.from(secret))
  await db.transaction().execute(async (trx) => {
    const kept = await trx
      .insertInto('secondFactor')
      .values({ userId: actor.userId, secret: sealed })
      .onConflict((conflict) =>
        conflict
          .column('userId')
          .doUpdateSet({ secret: sealed, lastStep: 0, createdAt: sql`now()` })
          .where('secondFactor.confirmedAt', 'is', null),
      )
      .returning('userId')
      .executeTakeFirst()
    if (!kept) throw new BusinessError(codes.factorOn)
    const action = 'system:user:enrol-second-factor'
    await writeAudit(trx, { ...caller, action, subject: 'users', subjectId: actor.userId })
  })
  return { secret, uri }
}

const giveRecoveryCodes = async (trx: Db, key: Uint8Array, userId: number): Promise<string[]> => {
  const recoveryCodes = newRecoveryCodes()
  await trx.deleteFrom('recoveryCode').where('userId', '=', userId).execute()
  await trx
    .insertInto('recoveryCode')
    .values(recoveryCodes.map((code) => ({ userId, hash: recoveryHash(key, userId, code) })))
    .execute()
  return recoveryCodes
}

const audited = (trx: Db, caller: Caller, verb: 'enable' | 'disable' | 'reset', subjectId: number) => {
  const on = verb === 'enable'
  const states = { before: { secondFactor: !on }, after: { secondFactor: on } }
  return writeAudit(trx, {
    ...caller,
    action: `system:user:${verb}-second-factor`,
    subject: 'users',
    subjectId,
    ...states,
  })
}

/** Enables the factor by a first code. @returns the recovery codes, which cannot be read again. */
export const confirm = async ({ db, keys }: AuthDeps, code: string, caller: Caller) => {
  const { userId } = caller.actor
  const factor = await findFactor(db, userId)
  if (!factor) throw new BusinessError(codes.factorOff)
  if (factor.confirmedAt) throw new BusinessError(codes.factorOn)
  const attempt = await countAttempt(db, factorKey(userId))
  if (!attempt.allowed) throw new BusinessError(codes.slowDown, { seconds: attempt.seconds })
  const step = await matchTotpStep(decryptTotpSecret(keys.factor, factor.secret), code, factor.lastStep)
  if (step === undefined) throw new BusinessError(codes.secondFactorWrong)
  return runEdit(db, { userId }, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('secondFactor')
      .set({ confirmedAt: sql`now()`, lastStep: step })
      .where('userId', '=', userId)
      .where('confirmedAt', 'is', null)
      // Of the secret that this code belongs to, not of one that another tab requested meanwhile.
      .where('secret', '=', factor.secret)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new BusinessError(codes.secondFactorWrong)
    await clearAttempts(trx, factorKey(userId))
    await audited(trx, caller, 'enable', userId)
    return { recoveryCodes: await giveRecoveryCodes(trx, keys.factor, userId) }
  })
}

const remove = async (trx: Db, userId: number): Promise<void> => {
  const { numDeletedRows } = await trx
    .deleteFrom('secondFactor')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new BusinessError(codes.factorOff)
}

export const disable = async ({ db }: AuthDeps, password: string, caller: Caller): Promise<true> => {
  const { actor } = caller
  await checkOwnPassword(db, actor, password, codes.passwordWrong)
  return runEdit(db, { userId: actor.userId }, async (trx) => {
    await remove(trx, actor.userId)
    await audited(trx, caller, 'disable', actor.userId)
    return true as const
  })
}

/** For a user who lost the authenticator: called by another user who may act on the account; its sessions end. */
export const resetFactor = ({ db }: AuthDeps, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: id }, async (trx) => {
    const user = await lockUser(trx, caller.actor, id, 'forUpdate')
    // The own one needs the password: an open screen must not disable it.
    if (id === caller.actor.userId) throw new BusinessError(codes.notYourself)
    await assertCoversUser(trx, caller.actor, user)
    await remove(trx, id)
    await endSessionsOf(trx, id, 'KICKED')
    await audited(trx, caller, 'reset', id)
    return true as const
  })
