/** The link of a copy ended before the message was committed: nobody is left to answer. */
export class LinkEndedError extends Error {}

/** One for all: a stack for each of a hundred thousand copies would be expensive. */
const linkEnded = new LinkEndedError('the link ended')

/** The connection that a message came over. Only its identity matters. */
export type LinkRef = object

type Waiter = { promise: Promise<unknown>; resolve: (value: unknown) => void; reject: (error: unknown) => void }

/** The copies of one pending message: one waiter for each link. */
export type Copies = Map<LinkRef, Waiter>

export type CopyWaiters = {
  /** The answer to a copy that came over this link. */
  join: (copies: Copies, link: LinkRef) => Promise<unknown>
  /** Answers all copies once the message is done. */
  settle: (copies: Copies | undefined, answer: (waiter: Waiter) => void) => void
  /** Rejects the copies of a link that ended. Their bytes are free from then on. */
  endLink: (link: LinkRef) => void
}

/**
 * Keeps those who sent a pending message again. A device that reconnects sends everything again each time, so a copy may
 * not outlive its link: promise reactions on the message itself could not be removed.
 */
export const createCopyWaiters = (): CopyWaiters => {
  const joined = new Map<LinkRef, Set<Copies>>()
  const leave = (link: LinkRef, copies: Copies): void => {
    const all = joined.get(link)
    all?.delete(copies)
    if (all?.size === 0) joined.delete(link)
  }
  return {
    join: (copies, link) => {
      const known = copies.get(link)
      if (known) return known.promise
      const waiter: Waiter = Promise.withResolvers()
      copies.set(link, waiter)
      const all = joined.get(link)
      if (all) all.add(copies)
      else joined.set(link, new Set([copies]))
      return waiter.promise
    },
    settle: (copies, answer) => {
      if (!copies) return
      for (const [link, waiter] of copies) {
        leave(link, copies)
        answer(waiter)
      }
      copies.clear()
    },
    endLink: (link) => {
      const all = joined.get(link)
      joined.delete(link)
      for (const copies of all ?? []) {
        const waiter = copies.get(link)
        copies.delete(link)
        waiter?.reject(linkEnded)
      }
    },
  }
}
