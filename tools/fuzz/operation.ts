import type { Schema } from './values.ts'

export type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }
export type Operation = {
  /** `POST /system/user/create`, with `{id}` for a path parameter. */
  name: string
  method: string
  path: string
  permission: string
  parameters: Parameter[]
  body?: Schema
  multipart: boolean
  /** Names of the file parts of a multipart form. */
  files: string[]
}

type Printed = {
  paths: Record<string, Record<string, PrintedOperation>>
}
type PrintedOperation = {
  'x-permission': string
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

const isFile = ({ format, items }: Schema) => format === 'binary' || items?.format === 'binary'

const operationOf = (method: string, path: string, printed: PrintedOperation): Operation => {
  const [type, content] = Object.entries(printed.requestBody?.content ?? {})[0] ?? []
  const properties = Object.entries(content?.schema.properties ?? {})
  const files = properties.filter(([, schema]) => isFile(schema)).map(([name]) => name)
  const body = content && {
    ...content.schema,
    properties: Object.fromEntries(properties.filter(([name]) => !files.includes(name))),
    required: (content.schema.required ?? []).filter((name) => !files.includes(name)),
  }
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    permission: printed['x-permission'],
    parameters: printed.parameters,
    ...(body && { body }),
    multipart: type === 'multipart/form-data',
    files,
  }
}

/** Calls that change the fuzzer's own permissions come last: menus grant permissions, settings change rules. */
const rank = ({ method, path }: Operation) =>
  method === 'GET' ? 0 : 1 + ['/menu', 'config', '/permission/', '/role/'].filter((part) => path.includes(part)).length

/** The operations of an OpenAPI document, one for each alias. */
export const operationsOf = (contract: unknown): Operation[] =>
  // The output of openapi(); the contract tests check its shape.
  Object.entries((contract as Printed).paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, printed]) => operationOf(method, path, printed)),
    )
    .toSorted((a, b) => rank(a) - rank(b))
