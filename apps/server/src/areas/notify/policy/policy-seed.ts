import { sql } from 'kysely'
import type { Db } from '#db/db'
import { defaultPolicies } from './default-policies.ts'
import { toPolicyColumns } from './policy-columns.ts'

const keyOf = (name: string) => `notify-policy/${name}`

/** Adds each default policy once in the life of the database; edited, renamed or deleted ones stay as they are. */
export const seedPolicies = (db: Db): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await sql`lock table seeded in exclusive mode`.execute(trx)
    const marks = await trx.selectFrom('seeded').select('key').where('key', 'like', 'notify-policy/%').execute()
    const seeded = new Set(marks.map(({ key }) => key))
    for (const policy of defaultPolicies) {
      if (seeded.has(keyOf(policy.name))) continue
      const row = await trx
        .insertInto('notifyPolicy')
        .values({ ...policy, ...toPolicyColumns(policy) })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (row)
        await trx
          .insertInto('seeded')
          .values({ key: keyOf(policy.name), rowId: row.id })
          .execute()
    }
  })
