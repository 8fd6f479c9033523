/** Runs `work` in one tab of the browser at a time; `waited`: another tab ran it just before. */
export type TabLock = <T>(run: (waited: boolean) => Promise<T>) => Promise<T>

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
type Post = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>

/** Longer than a refresh takes, so that a lease expires only when its tab was closed. */
export const LEASE_MS = 15_000
/** Two tabs may write at the same time; after this pause both read the last value. */
const SETTLE_MS = 30

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const heldBy = (shelf: Shelf, key: string): string | undefined => {
  const [owner, until] = (shelf.getItem(key) ?? '').split(' ')
  const left = Number(until) - Date.now()
  // More than a whole lease can remain only after the clock was set back.
  return owner && left > 0 && left <= LEASE_MS ? owner : undefined
}

const freed = (post: Post, key: string) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      post.removeEventListener('message', handleEvent)
      resolve()
    }
    const handleEvent = (event: Event) => {
      if ((event as MessageEvent).data === key) end()
    }
    const timer = setTimeout(end, 1000)
    post.addEventListener('message', handleEvent)
  })

/** The lock of a page without a secure context (http://10.x): a lease in the storage shared by all tabs. */
export const leaseLock = (key: string, shelf: Shelf, post: Post): TabLock => {
  const take = async () => {
    const me = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`
    for (let waited = false; ; ) {
      if (heldBy(shelf, key)) {
        waited = true
        await freed(post, key)
        continue
      }
      shelf.setItem(key, `${me} ${Date.now() + LEASE_MS}`)
      await wait(SETTLE_MS)
      if (heldBy(shelf, key) === me) return { me, waited }
    }
  }
  return async (run) => {
    const { me, waited } = await take()
    try {
      return await run(waited)
    } finally {
      if (heldBy(shelf, key) === me) shelf.removeItem(key)
      post.postMessage(key)
    }
  }
}

const webLock =
  (key: string): TabLock =>
  async (run) => {
    const first = await navigator.locks.request(key, { ifAvailable: true }, async (lock) =>
      lock ? { answer: await run(false) } : undefined,
    )
    return first ? first.answer : await navigator.locks.request(key, () => run(true))
  }

/** Web Locks where available; no lock where the browser offers neither locks nor storage. */
export const withTabLock = (key: string): TabLock => {
  if (globalThis.navigator?.locks) return webLock(key)
  try {
    return leaseLock(key, localStorage, new BroadcastChannel(key))
  } catch {
    return (run) => run(false)
  }
}
