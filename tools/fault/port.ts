import { createServer } from 'node:net'

/** Below the range from which the system takes the source ports of outgoing connections (Linux: 32768 and up). */
const FIRST = 20_000
const COUNT = 12_000
/** Parallel test workers use different ranges, so that a port just released by one is not free for another. */
const WORKERS = 8
const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS

const free = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const server = createServer()
    server.once('error', () => answer(false))
    server.listen(port, '127.0.0.1', () => server.close(() => answer(true)))
  })

/** A port just handed out may have no listener yet. */
const given = new Set<number>()

/**
 * A port that stays free while a killed server is down: a port of the ephemeral range could become the source port of a
 * device's connection attempt, even to itself.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST + Math.floor((Math.random() * COUNT) / WORKERS) * WORKERS + worker
    if (given.has(port) || !(await free(port))) continue
    given.add(port)
    return port
  }
}
