// Builtins of Node 20 only, like install.mjs.

export const USAGE = `Usage:
  npm test                                   types, lint, format, unit, server and smoke tests
  npm test -- --only PART [PATTERN]          one part: unit, server, smoke, fault or browser; files whose path has PATTERN
  npm run test:all [-- --strict]             everything, for a release; with --strict unstable tests count as failed
  npm run fault [-- --kills N]               fault tests, with N kills of the server
  npm test -- --help                         this text`

/** In this order: the cheapest first. */
const parts = ['unit', 'server', 'smoke', 'fault', 'browser']
const isCount = (text) => /^[1-9]\d{0,5}$/.test(text ?? '')

const gate = { checks: true, projects: ['unit', 'server', 'smoke'], reruns: 0, strict: false }
const release = { checks: true, projects: parts, reruns: 2, strict: false }
const one = (part) => ({ checks: false, projects: [part], reruns: 0, strict: false })

/**
 * Returns what to run: `checks` are types, lint and format, `projects` those of vitest, `reruns` how often failed browser
 * and fault tests run again, `isWhole` whether random and repeated tests have their whole size. Undefined when the arguments are not understood.
 */
export const parseOptions = (args) => {
  const [flag, part, ...rest] = args
  if (flag === undefined) return gate
  if (flag === '--all' && part === undefined) return { ...release, isWhole: true }
  if (flag === '--all' && part === '--strict' && rest.length === 0) return { ...release, isWhole: true, strict: true }
  if (flag !== '--only' || !parts.includes(part)) return undefined
  if (part === 'fault' && rest[0] === '--kills' && isCount(rest[1]) && rest.length === 2)
    return { ...one(part), kills: rest[1] }
  const [pattern, ...more] = rest
  if (more.length > 0 || pattern?.startsWith('-')) return undefined
  return { ...one(part), ...(pattern !== undefined && { pattern }) }
}
