import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/db'
import type { Visibility } from '#db/scope'
import type { SequencedEvent } from './event-feed.ts'

/** DESIGN 5: with more missed events than this, or older ones, the browser reads everything again instead. */
const MOST = 10_000
const KEPT = sql`interval '24 hours'`
/** Numbers scanned for one viewer: events that a busy city produces in minutes must not cost seconds per desk. */
const WIDEST = 100_000
export const REPLAY_PAGE_SIZE = 1000
/** Concurrent reads: a restart brings all desks back together, and other calls need the pool too. */
const AT_ONCE = 4

const among = (column: string, ids: 'all' | readonly number[]): RawBuilder<boolean> =>
  ids === 'all' ? sql`${sql.ref(column)} is not null` : sql`${sql.ref(column)} = any(${ids})`

const inSight = ({ userId, schools, depts }: Visibility): RawBuilder<boolean> => sql`(
  (school_id is null and dept_id is null and user_id is null)
  or user_id = ${userId} or ${among('school_id', schools)} or ${among('dept_id', depts)})`

/** Runs at most `most` of the given tasks at a time. */
export const createConcurrencyLimiter = (most: number) => {
  let free = most
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

export type SeqRange = { since: number; head: number }

export type EventReplay = {
  /** Whether everything that the viewer missed can be replayed. */
  possible: (sight: Visibility, span: SeqRange) => Promise<boolean>
  /** The missed events, in order, at most REPLAY_PAGE_SIZE. */
  page: (sight: Visibility, span: SeqRange) => Promise<SequencedEvent[]>
  /** Runs another read of a new socket under the same limit. */
  limit: <T>(work: () => Promise<T>) => Promise<T>
}

type Standing = { kept: boolean | null; missed: number }

/** Reads past events through an ordinary pool. `head` is the last event of the hub, so that nothing is sent twice. */
export const createEventReplay = (db: Db): EventReplay => {
  const gate = createConcurrencyLimiter(AT_ONCE)
  const standing = async (sight: Visibility, { since, head }: SeqRange) => {
    const found = await sql<Standing>`select
      (select at > now() - ${KEPT} from event where seq = ${since + 1}) as kept,
      (select count(*) from (
        select from event where seq > ${since} and seq <= ${head} and ${inSight(sight)} limit ${MOST + 1}
      ) seen) as missed`.execute(db)
    const row = found.rows[0]
    return row?.kept === true && row.missed <= MOST
  }
  return {
    limit: gate,
    possible: async (sight, span) => {
      if (span.since === span.head) return true
      if (span.since > span.head || span.head - span.since > WIDEST) return false
      return gate(() => standing(sight, span))
    },
    page: (sight, { since, head }) =>
      gate(async () => {
        const found = await sql<SequencedEvent>`select seq, type, ref, school_id, dept_id, user_id, at from event
          where seq > ${since} and seq <= ${head} and ${inSight(sight)} order by seq limit ${REPLAY_PAGE_SIZE}`.execute(
          db,
        )
        return found.rows
      }),
  }
}
