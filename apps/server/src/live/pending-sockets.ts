/** Where sockets stand that have not said yet who they are: so many in all, and so many from one address. */
export type PendingSocketLimiter = {
  isFull: (address: string) => boolean
  /** @returns what to call when it signed in or ended, whichever comes first or both. */
  enter: (address: string) => () => void
}

/** Strangers may open sockets and say nothing: those of people must still find room. */
export const createPendingSocketLimiter = ({
  waiting,
  waitingEach,
}: {
  waiting: number
  waitingEach: number
}): PendingSocketLimiter => {
  const each = new Map<string, number>()
  let all = 0
  return {
    isFull: (address) => all >= waiting || (each.get(address) ?? 0) >= waitingEach,
    enter: (address) => {
      all += 1
      each.set(address, (each.get(address) ?? 0) + 1)
      let stands = true
      return () => {
        if (!stands) return
        stands = false
        all -= 1
        const left = (each.get(address) ?? 1) - 1
        if (left > 0) each.set(address, left)
        else each.delete(address)
      }
    },
  }
}
