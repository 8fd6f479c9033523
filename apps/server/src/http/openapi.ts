import type { Endpoint, FilePart } from '@tocsin/contract/endpoint'
import { labelOf } from '@tocsin/contract/field'
import { z } from 'zod'

type Json = Record<string, unknown>

/**
 * JSON Schema of the wire: queries by their decoded type, bodies and responses by their encoded one. The Chinese label
 * is the title and the English one the description.
 */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { titleEn } = jsonSchema
      delete jsonSchema['titleEn']
      if (typeof titleEn === 'string') jsonSchema.description = titleEn
      if (io === 'output' && zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'integer' })
    },
  })
  return rest
}

const optional = (schema: z.ZodType) => schema.safeParse(undefined).success

/** Documents the decoded value, like 7 for "7" and true for "true"; flags sent as 0 and 1 are documented as such. */
const parameterOf = (schema: z.ZodType): Json => {
  const sent = schemaOf(schema, 'input')
  return Array.isArray(sent['enum']) && !sent['enum'].includes('true') ? sent : schemaOf(schema, 'output')
}

const parameters = (e: Endpoint): Json[] =>
  (['params', 'query'] as const).flatMap((part) =>
    Object.entries(e[part]?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      required: part === 'params' || !optional(schema as z.ZodType),
      description: labelOf(schema as z.ZodType)?.titleEn,
      schema: parameterOf(schema as z.ZodType),
    })),
  )

const envelope = (data: Json): Json => ({
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: {
    code: { type: ['integer', 'string'], description: '200: success' },
    msg: { type: 'string' },
    data,
    traceId: { type: 'string' },
  },
})

/** Responses that several calls share, keyed by the schema: printed once under a name. */
type Shared = Map<z.ZodType, string>

const pascal = (path: string) => path.replace(/(?:^|[/-])(\w)/g, (_, first: string) => first.toUpperCase())

const sharedAnswers = (endpoints: readonly Endpoint[]): Shared => {
  const uses = Map.groupBy(endpoints, (e) => e.data)
  const shared = [...uses].filter(([schema, by]) => by.length > 1 && 'shape' in schema)
  return new Map(
    shared.map(([schema, [first]]) => [schema, pascal((first?.path ?? '').split('/').slice(1, 3).join('/'))]),
  )
}

const answer = (e: Endpoint, shared: Shared): Json => {
  if (e.kind === 'file') return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  const name = shared.get(e.data)
  const data = name ? { $ref: `#/components/schemas/${name}` } : schemaOf(e.data, 'input')
  return { 'application/json': { schema: envelope(data) } }
}

const filesOf = (files: Readonly<Record<string, FilePart>>): Json =>
  Object.fromEntries(
    Object.entries(files).map(([name, { titleEn, bytes, count = 1 }]) => {
      const one = { type: 'string', format: 'binary', description: `${titleEn}, at most ${bytes} bytes` }
      return [name, count === 1 ? one : { type: 'array', items: one, maxItems: count }]
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

const operation = (e: Endpoint, shared: Shared): Json => ({
  summary: `${e.summary} / ${e.summaryEn}`,
  tags: [e.path.split('/').slice(1, 3).join('/')],
  'x-permission': e.permission,
  'x-scope': e.scope,
  ...(e.permission !== 'open' && { security: [{ bearer: [] }] }),
  parameters: parameters(e),
  ...((e.body || e.files) && { requestBody: { required: true, content: bodyOf(e) } }),
  responses: { 200: { description: 'Envelope; refusals too', content: answer(e, shared) } },
})

/** Prints OpenAPI 3.1 of the given calls, with every alias of a path. */
export const openapi = (endpoints: readonly Endpoint[], version: string): Json => {
  const shared = sharedAnswers(endpoints)
  const paths: Record<string, Json> = {}
  for (const e of endpoints)
    for (const { method = e.method, path } of [{ path: e.path }, ...(e.also ?? [])] as {
      method?: string
      path: string
    }[])
      (paths[path.replace(/:(\w+)/g, '{$1}')] ??= {})[method.toLowerCase()] = operation(e, shared)
  return {
    openapi: '3.1.0',
    info: { title: 'Tocsin 校警联', version },
    servers: [{ url: '/admin-api' }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries([...shared].map(([schema, name]) => [name, schemaOf(schema, 'input')])),
    },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
