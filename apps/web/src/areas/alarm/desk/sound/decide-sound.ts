import type { WarnRecordRow } from '@tocsin/contract/alarm/record'

export type SoundRecord = Pick<WarnRecordRow, 'id' | 'state' | 'level' | 'mode' | 'late' | 'ownerId' | 'shelvedUntil'>
/** `soft`: a drill, or an alarm that comes late. */
export type Tone = { level: 1 | 2 | 3 | 4; soft: boolean }

export const MUTE_MS = 60_000
/** Level 1 cannot be muted: it ends by somebody taking it. */
const NEVER_MUTED = 1
/** An event whose record is not read yet: heard at once, not yet as urgent as it may prove to be. */
const UNREAD: Tone = { level: 2, soft: true }
/** An event whose record a later reading does not have: somebody dealt with it in between. */
const UNREAD_MS = 3000

const levels = [1, 2, 3, 4] as const
const levelOf = (level: number): Tone['level'] => levels.find((one) => one >= level) ?? 4

/** A test that nobody planned may be a child who found the wrong button: it rings like LIVE, marked (DESIGN 6). */
export const toneFor = ({ level, mode, late }: Pick<SoundRecord, 'level' | 'mode' | 'late'>): Tone => ({
  level: levelOf(level),
  soft: mode === 'DRILL' || late,
})

/** Put aside for now; the word of its end may come later than the end. */
export const isShelved = ({ shelvedUntil }: Pick<SoundRecord, 'shelvedUntil'>, now: number): boolean =>
  shelvedUntil !== null && shelvedUntil.getTime() > now

/** Nobody has it: new, or escalated by the system because nobody came. Shelved ones wait for the end of that. */
export const isDue = (record: SoundRecord, now: number): boolean =>
  (record.state === 'NEW' || (record.state === 'ESCALATED' && record.ownerId === null)) && !isShelved(record, now)

export const canMute = (record: Pick<SoundRecord, 'level'>): boolean => record.level > NEVER_MUTED

const louder = (one: Tone, other: Tone): number => Number(one.soft) - Number(other.soft) || one.level - other.level

export type SoundInput = {
  records: readonly SoundRecord[]
  /** Ids of events whose record was not read yet. */
  unread: readonly number[]
  /** Until when each record is muted, in the same clock as `now`. */
  mutes: ReadonlyMap<number, number>
  now: number
  /** How many more wait than `records` holds. */
  moreDue: number
}

export type SoundState = {
  /** Every record that somebody must take. */
  due: number[]
  /** How many these are, with those that the list has no room for. */
  waiting: number
  /** Those of them that are not muted. */
  sounding: number[]
  /** Events whose record is not on the screen yet. */
  unread: number
  tone: Tone | null
  /** How many are muted, and when the first of them sounds again; null when none is. */
  muted: number
  mutedUntil: number | null
}

/** What must sound now. All records in sight count, filtered out or not. */
export const decideSound = ({ records, unread, mutes, now, moreDue }: SoundInput): SoundState => {
  const due = records.filter((record) => isDue(record, now))
  const muteEnd = (record: SoundRecord): number => (canMute(record) ? (mutes.get(record.id) ?? 0) : 0)
  const sounding = due.filter((record) => muteEnd(record) <= now)
  const ends = due.map(muteEnd).filter((end) => end > now)
  const tones = [...sounding.map(toneFor), ...(unread.length > 0 ? [UNREAD] : [])].sort(louder)
  return {
    due: due.map(({ id }) => id),
    waiting: due.length + moreDue,
    sounding: sounding.map(({ id }) => id),
    unread: unread.length,
    tone: tones[0] ?? null,
    muted: ends.length,
    mutedUntil: ends.length > 0 ? Math.min(...ends) : null,
  }
}

/** An event that was heard: `at` by the server's clock, `heardAt` by this computer's. */
export type ReceivedEvent = { id: number; at: number; heardAt: number }

/** The events that no reading has answered yet. While reading fails they go on sounding. */
export const unansweredEvents = (
  heard: readonly ReceivedEvent[],
  read: { ids: ReadonlySet<number>; now: number } | undefined,
  now: number,
): ReceivedEvent[] =>
  heard.filter(({ id, at, heardAt }) => {
    if (!read) return true
    return !read.ids.has(id) && !(read.now >= at && now - heardAt >= UNREAD_MS)
  })

/** Mutes everything that sounds and may be muted, for a minute. */
export const muteAll = (records: readonly SoundRecord[], now: number): Map<number, number> =>
  new Map(records.filter((record) => isDue(record, now) && canMute(record)).map(({ id }) => [id, now + MUTE_MS]))
