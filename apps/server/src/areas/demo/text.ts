import { codes } from '@tocsin/contract/codes'
import { DemoText, DemoTextEdit } from '@tocsin/contract/demo/text'
import { sql } from 'kysely'
import { z } from 'zod'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor, Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import { checkVersion } from '#areas/audit/edit-transaction'
import { cleanContent, setImageReferences, withImageLinks } from '#areas/notices/content'

// Of two concurrent first texts, the later one is rejected as stale.
registerConstraintErrors({ demo_text_pkey: { code: codes.stale } })

const kept = (db: Db, actor: Actor) =>
  scoped(db, actor).selectFrom('demoText').selectAll().where('userId', '=', actor.userId)

export const getText = async (db: Db, actor: Actor): Promise<DemoText> => {
  const row = await kept(db, actor).executeTakeFirst()
  return row
    ? { content: withImageLinks(row.content, actor), version: row.version, updateTime: row.updateTime }
    : { content: '', version: 0, updateTime: null }
}

type Edit = z.output<typeof DemoTextEdit>

/** Sanitizes and stores the user's text with its pictures; @returns it as it is displayed */
export const saveText = (db: Db, { content, version }: Edit, caller: Caller): Promise<DemoText> =>
  db.transaction().execute(async (trx) => {
    const { actor } = caller
    const clean = cleanContent(content, DemoTextEdit)
    const before = await kept(trx, actor).forUpdate().executeTakeFirst()
    await checkVersion(version, { version: before?.version ?? 0 }, async () =>
      z.encode(DemoText, await getText(trx, actor)),
    )
    const own = scoped(trx, actor)
    if (before)
      await own
        .updateTable('demoText')
        .set({ content: clean, version: sql<number>`version + 1`, updateTime: sql<Date>`now()` })
        .where('userId', '=', actor.userId)
        .execute()
    else await own.insertInto('demoText').values({ userId: actor.userId, content: clean }).execute()
    await setImageReferences(trx, actor, { subject: 'demoText', subjectId: actor.userId }, clean)
    const named = { action: 'demo:text:update', subject: 'demo_text', subjectId: actor.userId }
    await writeAudit(trx, {
      ...caller,
      ...named,
      before: before ? { content: before.content } : null,
      after: { content: clean },
    })
    return getText(trx, actor)
  })
