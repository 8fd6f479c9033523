import { useEffect } from 'react'
import { create } from 'zustand'
import type { ApiError } from '../error.ts'
import { useSession } from '../session.ts'
import { getLocalItem, setLocalItem, UNSENT_PREFIX } from '../storage.ts'
import { isRefused, retryDelay } from './retry.ts'

type QueueItem = { stepKey: string }

type State<T> = {
  /** Stored on this phone and not yet confirmed by the server, in their order. */
  items: readonly T[]
  /** The last attempt failed. */
  isFailing: boolean
}

type Options<T> = {
  name: string
  parse: (stored: string | null) => readonly T[]
  format: (items: readonly T[]) => string
  send: (item: T) => Promise<void>
  /** After everything was sent. */
  onSent: () => Promise<unknown>
  /** The server will not take the item, however often it is sent: the user must know. */
  onRefused: (error: ApiError, item: T) => void
  /** An item depends on those before it; otherwise one that fails lets the others pass. */
  isOrdered: boolean
}

/** The items of the person who is signed in, on this phone under their id. */
const createItemStore = <T extends QueueItem>({ name, parse, format }: Options<T>) => {
  const useQueue = create<State<T>>()(() => ({ items: [], isFailing: false }))
  let owner = 0
  const key = () => `${UNSENT_PREFIX}${name}.${owner}`
  const list = (): readonly T[] => useQueue.getState().items
  const store = (items: readonly T[]): void => {
    useQueue.setState({ items })
    setLocalItem(key(), items.length > 0 ? format(items) : null)
  }
  return {
    useQueue,
    owner: () => owner,
    list,
    add: (item: T) => store([...list(), item]),
    remove: (item: T) => store(list().filter(({ stepKey }) => stepKey !== item.stepKey)),
    open: (userId: number) => {
      owner = userId
      useQueue.setState({ items: parse(getLocalItem(key())), isFailing: false })
    },
  }
}
type ItemStore<T extends QueueItem> = ReturnType<typeof createItemStore<T>>

/** @returns whether the item is done with */
const trySend = async <T>({ send, onRefused }: Options<T>, item: T): Promise<boolean> => {
  try {
    await send(item)
  } catch (error) {
    if (!isRefused(error)) return false
    onRefused(error, item)
  }
  return true
}

/** Sends each item once. @returns whether all are done with */
const sendOnce = async <T extends QueueItem>(items: ItemStore<T>, options: Options<T>): Promise<boolean> => {
  let owner = items.owner()
  const kept = new Set<string>()
  for (;;) {
    const item = items.list().find(({ stepKey }) => !kept.has(stepKey))
    if (!item) break
    const isDone = await trySend(options, item)
    if (owner !== items.owner()) {
      // Another person has signed in on this phone: the rest waits under the key of its owner.
      owner = items.owner()
      kept.clear()
      continue
    }
    if (isDone) items.remove(item)
    else kept.add(item.stepKey)
    if (!isDone && options.isOrdered) break
  }
  return kept.size === 0
}

/**
 * What a person does on the phone without a connection: stored first, then sent until the server takes or refuses it,
 * also by a later page or after another sign-in of the same person.
 */
export const createSendQueue = <T extends QueueItem>(options: Options<T>) => {
  const items = createItemStore(options)
  let failures = 0
  let sending: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const drain = async (): Promise<void> => {
    const isDone = await sendOnce(items, options)
    failures = isDone ? 0 : failures + 1
    items.useQueue.setState({ isFailing: !isDone })
    if (isDone) void options.onSent()
    else timer = setTimeout(() => void sendAll(), retryDelay(failures))
  }

  /** A run in progress continues. */
  const sendAll = (): Promise<void> => {
    clearTimeout(timer)
    sending ??= drain().finally(() => {
      sending = undefined
    })
    return sending
  }

  const open = (userId: number): void => {
    clearTimeout(timer)
    failures = 0
    items.open(userId)
    if (items.list().length > 0) void sendAll()
  }

  const add = (item: T): void => {
    items.add(item)
    void sendAll()
  }

  /** Opens the queue of the signed-in person while the page is shown. */
  const useStored = (): void => {
    const userId = useSession(({ user }) => user?.id)
    useEffect(() => {
      if (userId === undefined) return
      open(userId)
      const retry = () => void sendAll()
      window.addEventListener('online', retry)
      return () => window.removeEventListener('online', retry)
    }, [userId])
  }

  return { useQueue: items.useQueue, useStored, open, add }
}
