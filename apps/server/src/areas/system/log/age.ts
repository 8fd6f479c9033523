import { sql } from 'kysely'
import type { AllDb, Db } from '#db/db'
import { everything } from '#db/scope'
import type { Row } from '#db/tables'
import { audit } from '../audit.ts'
import { keptDays, type Warns } from '../config/kept-days.ts'
import { AGE, removalProof } from './removal.ts'
import { anchorOf, type BrokenSeal, walk } from './verify-seals.ts'

/** Once a day: each removal is an operation of its own. */
const isDue = async (db: Db, days: number): Promise<boolean> => {
  const { rows } = await sql<{ due: boolean }>`
    select at < now() - make_interval(hours => ${24 * (days + 1)}) as due
    from seal order by seq offset 1 limit 1`.execute(db)
  return rows[0]?.due ?? false
}

// "tocs" in ASCII: one node at a time.
const LOCK = [0x746f6373, 10] as const

const isMine = async (trx: Db): Promise<boolean> => {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${LOCK[0]}, ${LOCK[1]}) as mine`.execute(trx)
  return rows[0]?.mine ?? false
}

const ROWS = 10_000

type Old = { whole: Row<'seal'>[]; broken?: BrokenSeal; more: boolean }

/** The oldest seals that are due and what was written, of ten thousand rows or so. */
const oldSeals = async (all: AllDb, key: Uint8Array, days: number): Promise<Old> => {
  const { rows: clock } = await sql<{ cutoff: Date }>`
    select now() - make_interval(hours => ${24 * days}) as cutoff`.execute(all)
  const whole: Row<'seal'>[] = []
  let rows = 0
  for await (const { seal, broken } of walk(all, await anchorOf(all, key))) {
    if (seal.at >= (clock[0]?.cutoff ?? 0)) break
    if (rows >= ROWS) return { whole, more: true }
    if (broken) return { whole, broken, more: false }
    whole.push(seal)
    rows += Math.max(1, seal.rowIds.length)
  }
  return { whole, more: false }
}

/** What a removal says of itself: the last seal whose rows went, to which the rest is chained, and who removed them. */
const told = (key: Uint8Array, seal: Row<'seal'>, { days, rows }: { days: number; rows: number }) => ({
  days,
  rows,
  seal: seal.seq,
  hash: seal.hash.toString('hex'),
  sealedAt: seal.at.toISOString(),
  proof: removalProof(key, seal),
})

type Gone = { seal: number; rows: number }
type Done = { more: boolean; stays?: string }

const removeSome = async (trx: Db, key: Uint8Array, days: number): Promise<Done> => {
  if (!(await isMine(trx))) return { more: false }
  const { whole, broken, more } = await oldSeals(everything(trx, 'the audit ages wherever it belongs'), key, days)
  const until = whole.at(-1)
  const { rows } = await sql<Gone>`select * from age_audit(${days}, ${until?.seq ?? 0})`.execute(trx)
  const last = whole.find(({ seq }) => seq === rows[0]?.seal)
  if (rows[0] && last)
    await audit(trx, { actor: null, origin: null, action: AGE, after: told(key, last, { days, rows: rows[0].rows }) })
  if (broken) return { more: false, stays: `seal ${broken.seal} is not what was written, see npm run verify-log` }
  return last && last === until ? { more } : { more: false, stays: 'a row or seal among them is dated later' }
}

/**
 * Operations older than the configured days go with their seals, ten thousand rows or so at a time, so that nobody
 * waits. The database itself refuses younger ones. What is not what was written stays, as the trace of whoever changed
 * it, and all that follows it.
 * @param key `removalKey`.
 */
export const forgetAudit = async (db: Db, log: Warns, key: Uint8Array): Promise<void> => {
  const days = await keptDays(db, 'log.operate-days', log)
  if (!(await isDue(db, days))) return
  for (let goesOn = true; goesOn; ) {
    const { more, stays } = await db.transaction().execute((trx) => removeSome(trx, key, days))
    if (stays) log.warn(`operations older than ${days} days are not removed: ${stays}`)
    goesOn = more
  }
}
