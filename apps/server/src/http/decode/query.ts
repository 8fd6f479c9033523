import qs from 'qs'

/** SPEC 9: array limit 20, depth 5, 1000 parameters. */
const limits = { arrayLimit: 20, depth: 5, parameterLimit: 1000 } as const

const strict = {
  ...limits,
  allowDots: true,
  strictDepth: true,
  throwOnLimitExceeded: true,
  plainObjects: true,
} satisfies qs.IParseOptions

/** Marks a query string beyond the limits. It is not thrown: a throwing parser would end the process. */
export const OVERSIZED_QUERY = '\u0000refused'

const dropEmpty = (given: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== null))

/** Parses a query string with qs, bracketed or dotted; drops empty parameters (DESIGN 4). */
export const parseQuery = (text: string): Record<string, unknown> => {
  try {
    return dropEmpty(qs.parse(text, strict))
  } catch {
    return { [OVERSIZED_QUERY]: true }
  }
}
