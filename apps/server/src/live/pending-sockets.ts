/** Limits sockets that have not authenticated yet, in all and per address. */
export type PendingSocketLimiter = {
  isFull: (address: string) => boolean
  /** @returns a function to call when the socket authenticated or closed; calling it twice is safe. */
  enter: (address: string) => () => void
}

/** Unknown clients may open sockets and stay silent; users must still find room. */
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
