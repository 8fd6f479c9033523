import type { FastifyInstance } from 'fastify'

/** A dependency without which this node is not useful. The check throws or returns false when it fails. */
export type HealthCheck = { name: string; isHealthy: () => Promise<boolean> }

const EVERY_MS = 1000
const LIMIT_MS = 3000

const within = async (check: HealthCheck): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((done) => {
    timer = setTimeout(done, LIMIT_MS, false)
  })
  try {
    return await Promise.race([check.isHealthy(), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

/**
 * `/livez`: the event loop runs. `/readyz`: every check passes; checked at most once a second, however often it is
 * called (DESIGN 3).
 */
export const mountHealthRoutes = (app: FastifyInstance, checks: HealthCheck[]): void => {
  let last: { at: number; answer: Promise<Record<string, boolean>> } | undefined
  const look = async () => Object.fromEntries(await Promise.all(checks.map(async (c) => [c.name, await within(c)])))
  const fresh = () => {
    if (!last || performance.now() - last.at > EVERY_MS) last = { at: performance.now(), answer: look() }
    return last.answer
  }
  app.get('/livez', () => ({ alive: true }))
  app.get('/readyz', async (_request, reply) => {
    const answer = await fresh()
    return reply.code(Object.values(answer).every(Boolean) ? 200 : 503).send(answer)
  })
}
