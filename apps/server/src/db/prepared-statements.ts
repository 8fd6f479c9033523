import type pg from 'pg'

/** How many texts one connection prepares. Further texts are planned each time, as everywhere else. */
const MOST = 200

/** A migration by another node changed the result of `select *`, so the plan is invalid. */
const PLAN_OUTDATED = '0A000'

/**
 * Names the statements of a connection, so that PostgreSQL plans each text once instead of each time: planning is half
 * of the database's work for an alarm. Use it for pools with few texts that look rows up by key, where a generic plan
 * is as good. After a plan became outdated the statement fails once, and the next call plans again.
 */
export const namePreparedStatements = (client: pg.PoolClient): void => {
  const names = new Map<string, string>()
  let made = 0
  // The driver has many signatures; only the one with text and values is changed.
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
    const item = query({ name, text, values }, ...rest)
    if (item instanceof Promise)
      item.catch((error: { code?: unknown }) => {
        if (error.code === PLAN_OUTDATED) names.clear()
      })
    return item
  }
  client.query = ask as typeof client.query
}
