import type pg from 'pg'

/** Texts that one connection keeps a plan of; what comes beyond is planned each time, as everywhere else. */
const MOST = 200

/** A migration of another node changed what `select *` answers: the plan is of no use any more. */
const PLAN_OUTDATED = '0A000'

/**
 * Makes a connection name its statements, so that PostgreSQL plans each text once instead of each time: planning is
 * half of what the database does for an alarm. For pools with few texts, each found by key, where a plan that does not
 * know the parameters is as good. After a plan has become outdated the statement fails once, and the next is planned
 * anew.
 */
export const namePreparedStatements = (client: pg.PoolClient): void => {
  const names = new Map<string, string>()
  let made = 0
  // The driver's many signatures, of which only the one with text and values is changed.
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || names.size >= MOST) return known
    made += 1
    const name = `kept_${made}`
    names.set(text, name)
    return name
  }
  const ask = (text: unknown, values: unknown, ...rest: unknown[]): unknown => {
    const repeatable = typeof text === 'string' && Array.isArray(values) && values.length > 0
    const name = repeatable ? nameOf(text) : undefined
    if (name === undefined) return query(text, values, ...rest)
    const asked = query({ name, text, values }, ...rest)
    if (asked instanceof Promise)
      asked.catch((error: { code?: unknown }) => {
        if (error.code === PLAN_OUTDATED) names.clear()
      })
    return asked
  }
  client.query = ask as typeof client.query
}
