import { sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '#config'
import { ingestServerSignal } from '#areas/alarm/ingest'
import type { Db } from '#db/db'
import { rowsFromJson } from '#db/bulk-rows'
import { unscoped } from '#db/scope'

type Numbered = { boot: number; seq: number }

/** Finds alarms and events that a device numbered and no node received (domain 3.4). */
export type SequenceGapDetector = {
  event: (deviceId: number, stamp: Numbered) => void
  heartbeat: (deviceId: number, beat: Numbered & { unsent?: number | undefined }) => void
  /** Raises gaps that repeats have not closed in time; `all` raises those too that repeats may still close. */
  check: (all?: boolean) => Promise<void>
  stop: () => void
}

type Track = { boot: number; highest: number; missing: Map<number, number> }

/** Repeats come after 1 to 30 s. A message that is missing after them is lost. */
const PATIENCE_MS = 45_000
const EVERY_MS = 5000
/** A gap of thousands of numbers is one finding. */
const NOTED_MOST = 50
const KEPT_MOST = 500_000

/** The numbers of the list that any node has received by any transport. */
const received = async (db: Db, deviceId: number, { boot, seqs }: { boot: number; seqs: number[] }) => {
  const rows = await unscoped(db, 'what a device counted is compared with what was received')
    .selectFrom('signal')
    .select('seq')
    .where('deviceId', '=', deviceId)
    .where('boot', '=', boot)
    .where('seq', '=', sql<number>`any(${seqs})`)
    .execute()
  return new Set(rows.map(({ seq }) => seq))
}

/** A device that is new to this node. Numbers up to `upTo` may have been sent earlier. */
type Newcomer = { deviceId: number; boot: number; upTo: number }
const ASKED_MOST = 2000
const newcomersFrom = rowsFromJson({ deviceId: 'bigint', boot: 'bigint', upTo: 'bigint' })

/**
 * The last number received by another node or an earlier run of this one; 0 when the device has restarted since. Null
 * for a device without any earlier message.
 */
const lastBefore = async (db: Db, newcomers: readonly Newcomer[]) => {
  const { rows } = await sql<Newcomer & { last: number | null }>`
    select row.*, coalesce(
      (select max(seq) from signal s where s.device_id = "deviceId" and s.boot = row.boot and seq <= "upTo"),
      (select 0 from signal s where s.device_id = "deviceId" and s.boot < row.boot limit 1)) as last
    from ${newcomersFrom(newcomers)}`.execute(unscoped(db, 'what a device counted is compared with what was received'))
  return rows
}

const makeTracks = () => {
  const tracks = new Map<number, Track>()
  const suspects = new Set<number>()
  const newcomers = new Map<number, Newcomer>()
  const advance = (deviceId: number, { boot, seq }: Numbered, first: number) => {
    const known = tracks.get(deviceId)
    // Numbers restart at 1 with each boot. A device that is new to this node starts at its present number until its signals are read.
    const fresh = !known || known.boot < boot
    if (tracks.size > KEPT_MOST) tracks.clear()
    if (!known) newcomers.set(deviceId, { deviceId, boot, upTo: first })
    const track = fresh ? { boot, highest: known ? 0 : first, missing: new Map<number, number>() } : known
    tracks.set(deviceId, track)
    if (track.boot !== boot) return
    track.missing.delete(seq)
    const end = Math.min(seq, track.highest + NOTED_MOST)
    for (let lost = track.highest + 1; lost <= end; lost += 1) track.missing.set(lost, performance.now())
    track.highest = Math.max(track.highest, seq)
    if (track.missing.size > 0) suspects.add(deviceId)
    return track
  }
  const overdue = (all: boolean) =>
    [...suspects].flatMap((deviceId) => {
      const track = tracks.get(deviceId)
      const now = performance.now()
      const seqs = [...(track?.missing ?? [])].flatMap(([seq, at]) => (all || now - at > PATIENCE_MS ? [seq] : []))
      for (const seq of seqs) track?.missing.delete(seq)
      if (!track || track.missing.size === 0) suspects.delete(deviceId)
      return track && seqs.length > 0 ? [{ deviceId, boot: track.boot, seqs }] : []
    })
  const takeNewcomers = (): Newcomer[] => {
    const some = [...newcomers.values()].slice(0, ASKED_MOST)
    for (const { deviceId } of some) newcomers.delete(deviceId)
    return some
  }
  const missed = (deviceId: number, boot: number, { from, upTo }: { from: number; upTo: number }) => {
    const track = tracks.get(deviceId)
    if (track?.boot !== boot) return
    for (let lost = Math.max(from, upTo - NOTED_MOST + 1); lost <= upTo; lost += 1) {
      track.missing.set(lost, performance.now())
      suspects.add(deviceId)
    }
  }
  const giveBack = (deviceId: number, seqs: number[]) => {
    for (const seq of seqs) tracks.get(deviceId)?.missing.set(seq, performance.now())
    suspects.add(deviceId)
  }
  const comeBack = (some: Newcomer[]) => {
    for (const item of some) newcomers.set(item.deviceId, item)
  }
  return { advance, overdue, giveBack, takeNewcomers, comeBack, missed }
}

export const createSequenceGapDetector = ({ db, log }: { db: Db; log: Log }): SequenceGapDetector => {
  const tracks = makeTracks()
  const raise = async ({ deviceId, boot, seqs }: { deviceId: number; boot: number; seqs: number[] }) => {
    const here = await received(db, deviceId, { boot, seqs })
    const [first, ...rest] = seqs.filter((seq) => !here.has(seq))
    if (first === undefined) return
    const detail = { boot, from: first, to: rest.at(-1) ?? first, count: rest.length + 1 }
    await ingestServerSignal(db, { deviceId, code: 'SEQ_GAP', eventId: `GAP-${boot}-${first}`, detail })
  }
  const meet = async () => {
    const some = tracks.takeNewcomers()
    if (some.length === 0) return
    try {
      for (const { deviceId, boot, upTo, last } of await lastBefore(db, some))
        if (last !== null) tracks.missed(deviceId, boot, { from: last + 1, upTo })
    } catch (error) {
      tracks.comeBack(some)
      log.warn(`sequence numbers of devices could not be checked: ${String(error)}`)
    }
  }
  const check = async (all = false) => {
    await meet()
    for (const lost of tracks.overdue(all))
      await raise(lost).catch((error: unknown) => {
        tracks.giveBack(lost.deviceId, lost.seqs)
        log.warn(`a gap in the sequence numbers of a device could not be stored: ${String(error)}`)
      })
  }
  const stopping = new AbortController()
  const loop = async () => {
    for (;;) {
      await pause(EVERY_MS, undefined, { signal: stopping.signal })
      await check()
    }
  }
  loop().catch(() => undefined)
  return {
    event: (deviceId, stamp) => {
      const track = tracks.advance(deviceId, stamp, stamp.seq - 1)
      // The present event is being stored.
      track?.missing.delete(stamp.seq)
    },
    heartbeat: (deviceId, beat) => {
      // The device still stores these events and sends them later.
      if (beat.unsent !== undefined && beat.unsent > 0) return
      tracks.advance(deviceId, beat, beat.seq)
    },
    check,
    stop: () => stopping.abort(),
  }
}
