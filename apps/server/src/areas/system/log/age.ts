import { sql } from 'kysely'
import type { Db } from '#db/db'
import { audit } from '../audit.ts'
import { LOG_DAYS_MIN } from '../config/known.ts'
import { settingOf } from '../config/value.ts'

/** The operation that removes old ones, on record like any other. */
export const AGE = 'system:operate-log:age'

/** For so many days operations are kept: the law's days, whatever is written. */
const auditDays = async (db: Db): Promise<number> =>
  Math.max(LOG_DAYS_MIN, Number(await settingOf(db, 'log.operate-days')) || 0)

/** Once a day: each removal is an operation of its own. */
const isDue = async (db: Db, days: number): Promise<boolean> => {
  const { rows } = await sql<{ due: boolean }>`
    select at < now() - make_interval(days => ${days + 1}) as due from seal order by seq offset 1 limit 1`.execute(db)
  return rows[0]?.due ?? false
}

type Gone = { seal: number; at: Date; hash: Buffer; rows: number }

/** What a removal says of itself: the last seal whose rows went, and its hash, to which the rest is chained. */
const told = ({ seal, at, hash, rows }: Gone, days: number) => ({
  days,
  rows,
  seal,
  hash: hash.toString('hex'),
  sealedAt: at.toISOString(),
})

const ROWS = 10_000

/**
 * Operations older than the configured days go with their seals, ten thousand rows or so at a time, so that nobody
 * waits. The database itself refuses younger ones.
 */
export const forgetAudit = async (db: Db): Promise<void> => {
  const days = await auditDays(db)
  if (!(await isDue(db, days))) return
  for (let more = true; more; )
    more = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<Gone>`select * from age_audit(make_interval(days => ${days}), ${ROWS})`.execute(trx)
      for (const gone of rows) await audit(trx, { actor: null, origin: null, action: AGE, after: told(gone, days) })
      return rows.length > 0
    })
}
