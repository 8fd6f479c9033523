import type { WarnRecordRow } from '@tocsin/contract/alarm/record'

export type SoundRecord = Pick<
  WarnRecordRow,
  'id' | 'state' | 'level' | 'mode' | 'late' | 'ownerId' | 'shelvedUntil' | 'commissioning'
>
/** `soft`: a drill, or a late alarm. */
export type Tone = { level: 1 | 2 | 3 | 4; soft: boolean }

export const MUTE_MS = 60_000
/** Level 1 cannot be muted: only a claim ends it. */
const NEVER_MUTED = 1
/** An event whose record is not fetched yet: it rings, with a less urgent tone than may prove necessary. */
const UNREAD: Tone = { level: 2, soft: true }
/** An event whose record a later fetch does not contain: another user handled it meanwhile. */
const UNREAD_MS = 3000

const levels = [1, 2, 3, 4] as const
const levelOf = (level: number): Tone['level'] => levels.find((item) => item >= level) ?? 4

/** An unplanned test may be a child who pressed the wrong button: it rings like LIVE, with a flag (DESIGN 6). */
export const toneFor = ({ level, mode, late }: Pick<SoundRecord, 'level' | 'mode' | 'late'>): Tone => ({
  level: levelOf(level),
  soft: mode === 'DRILL' || late,
})

/** Shelved for now; the event of its end may arrive later than the end. */
export const isShelved = ({ shelvedUntil }: Pick<SoundRecord, 'shelvedUntil'>, now: number): boolean =>
  shelvedUntil !== null && shelvedUntil.getTime() > now

/**
 * Unowned: new, or escalated by the system because nobody came. Shelved ones wait for the end of the shelf. The press that
 * an installation expects waits for no person.
 */
export const isDue = (record: SoundRecord, now: number): boolean =>
  !record.commissioning &&
  (record.state === 'NEW' || (record.state === 'ESCALATED' && record.ownerId === null)) &&
  !isShelved(record, now)

export const canMute = (record: Pick<SoundRecord, 'level'>): boolean => record.level > NEVER_MUTED

const louder = (tone: Tone, other: Tone): number => Number(tone.soft) - Number(other.soft) || tone.level - other.level

/** The most urgent of several tones; null when nothing rings. */
export const loudest = (tones: readonly (Tone | null)[]): Tone | null =>
  tones.filter((tone) => tone !== null).toSorted(louder)[0] ?? null

export type SoundInput = {
  records: readonly SoundRecord[]
  /** Ids of events whose record was not fetched yet. */
  unread: readonly number[]
  /** End of the mute of each record, by the clock of `now`. */
  mutes: ReadonlyMap<number, number>
  now: number
  /** How many more wait than `records` contains. */
  moreDue: number
}

export type SoundState = {
  /** Every record that must be claimed. */
  due: number[]
  /** Their number, including those that the list has no room for. */
  waiting: number
  /** Ringing records that are not muted. */
  sounding: number[]
  /** Events whose record is not displayed yet. */
  unread: number
  tone: Tone | null
  /** Number of muted records, and when the first one rings again; null without muted records. */
  muted: number
  mutedUntil: number | null
}

/** The sound to play now. All visible records count, filtered ones too. */
export const decideSound = ({ records, unread, mutes, now, moreDue }: SoundInput): SoundState => {
  const due = records.filter((record) => isDue(record, now))
  const muteEnd = (record: SoundRecord): number => (canMute(record) ? (mutes.get(record.id) ?? 0) : 0)
  const sounding = due.filter((record) => muteEnd(record) <= now)
  const ends = due.map(muteEnd).filter((end) => end > now)
  return {
    due: due.map(({ id }) => id),
    waiting: due.length + moreDue,
    sounding: sounding.map(({ id }) => id),
    unread: unread.length,
    tone: loudest([...sounding.map(toneFor), ...(unread.length > 0 ? [UNREAD] : [])]),
    muted: ends.length,
    mutedUntil: ends.length > 0 ? Math.min(...ends) : null,
  }
}

/** A received event: `at` by the server's clock, `heardAt` by this computer's. */
export type ReceivedEvent = { id: number; at: number; heardAt: number }

/** The events that no fetch has answered yet. While fetches fail they keep sounding. */
export const unansweredEvents = (
  received: readonly ReceivedEvent[],
  read: { ids: ReadonlySet<number>; now: number } | undefined,
  now: number,
): ReceivedEvent[] =>
  received.filter(({ id, at, heardAt }) => {
    if (!read) return true
    return !read.ids.has(id) && !(read.now >= at && now - heardAt >= UNREAD_MS)
  })

/** Mutes all ringing records for a minute, except those that cannot be muted. */
export const muteAll = (records: readonly SoundRecord[], now: number): Map<number, number> =>
  new Map(records.filter((record) => isDue(record, now) && canMute(record)).map(({ id }) => [id, now + MUTE_MS]))
