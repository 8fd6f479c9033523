import type { Lang } from '@tocsin/contract/field'
import { Preferences } from '@tocsin/contract/access/preference'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import type { Actor, Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import { runEdit } from '#areas/audit/edit-transaction'

/** What this person has chosen. Names that a newer or older version kept are left out. */
export const getPreferences = async (db: Db, actor: Actor): Promise<Preferences> => {
  const row = await scoped(db, actor)
    .selectFrom('userPreference')
    .select('kept')
    .where('userId', '=', actor.userId)
    .executeTakeFirst()
  const kept = new Map(Object.entries(row?.kept ?? {}))
  const known = Object.entries(Preferences.shape).flatMap(([name, schema]) => {
    const one = schema.safeParse(kept.get(name))
    return one.success && one.data !== undefined ? [[name, one.data]] : []
  })
  return Object.fromEntries(known)
}

/** In which language to write to somebody who is not asking at this moment: the one he has chosen, else Chinese. */
export const preferredLanguage = async (db: Db, userId: number): Promise<Lang> => {
  const row = await unscoped(db, 'of whoever is written to')
    .selectFrom('userPreference')
    .select('kept')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return Preferences.shape.language.safeParse(new Map(Object.entries(row?.kept ?? {})).get('language')).data ?? 'zh-cn'
}

/** What is not named stays. What was kept under names of another version is no choice of today, and stays out of the audit. */
export const savePreferences = (db: Db, chosen: Preferences, who: Caller) =>
  runEdit(db, { userId: who.actor.userId }, async (trx) => {
    const { userId } = who.actor
    // Held by this row, made if there is none: the user's own may be held by a whole import.
    const mine = scoped(trx, who.actor).insertInto('userPreference').values({ userId, kept: {} })
    await mine.onConflict((other) => other.column('userId').doUpdateSet({ kept: sql`user_preference.kept` })).execute()
    const before = await getPreferences(trx, who.actor)
    await scoped(trx, who.actor)
      .updateTable('userPreference')
      .set({ kept: sql`kept || ${JSON.stringify(chosen)}::jsonb`, updateTime: sql<Date>`now()` })
      .where('userId', '=', userId)
      .execute()
    const after = { ...before, ...chosen }
    await writeAudit(trx, {
      ...who,
      action: 'system:user:update-preferences',
      subject: 'users',
      subjectId: userId,
      before,
      after,
    })
    return true as const
  })
