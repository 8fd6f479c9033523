import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { writeAudit } from '../audit.ts'
import { retentionDays, type WarningLogger } from '#settings/log-retention'
import { AUDIT_RETENTION_ACTION, retentionProof } from './retention-proof.ts'
import { findChainAnchor, type BrokenSeal, iterateSeals } from './verify-seals.ts'

/**
 * Whether any row after that seal is at least a day past the limit, so that one removal runs a day: each is an
 * operation of its own. Any row, because one dated ahead may come first. Without a seal: after the first, which stays.
 */
const isDue = async (db: Db, days: number, after?: number): Promise<boolean> => {
  const { rows } = await sql<{ due: boolean }>`
    select exists (
      select from seal where at < now() - make_interval(hours => ${24 * (days + 1)})
        and seq > coalesce(${after ?? null}::bigint, (select min(seq) from seal))
    ) as due`.execute(db)
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

const changed = ({ seal }: BrokenSeal) => `seal ${seal} is not what was written, see npm run verify-log`
const IDLE =
  'none was sealed from 8 days to 1 day ago, since nobody worked or the clock jumped; they go from a day after the next'

/** `stays`: why due rows are kept. */
type Done = { more: boolean; stays?: string }
type Old = Done & { whole: Row<'seal'>[] }

/** The oldest due seals with their rows, about ten thousand rows. */
const oldSeals = async (all: AllTablesDb, key: Uint8Array, days: number): Promise<Old> => {
  const { rows: clock } = await sql<{ cutoff: Date }>`
    select now() - make_interval(hours => ${24 * days}) as cutoff`.execute(all)
  const whole: Row<'seal'>[] = []
  let rows = 0
  for await (const { seal, broken } of iterateSeals(all, await findChainAnchor(all, key))) {
    if (seal.at >= (clock[0]?.cutoff ?? 0)) {
      const stays = `seal ${seal.seq} is dated later than one that follows it, which waits for its date to be old enough`
      return { whole, more: false, ...((await isDue(all, days, seal.seq)) && { stays }) }
    }
    if (rows >= ROWS) return { whole, more: true }
    if (broken) return { whole, more: false, stays: changed(broken) }
    whole.push(seal)
    rows += Math.max(1, seal.rowIds.length)
  }
  return { whole, more: false }
}

/**
 * The record of a removal: the last seal whose rows were removed, to which the rest is chained, and what removed them.
 */
const describeSeal = (key: Uint8Array, seal: Row<'seal'>, { days, rows }: { days: number; rows: number }) => ({
  days,
  rows,
  seal: seal.seq,
  hash: seal.hash.toString('hex'),
  sealedAt: seal.at.toISOString(),
  proof: retentionProof(key, seal),
})

/** `seal` is null when the database withholds everything, see `IDLE`. */
type Gone = { seal: number | null; rows: number }

const removeSome = async (trx: Db, key: Uint8Array, days: number): Promise<Done> => {
  if (!(await isMine(trx)) || !(await isDue(trx, days))) return { more: false }
  const { whole, ...old } = await oldSeals(unscoped(trx, 'the audit ages wherever it belongs'), key, days)
  const until = whole.at(-1)
  if (!until) return old
  const { rows } = await sql<Gone>`select * from age_audit(${days}, ${until.seq})`.execute(trx)
  const last = whole.find(({ seq }) => seq === rows[0]?.seal)
  if (rows[0] && last)
    await writeAudit(trx, {
      actor: null,
      origin: null,
      action: AUDIT_RETENTION_ACTION,
      after: describeSeal(key, last, { days, rows: rows[0].rows }),
    })
  if (last === until || old.stays) return old
  return { more: false, stays: rows[0]?.seal === null ? IDLE : 'a row or seal among them is dated later' }
}

const DAY_MS = 86_400_000

/**
 * Removes operations older than the configured days with their seals, about ten thousand rows at a time, so that
 * nothing is blocked. The database itself rejects removing younger rows. Rows that fail verification stay as evidence,
 * with all later rows; the reason is reported when it is new and then once a day.
 * @param key `retentionKey`
 */
export const createAuditRetention = (log: WarningLogger, key: Uint8Array): ((db: Db) => Promise<void>) => {
  let last: { text: string; at: number } | undefined
  const tell = (text: string) => {
    const at = performance.now()
    if (last?.text === text && at - last.at < DAY_MS) return
    last = { text, at }
    log.warn(text)
  }
  return async (db) => {
    const days = await retentionDays(db, 'log.operate-days', log)
    for (let goesOn = true; goesOn; ) {
      const { more, stays } = await db.transaction().execute((trx) => removeSome(trx, key, days))
      if (stays) tell(`operations older than ${days} days are not removed: ${stays}`)
      goesOn = more
    }
  }
}
