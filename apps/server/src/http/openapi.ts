import type { Endpoint, FilePart } from '@tocsin/contract/endpoint'
import { labelOf } from '@tocsin/contract/field'
import { z } from 'zod'

type Json = Record<string, unknown>

/**
 * JSON Schema of the wire: queries by their decoded type, bodies and responses by their encoded one. The Chinese label
 * is the title and the English one the description. A recursive schema brings its definitions along in `$defs`.
 */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { titleEn } = jsonSchema
      delete jsonSchema['titleEn']
      if (typeof titleEn === 'string') jsonSchema.description = titleEn
      // The bounds of every integer in JavaScript say nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (io === 'output' && zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'integer' })
    },
  })
  return rest
}

const optional = (schema: z.ZodType) => schema.safeParse(undefined).success

const isBooleanText = (words: unknown[]) => words.includes('true') && words.includes('false')

/** Documents the decoded value: 7 for "7", true for "true" and "1". A choice of other words is documented as sent. */
const parameterOf = (schema: z.ZodType): Json => {
  const sent = schemaOf(schema, 'input')
  return Array.isArray(sent['enum']) && !isBooleanText(sent['enum']) ? sent : schemaOf(schema, 'output')
}

/** Ids in a path travel as one text, separated by commas. */
const pathParameterOf = (schema: z.ZodType): Json => {
  const { type, items: _, minItems: __, maxItems: ___, ...rest } = parameterOf(schema)
  return type === 'array' ? { ...rest, type: 'string', format: 'ids', pattern: '^\\d+(,\\d+)*$' } : { type, ...rest }
}

const parameters = (e: Endpoint): Json[] =>
  (['params', 'query'] as const).flatMap((part) =>
    Object.entries(e[part]?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      required: part === 'params' || !optional(schema as z.ZodType),
      description: labelOf(schema as z.ZodType)?.titleEn,
      schema: part === 'params' ? pathParameterOf(schema as z.ZodType) : parameterOf(schema as z.ZodType),
    })),
  )

const CODE_AND_MESSAGE = {
  code: { type: ['integer', 'string'], description: '200: success' },
  msg: { type: 'string' },
}

const envelope = (data: Json): Json => ({
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: { ...CODE_AND_MESSAGE, data, traceId: { type: 'string' } },
})

/** Every call may answer this, with status 200 or another one (wire 2.5). */
const refusal: Json = {
  type: 'object',
  description: 'A refused call: code and message say why, data.errors names the fields.',
  required: ['code', 'msg', 'traceId'],
  properties: {
    ...CODE_AND_MESSAGE,
    traceId: { type: 'string' },
    data: {
      type: ['object', 'null'],
      properties: {
        errors: {
          type: 'array',
          items: {
            type: 'object',
            required: ['field', 'message'],
            properties: { field: { type: 'string' }, message: { type: 'string' } },
          },
        },
      },
    },
  },
}

const pascal = (path: string) =>
  path.replace(/(?:^|[^0-9A-Za-z]+)([0-9A-Za-z])/g, (_, first: string) => first.toUpperCase())

/** What calls refer to. A response is printed once, however many calls and aliases give it. */
type Components = { schemas: Record<string, Json>; responses: Record<string, Json>; printed: Map<z.ZodType, string> }

const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** Moves the definitions of a recursive schema to the components, where a reference from any place finds them. */
const hoistDefinitions = (schema: Json, name: string, { schemas }: Components): Json => {
  const { $defs = {}, ...rest } = schema as Json & { $defs?: Record<string, Json> }
  const names = new Map(Object.keys($defs).map((key, at) => [`#/$defs/${key}`, `${name}Node${at === 0 ? '' : at}`]))
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved)
    if (value === null || typeof value !== 'object') return value
    const target = '$ref' in value ? names.get(String(value.$ref)) : undefined
    if (target) return refTo(target)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, moved(inner)]))
  }
  for (const [key, definition] of Object.entries($defs))
    schemas[names.get(`#/$defs/${key}`) ?? key] = moved(definition) as Json
  return moved(rest) as Json
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const binary = { schema: { type: 'string', format: 'binary' } }

/** A file call that offers a choice of `format` answers a table; the others answer whatever was stored. */
const fileContent = (e: Endpoint): Json =>
  e.query && 'format' in e.query.shape ? { [XLSX]: binary, 'text/csv': binary } : { 'application/octet-stream': binary }

/** The response of a call under `#/components/responses`, named after the first call that gives it. */
const responseName = (e: Endpoint, components: Components): string => {
  const known = components.printed.get(e.data)
  if (known && e.kind !== 'file') return known
  const name = pascal(`${e.method.toLowerCase()}${e.path}`)
  const refused = refTo('Refusal')
  const content =
    e.kind === 'file'
      ? { ...fileContent(e), 'application/json': { schema: refused } }
      : {
          'application/json': {
            schema: {
              oneOf: [envelope(hoistDefinitions(schemaOf(e.data, 'input'), name, components)), refused],
            },
          },
        }
  components.responses[name] = { description: `${e.summaryEn}, or a refusal`, content }
  components.printed.set(e.data, name)
  return name
}

const responses = (e: Endpoint, components: Components): Json => ({
  200: { $ref: `#/components/responses/${responseName(e, components)}` },
  default: { $ref: '#/components/responses/Refusal' },
})

const filesOf = (files: Readonly<Record<string, FilePart>>): Json =>
  Object.fromEntries(
    Object.entries(files).map(([name, { titleEn, bytes, count = 1 }]) => {
      const value = { type: 'string', format: 'binary', description: `${titleEn}, at most ${bytes} bytes` }
      return [name, count === 1 ? value : { type: 'array', items: value, maxItems: count }]
    }),
  )

const bodyOf = (e: Endpoint): Json => {
  const fields = e.body ? schemaOf(e.body, 'input') : { type: 'object' }
  if (e.kind !== 'upload' || !e.files)
    return { [e.kind === 'form' ? 'multipart/form-data' : 'application/json']: { schema: fields } }
  const { properties = {}, required = [] } = fields as { properties?: Json; required?: string[] }
  const schema = {
    ...fields,
    properties: { ...properties, ...filesOf(e.files) },
    required: [...required, ...Object.keys(e.files)],
  }
  return { 'multipart/form-data': { schema } }
}

const operation = (e: Endpoint, id: string, components: Components): Json => ({
  operationId: id,
  summary: `${e.summary} / ${e.summaryEn}`,
  tags: [e.path.split('/').slice(1, 3).join('/')],
  'x-permission': e.permission,
  'x-scope': e.scope,
  security: e.permission === 'open' ? [] : [{ bearer: [] }],
  parameters: parameters(e),
  ...((e.body || e.files) && { requestBody: { required: true, content: bodyOf(e) } }),
  responses: responses(e, components),
})

type Spelling = { method: string; path: string; endpoint: Endpoint }

/**
 * Paths that differ only in the name of a parameter are one path to OpenAPI: each takes the name that stands there
 * first, and the parameter is renamed with it.
 */
const toPrintedPaths = (
  spellings: readonly Spelling[],
): [Spelling, string, readonly (readonly [string, string])[]][] => {
  const known = new Map<string, string>()
  return spellings.map((spelling) => {
    const shape = spelling.path.replace(/:\w+/g, '{}')
    const printed = known.get(shape) ?? spelling.path.replace(/:(\w+)/g, '{$1}')
    known.set(shape, printed)
    const own = [...spelling.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const shown = [...printed.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    return [spelling, printed, own.map((name, at) => [name, shown[at] ?? name] as const)]
  })
}

const renamePathParameters = (printed: Json, names: readonly (readonly [string, string])[]): Json => {
  const renamed = new Map(names)
  // What `parameters` printed above.
  const list = printed['parameters'] as { name: string; in: string }[]
  return {
    ...printed,
    parameters: list.map((parameter) =>
      parameter.in === 'path' ? { ...parameter, name: renamed.get(parameter.name) ?? parameter.name } : parameter,
    ),
  }
}

const sortKeys = (values: Record<string, Json>): Json =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Prints OpenAPI 3.1 of the given calls, with every alias of a path. */
export const openapi = (endpoints: readonly Endpoint[], version: string): Json => {
  const components: Components = {
    schemas: { Refusal: refusal },
    responses: {
      Refusal: { description: 'A refusal', content: { 'application/json': { schema: refTo('Refusal') } } },
    },
    printed: new Map(),
  }
  const spellings = endpoints.flatMap((e) => [
    { method: e.method, path: e.path, endpoint: e },
    ...(e.also ?? []).map(({ method = e.method, path }) => ({ method, path, endpoint: e })),
  ])
  const paths: Record<string, Json> = {}
  for (const [{ method, path, endpoint }, printed, names] of toPrintedPaths(spellings)) {
    const id = `${method.toLowerCase()}${pascal(path)}`
    const call = renamePathParameters(operation(endpoint, id, components), names)
    ;(paths[printed] ??= {})[method.toLowerCase()] = call
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tocsin 校警联', version },
    servers: [{ url: '/admin-api' }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: sortKeys(components.schemas),
      responses: sortKeys(components.responses),
    },
    paths: sortKeys(paths),
  }
}
