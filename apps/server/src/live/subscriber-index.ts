import type { Visibility } from '#db/scope'
import type { SequencedEvent } from './event-feed.ts'

type Address = Pick<SequencedEvent, 'schoolId' | 'deptId' | 'userId'>

/** Indexes subscribers by address: an event of one school costs as many steps as that school has subscribers. */
export type SubscriberIndex<L> = {
  /** Adds a subscriber, or replaces its visibility. */
  place: (listener: L, sight: Visibility) => void
  remove: (listener: L) => void
  /** Calls each subscriber who can see the event, once for each matching address. */
  each: (event: Address, call: (listener: L) => void) => void
  everybody: () => Iterable<L>
}

type Index<L> = { all: Set<L>; byId: Map<number, Set<L>> }

const put = <L>(index: Index<L>, listener: L, ids: 'all' | readonly number[]) => {
  if (ids === 'all') index.all.add(listener)
  else
    for (const id of ids) {
      const known = index.byId.get(id)
      if (known) known.add(listener)
      else index.byId.set(id, new Set([listener]))
    }
}

const take = <L>(index: Index<L>, listener: L, ids: 'all' | readonly number[]) => {
  if (ids === 'all') index.all.delete(listener)
  else
    for (const id of ids) {
      const known = index.byId.get(id)
      known?.delete(listener)
      if (known?.size === 0) index.byId.delete(id)
    }
}

export const createSubscriberIndex = <L>(): SubscriberIndex<L> => {
  const sights = new Map<L, Visibility>()
  const empty = (): Index<L> => ({ all: new Set(), byId: new Map() })
  const indexes = { schools: empty(), depts: empty(), users: empty() }
  const change = (act: typeof put<L>, listener: L, sight: Visibility) => {
    act(indexes.schools, listener, sight.schools)
    act(indexes.depts, listener, sight.depts)
    act(indexes.users, listener, [sight.userId])
  }
  const remove = (listener: L) => {
    const sight = sights.get(listener)
    if (sight) change(take, listener, sight)
    sights.delete(listener)
  }
  const reach = ({ all, byId }: Index<L>, id: number | null, call: (listener: L) => void) => {
    if (id === null) return
    for (const listener of all) call(listener)
    for (const listener of byId.get(id) ?? []) call(listener)
  }
  return {
    place: (listener, sight) => {
      remove(listener)
      sights.set(listener, sight)
      change(put, listener, sight)
    },
    remove,
    each: ({ schoolId, deptId, userId }, call) => {
      if (schoolId === null && deptId === null && userId === null) for (const sight of sights.keys()) call(sight)
      reach(indexes.schools, schoolId, call)
      reach(indexes.depts, deptId, call)
      reach(indexes.users, userId, call)
    },
    everybody: () => sights.keys(),
  }
}
