import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'
import { checkOwnPassword } from '../password/change-password.ts'
import { fieldError } from '#areas/audit/edit-transaction'

const RECENT = '10 minutes'

/**
 * A contact opens the account, so that a change needs a recent proof: a person at an unattended screen must not take the
 * account over. The user sends the password or has just signed in. Throws an error at the field `password`.
 */
export const requireRecentAuth = async (
  db: Db,
  actor: Actor,
  { password, form }: { password: string | undefined; form: z.ZodObject },
): Promise<void> => {
  if (password !== undefined) {
    await checkOwnPassword(db, actor, password, codes.passwordWrong)
    return
  }
  const proved = await scoped(db, actor)
    .selectFrom('session')
    .select('id')
    .where('id', '=', actor.sessionId)
    .where('provedAt', '>', sql<Date>`now() - ${sql.lit(RECENT)}::interval`)
    .executeTakeFirst()
  if (!proved) throw fieldError(form, 'password', 'required')
}
