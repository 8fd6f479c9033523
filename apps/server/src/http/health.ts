import type { FastifyInstance } from 'fastify'

/**
 * A dependency without which this node is not useful. The check throws or returns false when it fails. `reason` is shown
 * to everybody who asks, so it has no addresses or names.
 */
export type HealthCheck = { name: string; isHealthy: () => Promise<boolean>; reason?: () => string | undefined }

type Health = Record<string, boolean | Record<string, string>>

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
  let last: { at: number; answer: Promise<Health> } | undefined
  const look = async (): Promise<Health> => {
    const results = await Promise.all(checks.map(async (check) => ({ check, passed: await within(check) })))
    const failed = results.filter(({ passed }) => !passed)
    const reasons = failed.flatMap(({ check }) => {
      const reason = check.reason?.()
      return reason === undefined ? [] : [[check.name, reason] as const]
    })
    return {
      ...Object.fromEntries(results.map(({ check, passed }) => [check.name, passed])),
      ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }),
    }
  }
  const fresh = () => {
    if (!last || performance.now() - last.at > EVERY_MS) last = { at: performance.now(), answer: look() }
    return last.answer
  }
  app.get('/livez', () => ({ alive: true }))
  app.get('/readyz', async (_request, reply) => {
    const answer = await fresh()
    return reply.code(Object.values(answer).every((value) => value !== false) ? 200 : 503).send(answer)
  })
}
