import { sql } from 'kysely'
import type { EveryDb } from '#db/db'
import { rowsFrom } from '#db/rows'
import { type Clocked, TRUSTED_SKEW_MS } from './clock.ts'
import { BURST_MS, pressCodes } from './match.ts'
import type { Source } from './place.ts'
import type { Heard } from './signal.ts'

export type Earlier = {
  id: number
  code: string
  boot: number | null
  seq: number | null
  occurredAt: Date
  recordId: number | null
}

/** The same signal, delivered before, and the number of its record. */
export type Same = Earlier & { no: string | null }

/** What was taken in of this device before, as far as this signal is concerned. */
export type Past = {
  same: Same | undefined
  /** Signals that the device sent after this one, but which came first: per code and record the last of them. */
  later: Earlier[]
  /** Presses close to this one in time. */
  presses: Earlier[]
}

/** @param codes the codes whose order with this signal matters. */
export type Given = { source: Source; heard: Heard; clock: Clocked; codes: readonly string[] }

/** Three presses make a burst; of a device that never stops, the latest of each code tell as much as all. */
const PRESSES_MOST = 12

/** Nothing is received before it happened, but for the trusted skew: that bounds the presses to look at. */
const pressedNear = ({ heard, clock }: Given) => {
  if (!pressCodes.includes(heard.code)) return {}
  const at = clock.occurredAt.getTime()
  const [from, to] = [new Date(at - BURST_MS), new Date(at + BURST_MS)]
  return { from, to, since: new Date(from.getTime() - TRUSTED_SKEW_MS) }
}

const asked = (given: Given, n: number) => ({
  n,
  device: given.source.deviceId,
  event: given.heard.eventId,
  mode: given.heard.mode,
  ...(given.codes.length > 0 && { boot: given.heard.stamp?.boot, seq: given.heard.stamp?.seq, codes: given.codes }),
  now: given.source.now,
  ...pressedNear(given),
})

const askedFrom = rowsFrom({
  n: 'integer',
  device: 'bigint',
  event: 'text',
  mode: 'text',
  boot: 'bigint',
  seq: 'bigint',
  codes: 'text[]',
  now: 'timestamptz',
  from: 'timestamptz',
  to: 'timestamptz',
  since: 'timestamptz',
})

type Found = Same & { n: number; why: 'same' | 'later' | 'press' }

/**
 * Reads it for signals of different devices, in one round trip. Reordering is a matter of minutes (flash queue, two
 * roads); a day bounds what is looked at.
 */
export const readPasts = async (all: EveryDb, given: readonly Given[]): Promise<Past[]> => {
  const columns = sql`s.id, s.code, s.boot, s.seq, s.occurred_at, s.record_id`
  const { rows } = await sql<Found>`
    with asked as materialized (
      select * from ${askedFrom(given.map(asked))}
    )
    select asked.n, 'same' as why, ${columns}, r.no
    from asked cross join lateral (
      select * from signal where device_id = asked.device and event_id = asked.event limit 1
    ) as s left join lateral (select no from warn_record where id = s.record_id limit 1) as r on true
    union all
    select asked.n, 'later', ${columns}, null from asked cross join lateral (
      select distinct on (s.code, s.record_id) ${columns} from signal s
      where s.device_id = asked.device and (s.boot, s.seq) > (asked.boot, asked.seq) and s.mode = asked.mode
        and s.code = any(asked.codes) and s.received_at > asked.now - interval '1 day'
      order by s.code, s.record_id, s.boot desc, s.seq desc
    ) as s where asked.boot is not null
    union all
    select asked.n, 'press', ${columns}, null
    from asked cross join unnest(${pressCodes}::text[]) as pressed (code) cross join lateral (
      select ${columns} from signal s
      where s.device_id = asked.device and s.code = pressed.code and s.mode = asked.mode
        and s.received_at >= asked.since and s.occurred_at between asked."from" and asked."to"
        and s.record_id is not null
      order by s.received_at desc limit ${sql.lit(PRESSES_MOST)}
    ) as s where asked.since is not null`.execute(all)
  const found = Map.groupBy(rows, ({ n }) => n)
  return given.map((_, n) => {
    const { same, later = [], press = [] } = Object.groupBy(found.get(n) ?? [], ({ why }) => why)
    return { same: same?.[0], later, presses: press }
  })
}

/**
 * The code that the device said last, by its own count: of this signal and those that overtook it. Two networks and a
 * flash queue reorder what a device says, its boot and seq do not (X25).
 */
export const lastWord = (heard: Heard, later: readonly Earlier[]): { code: string; occurredAt: Date | null } => {
  const [last] = later.toSorted((a, b) => (b.boot ?? 0) - (a.boot ?? 0) || (b.seq ?? 0) - (a.seq ?? 0))
  return last ?? { code: heard.code, occurredAt: null }
}
