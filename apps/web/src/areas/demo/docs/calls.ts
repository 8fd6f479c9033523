import type { Lang } from '@tocsin/contract/field'

type Parameter = { description?: string; schema: { title?: string; [more: string]: unknown }; [more: string]: unknown }
type Operation = {
  summary: string
  tags: readonly string[]
  parameters?: readonly Parameter[]
  [more: string]: unknown
}
/** The document as the server prints it. */
export type ApiDocument = {
  components: { schemas: Record<string, unknown>; responses?: Record<string, unknown>; [more: string]: unknown }
  paths: Record<string, Record<string, Operation>>
  [more: string]: unknown
}
export type Call = { area: string; method: string; path: string; summary: string }

/** The id of a call in an address, and in the viewer. */
export const idOf = ({ method, path }: Pick<Call, 'method' | 'path'>): string => `${method} ${path}`

/** The compatibility calls share one tag; their third segment is the entity, except for an entity of both APIs. */
const areaOf = (path: string, [tag = '']: readonly string[]): string => {
  if (tag !== 'api/v1') return tag
  return path
    .split('/')
    .slice(1, path.startsWith('/api/v1/') ? 4 : 3)
    .join('/')
}

/** Every call under each of its paths. */
export const callsOf = ({ paths }: ApiDocument): Call[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, tags }]) => ({ area: areaOf(path, tags), method, path, summary })),
  )

/** The areas by name, with their number of calls. */
export const areasOf = (calls: readonly Call[]): { area: string; count: number }[] =>
  [...Map.groupBy(calls, ({ area }) => area)]
    .map(([area, of]) => ({ area, count: of.length }))
    .toSorted((a, b) => (a.area < b.area ? -1 : 1))

/** The calls with all of the words in method, path or title; none for an empty search. */
export const matching = (calls: readonly Call[], words: string): Call[] => {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (parts.length === 0) return []
  return calls.filter((call) => {
    const text = `${idOf(call)} ${call.summary}`.toLowerCase()
    return parts.every((part) => text.includes(part))
  })
}

/** The document has each text in both languages, Chinese first. */
export const summaryIn = (summary: string, lang: Lang): string => {
  const [zh, en = zh] = summary.split(' / ')
  return (lang === 'en' ? en : zh) ?? summary
}

/** A node with a Chinese title and an English description keeps one of them, as its title. */
const named = (part: Record<string, unknown>, lang: Lang): Record<string, unknown> => {
  const { description, ...rest } = part
  if (typeof part['title'] !== 'string' || typeof description !== 'string') return part
  return lang === 'en' ? { ...rest, title: description } : rest
}

/** A parameter is described by the title of its schema. */
const parameterOf = (parameter: Parameter): Parameter => {
  const { title } = parameter.schema
  return title === undefined ? parameter : { ...parameter, description: title }
}

/** Resolves all references, and replaces tuples, on which the viewer fails. */
const drawable = (
  part: unknown,
  lang: Lang,
  components: ApiDocument['components'],
  above: readonly string[] = [],
): unknown => {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((item) => drawable(item, lang, components, above))
  if ('$ref' in part && typeof part.$ref === 'string') {
    const [kind, name = ''] = part.$ref.replace('#/components/', '').split('/')
    const target = (kind === 'responses' ? components.responses : components.schemas)?.[name]
    // A recursive schema ends there.
    return above.includes(part.$ref) ? {} : drawable(target ?? {}, lang, components, [...above, part.$ref])
  }
  const { prefixItems, ...rest } = part as Record<string, unknown>
  // The tuples of this project have two elements of one kind, such as a range.
  const whole = Array.isArray(prefixItems) ? { ...rest, items: prefixItems[0] } : rest
  const entries = Object.entries(named(whole, lang))
  return Object.fromEntries(entries.map(([name, item]) => [name, drawable(item, lang, components, above)]))
}

/**
 * The document of one area in one language, for a viewer that takes many seconds over all areas.
 * @param first the id of the call to start with
 */
export const documentOf = (whole: ApiDocument, area: string, lang: Lang, first?: string): ApiDocument => {
  const own = callsOf(whole).filter((call) => call.area === area)
  const begin = own.filter((call) => idOf(call) === first)
  const paths: ApiDocument['paths'] = {}
  for (const { method, path } of [...begin, ...own]) {
    const operation = drawable(whole.paths[path]?.[method], lang, whole.components) as Operation
    ;(paths[path] ??= {})[method] = {
      ...operation,
      summary: summaryIn(operation.summary, lang),
      ...(operation.parameters && { parameters: operation.parameters.map(parameterOf) }),
      tags: [area],
      operationId: idOf({ method, path }),
    }
  }
  return { ...whole, paths, components: { ...whole.components, schemas: {}, responses: {} } }
}
