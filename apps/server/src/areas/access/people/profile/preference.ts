import type { Lang } from '@tocsin/contract/field'
import { Preferences } from '@tocsin/contract/access/preference'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import type { Actor, Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import { runEdit } from '#areas/audit/edit-transaction'

/** The preferences of this user, without names that only another version knows. */
export const getPreferences = async (db: Db, actor: Actor): Promise<Preferences> => {
  const row = await scoped(db, actor)
    .selectFrom('userPreference')
    .select('kept')
    .where('userId', '=', actor.userId)
    .executeTakeFirst()
  const kept = new Map(Object.entries(row?.kept ?? {}))
  const known = Object.entries(Preferences.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(kept.get(name))
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : []
  })
  return Object.fromEntries(known)
}

/** The language for messages to a user who is not calling: the chosen one, else Chinese. */
export const preferredLanguage = async (db: Db, userId: number): Promise<Lang> => {
  const row = await unscoped(db, 'of whoever is written to')
    .selectFrom('userPreference')
    .select('kept')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return Preferences.shape.language.safeParse(new Map(Object.entries(row?.kept ?? {})).get('language')).data ?? 'zh-cn'
}

/** Fields that are not named stay. Names of another version are no preference of this one and stay out of the audit. */
export const savePreferences = (db: Db, chosen: Preferences, caller: Caller) =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { userId } = caller.actor
    // Locks this row, created if missing: an import may hold the row of the user.
    const mine = scoped(trx, caller.actor).insertInto('userPreference').values({ userId, kept: {} })
    await mine.onConflict((other) => other.column('userId').doUpdateSet({ kept: sql`user_preference.kept` })).execute()
    const before = await getPreferences(trx, caller.actor)
    await scoped(trx, caller.actor)
      .updateTable('userPreference')
      .set({ kept: sql`kept || ${JSON.stringify(chosen)}::jsonb`, updateTime: sql<Date>`now()` })
      .where('userId', '=', userId)
      .execute()
    const after = { ...before, ...chosen }
    await writeAudit(trx, {
      ...caller,
      action: 'system:user:update-preferences',
      subject: 'users',
      subjectId: userId,
      before,
      after,
    })
    return true as const
  })
