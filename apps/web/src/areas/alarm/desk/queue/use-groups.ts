import { type FocusEvent, type PointerEvent, useMemo, useState, useSyncExternalStore } from 'react'
import { readNow, watchNow } from '#ui/RelativeTime.tsx'
import { useServerClock } from '#api/server-clock.ts'
import { isNarrowDesk } from '../selected-record.ts'
import {
  type Attention,
  type GroupKey,
  groupKeys,
  groupOf,
  groupRows,
  isSamePlaces,
  type ListedRecord,
  type QueuePlaces,
  placeRows,
} from './queue-groups.ts'

/** Renders only when a row changes its group, not every second. */
const useNaturalGroups = (list: readonly ListedRecord[], userId: number): readonly GroupKey[] => {
  const offset = useServerClock((clock) => clock.offset)
  const read = () => list.map((row) => groupKeys.indexOf(groupOf(row, userId, readNow() + offset))).join('')
  const groups = useSyncExternalStore(watchNow, read)
  return useMemo(() => [...groups].map((at) => groupKeys[Number(at)] ?? 'others'), [groups])
}

type At = Attention[number]

const rowAt = (target: EventTarget): At | undefined => {
  if (!(target instanceof Element)) return undefined
  const group = groupKeys.find((key) => key === target.closest('[data-group]')?.getAttribute('data-group'))
  return group && { group, id: Number(target.closest('[data-id]')?.getAttribute('data-id')) || undefined }
}

const isSameAt = (at: At | undefined, other: At | undefined) => at?.group === other?.group && at?.id === other?.id

/**
 * Where the pointer and the focus are in the list; a phone shows the list alone and keeps no place for them. A list that
 * leaves the screen reports neither: `isShown` ends both.
 */
const useAttention = (isShown: boolean) => {
  const [pointer, setPointer] = useState<At>()
  const [focus, setFocus] = useState<At>()
  if (!isShown && pointer) setPointer(undefined)
  if (!isShown && focus) setFocus(undefined)
  const attention = useMemo(() => [pointer, focus].filter((at) => at !== undefined), [pointer, focus])
  const move = (next: At | undefined) => setPointer((now) => (isSameAt(now, next) ? now : next))
  return {
    attention,
    listeners: {
      onPointerOver: (event: PointerEvent) => move(rowAt(event.target)),
      onPointerLeave: () => move(undefined),
      onFocus: (event: FocusEvent) => !isNarrowDesk() && setFocus(rowAt(event.target)),
      onBlur: () => setFocus(undefined),
    },
  }
}

/** The open queue in its groups, and the listeners of the list that keep a row in its place while it is shown. */
export const useGroups = (list: readonly ListedRecord[], userId: number, isShown: boolean) => {
  const natural = useNaturalGroups(list, userId)
  const { attention, listeners } = useAttention(isShown)
  const [before, setBefore] = useState<QueuePlaces>(new Map())
  const places = placeRows(list, natural, { before, attention })
  // Rendered again at once, which is React's way to derive a state from the one before.
  if (!isSamePlaces(before, places)) setBefore(places)
  return { groups: groupRows(list, places), listeners }
}
