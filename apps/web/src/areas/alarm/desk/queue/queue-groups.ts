import type { NextLimit, WarnRecordRow } from '@tocsin/contract/alarm/record'
import { isShelved } from '../sound/decide-sound.ts'

/** A row of a list of the desk; only rows of the open queue have a limit. */
export type ListedRecord = WarnRecordRow & { limit?: NextLimit | null }

/** In the order of the screen. */
export const groupKeys = ['overdue', 'mine', 'new', 'others'] as const
export type GroupKey = (typeof groupKeys)[number]

export type Grouped = Pick<
  ListedRecord,
  | 'id'
  | 'state'
  | 'level'
  | 'mode'
  | 'validation'
  | 'ownerId'
  | 'receivedAt'
  | 'shelvedUntil'
  | 'limit'
  | 'commissioning'
>

/** `calm` below 80 % of the limit, `soon` from there on, `over` after it. */
export type LimitTone = 'calm' | 'soon' | 'over'

const SOON = 0.8

/** How long a limit has been running, in milliseconds. */
export const elapsedOf = ({ dueAt, seconds }: NextLimit, now: number): number => now - dueAt.getTime() + seconds * 1000

export const limitTone = (limit: NextLimit, now: number): LimitTone => {
  if (now >= limit.dueAt.getTime()) return 'over'
  return elapsedOf(limit, now) >= limit.seconds * 1000 * SOON ? 'soon' : 'calm'
}

const isUnowned = ({ state, ownerId }: Grouped): boolean =>
  state === 'NEW' || (state === 'ESCALATED' && ownerId === null)

/**
 * The user's own alarms stay together even when a limit has passed; a shelved one waits with a reason, and the press of an
 * installation for nobody.
 */
export const groupOf = (record: Grouped, userId: number, now: number): GroupKey => {
  if (record.ownerId === userId) return 'mine'
  if (isShelved(record, now) || record.commissioning) return 'others'
  if (record.limit && limitTone(record.limit, now) === 'over') return 'overdue'
  return isUnowned(record) ? 'new' : 'others'
}

const THREAT_TO_LIFE = 4

type Order = (left: Grouped, right: Grouped) => number

const isExercise = ({ mode, commissioning }: Grouped): boolean => mode === 'DRILL' || commissioning
/** A drill or the press of an installation never stands above a real alarm of its group. */
const exercisesLast: Order = (left, right) => Number(isExercise(left)) - Number(isExercise(right))
const shelvedLast: Order = (left, right) => Number(left.shelvedUntil !== null) - Number(right.shelvedUntil !== null)
const urgentFirst: Order = (left, right) =>
  left.level - right.level || Number(right.validation === THREAT_TO_LIFE) - Number(left.validation === THREAT_TO_LIFE)
const latestFirst: Order = (left, right) => right.receivedAt.getTime() - left.receivedAt.getTime() || right.id - left.id

const byUrgency: Order = (left, right) =>
  shelvedLast(left, right) || exercisesLast(left, right) || urgentFirst(left, right) || latestFirst(left, right)

/** New alarms enter on top whatever their level: a limit of seconds soon moves the urgent ones among the overdue. */
const orders: Record<GroupKey, Order> = {
  overdue: byUrgency,
  mine: byUrgency,
  new: (left, right) => exercisesLast(left, right) || latestFirst(left, right),
  others: byUrgency,
}

/** The group in which a row is shown. `kept`: it belongs to another one, and moves when its group is left. */
export type Place = { group: GroupKey; ownerId: number | null; kept: boolean }
export type QueuePlaces = ReadonlyMap<number, Place>

/** Where pointer and keyboard focus are. */
export type Attention = readonly { group: GroupKey; id: number | undefined }[]

const placeOf = (
  { id, ownerId }: Grouped,
  { natural, before, attention }: { natural: GroupKey; before: Place | undefined; attention: Attention },
): Place => {
  const place = { group: natural, ownerId, kept: false }
  if (!before || before.group === natural) return place
  const near = attention.filter(({ group }) => group === before.group)
  const isKept = before.kept || before.ownerId !== ownerId || near.some((at) => at.id === id)
  return near.length > 0 && isKept ? { group: before.group, ownerId, kept: true } : place
}

/**
 * The place of each row. A row that was claimed, or that is under the pointer or has the focus, stays where it is until
 * pointer and focus have left its group, so that nothing jumps away from a hand that works on it.
 */
export const placeRows = (
  list: readonly Grouped[],
  natural: readonly GroupKey[],
  { before, attention }: { before: QueuePlaces; attention: Attention },
): QueuePlaces =>
  new Map(
    list.map((row, at) => [
      row.id,
      placeOf(row, { natural: natural[at] ?? 'others', before: before.get(row.id), attention }),
    ]),
  )

export const isSamePlaces = (places: QueuePlaces, other: QueuePlaces): boolean =>
  places.size === other.size &&
  [...places].every(([id, { group, ownerId, kept }]) => {
    const same = other.get(id)
    return same?.group === group && same.ownerId === ownerId && same.kept === kept
  })

export type Group<T> = { key: GroupKey; rows: T[] }

/** The groups that have rows, in the order of the screen. */
export const groupRows = <T extends Grouped>(list: readonly T[], places: QueuePlaces): Group<T>[] =>
  groupKeys.flatMap((key) => {
    const rows = list.filter(({ id }) => places.get(id)?.group === key).toSorted(orders[key])
    return rows.length > 0 ? [{ key, rows }] : []
  })
