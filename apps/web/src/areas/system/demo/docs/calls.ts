type Operation = { summary: string; tags: readonly string[]; [more: string]: unknown }
/** As the server prints it. */
export type ApiDocument = {
  components: { schemas: Record<string, unknown>; [more: string]: unknown }
  paths: Record<string, Record<string, Operation>>
  [more: string]: unknown
}
export type Call = { area: string; method: string; path: string; summary: string }

/** What a call goes by in an address, and in the viewer. */
export const idOf = ({ method, path }: Pick<Call, 'method' | 'path'>): string => `${method} ${path}`

/** The calls of the second family share one tag; what they are about comes third. */
const areaOf = (path: string, [tag = '']: readonly string[]): string =>
  tag === 'api/v1' ? path.split('/').slice(1, 4).join('/') : tag

/** Every call under each spelling of its path. */
export const callsOf = ({ paths }: ApiDocument): Call[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, tags }]) => ({ area: areaOf(path, tags), method, path, summary })),
  )

/** The areas by name, and how many calls each has. */
export const areasOf = (calls: readonly Call[]): { area: string; count: number }[] =>
  [...Map.groupBy(calls, ({ area }) => area)]
    .map(([area, of]) => ({ area, count: of.length }))
    .toSorted((a, b) => (a.area < b.area ? -1 : 1))

/** Those that have every one of the words in their method, path or sentence; none where nothing is looked for. */
export const matching = (calls: readonly Call[], words: string): Call[] => {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (parts.length === 0) return []
  return calls.filter((call) => {
    const text = `${idOf(call)} ${call.summary}`.toLowerCase()
    return parts.every((part) => text.includes(part))
  })
}

/** The schemas that something refers to, and those that these refer to. */
const reached = (all: Record<string, unknown>, from: unknown): Record<string, unknown> => {
  const found = new Set<string>()
  const follow = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name) || !(name in all)) continue
      found.add(name)
      follow(all[name])
    }
  }
  follow(from)
  return Object.fromEntries(Object.entries(all).filter(([name]) => found.has(name)))
}

/** The viewer fails over a call with a pair in its address; those of this product hold two of a kind, such as a span. */
const withoutPairs = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('prefixItems' in value)) return value
  const { prefixItems, ...rest } = value
  return { ...rest, items: Array.isArray(prefixItems) ? prefixItems[0] : {} }
}

/**
 * The document of one area alone, for a viewer that takes many seconds over all of it.
 * @param first the id of a call to begin with
 */
export const documentOf = (whole: ApiDocument, area: string, first: string | undefined): ApiDocument => {
  const own = callsOf(whole).filter((call) => call.area === area)
  const begin = own.filter((call) => idOf(call) === first)
  const paths: ApiDocument['paths'] = {}
  for (const { method, path } of [...begin, ...own]) {
    const operation = whole.paths[path]?.[method]
    if (operation) (paths[path] ??= {})[method] = { ...operation, tags: [area], operationId: idOf({ method, path }) }
  }
  const schemas = reached(whole.components.schemas, paths)
  return JSON.parse(JSON.stringify({ ...whole, paths, components: { ...whole.components, schemas } }), withoutPairs)
}
