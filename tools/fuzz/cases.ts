import type { Operation, Parameter } from './operation.ts'
import { bodies, headers, numbers, others, pathParts, queries, texts, unstorable } from './hostile-inputs.ts'
import type { RandomSource } from './random.ts'
import { type Schema, valueOf } from './values.ts'

type Fields = Record<string, unknown>
type File = { name: string; bytes: Buffer }

/** A call to send. */
type Draft = {
  params: Record<string, string>
  query: Fields
  /** Appended to the query unchanged. */
  rawQuery: string
  headers: Record<string, string>
  body: unknown
  files: Record<string, File>
  raw?: { type: string; text: string }
}

export type FuzzCase = {
  /** The change made to a valid call, like `missing name`. */
  how: string
  /** Success would be a fault: the change violates the contract itself. */
  mustRefuse: boolean
  /** The one wrong field: the error must name it. */
  field?: string
  /** Matches the contract: an error at one of its fields would be a fault. */
  valid: boolean
  path: string
  headers: Record<string, string>
  payload?: Buffer
  /** The values that `payload` was made of. */
  body?: unknown
}

type Change = { how: string; mustRefuse?: boolean; field?: string }
type Mutation = (draft: Draft, operation: Operation, random: RandomSource) => Change | undefined

/** Has the columns that every import needs, of users, of devices and of people. */
const sheet: File = {
  name: 'a.csv',
  bytes: Buffer.from(
    '登录名称,用户名称,部门编号,用户邮箱,手机号码,用户性别,账号状态,设备序列号,型号,工号,人员姓名,类别,学校代码,学校名称,教育部门,学段,日期,类型,岗位,学校,星期,上岗时间,下班时间,应到人数\r\nu1,张三,1,,,,,SN1,1,B1,张三,保安,S1,一小,1,小学,2031-01-01,放假,校门岗,一小,一二三四五,07:00,18:00,1\r\n',
  ),
}
/** One grey pixel. */
const picture: File = {
  name: 'a.png',
  bytes: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
    'base64',
  ),
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : String(value))

const draftOf = (operation: Operation, random: RandomSource): Draft => {
  const of = (where: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === where)
  const query = of('query').filter(({ required }) => required || random.one(3))
  return {
    params: Object.fromEntries(of('path').map(({ name, schema }) => [name, textIn(valueOf(schema, name, random))])),
    query: Object.fromEntries(query.map(({ name, schema }) => [name, valueOf(schema, name, random)])),
    rawQuery: '',
    headers: {},
    body: operation.body && valueOf(operation.body, '', random),
    files: Object.fromEntries(operation.files.map((name) => [name, random.pick([sheet, picture])])),
  }
}

const fieldOf = (draft: Draft, { body }: Operation, random: RandomSource) => {
  const names = Object.keys(body?.properties ?? {})
  if (names.length === 0) return undefined
  const name = random.pick(names)
  // A body with named properties was generated from its schema, so it is an object.
  return { name, schema: body?.properties?.[name] ?? {}, fields: draft.body as Fields }
}

const typesOf = (schema: Schema): string[] | undefined => {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    const all = choices.map(typesOf)
    return all.includes(undefined) ? undefined : all.flatMap((types) => types ?? [])
  }
  if ('const' in schema) return [typeof schema.const]
  if (!schema.type) return undefined
  return [schema.type].flat()
}

const missing: Mutation = (draft, { body }, random) => {
  const required = body?.required ?? []
  if (required.length === 0) return undefined
  const name = random.pick(required)
  const { [name]: _, ...rest } = draft.body as Fields
  draft.body = rest
  return { how: `missing ${name}`, mustRefuse: true, field: name }
}

const wrongType: Mutation = (draft, operation, random) => {
  const field = fieldOf(draft, operation, random)
  const types = field && typesOf(field.schema)
  if (!field || !types || operation.multipart) return undefined
  const value = random.pick([7.5, 'text of no kind', true, [[]], { a: 1 }].filter((item) => !fits(item, types)))
  field.fields[field.name] = value
  return { how: `${field.name} is ${JSON.stringify(value)}`, mustRefuse: true, field: field.name }
}
const fits = (value: unknown, types: string[]) => {
  const type = Array.isArray(value) ? 'array' : typeof value
  return types.includes(type)
}

const extra: Mutation = (draft, { body }, random) => {
  if (body?.additionalProperties !== false) return undefined
  const name = random.pick(['admin', 'constructor', 'toString', 'passwordHash', 'createTime2'])
  draft.body = { ...(draft.body as Fields), [name]: 1 }
  return { how: `unknown ${name}`, mustRefuse: true, field: name }
}

const cannotBeKept: Mutation = (draft, operation, random) => {
  const field = fieldOf(draft, operation, random)
  // A form part is bytes: it cannot contain half a surrogate pair.
  if (!field || operation.multipart) return undefined
  field.fields[field.name] = random.pick(unstorable)
  return { how: `${field.name} holds what cannot be kept`, mustRefuse: true, field: field.name }
}

const beyond: Mutation = (draft, operation, random) => {
  const field = fieldOf(draft, operation, random)
  if (!field) return undefined
  const { schema, name, fields } = field
  const values = [
    ...(schema.maxLength !== undefined && !schema.pattern ? ['x'.repeat(schema.maxLength + 1)] : []),
    ...(schema.minimum !== undefined && !operation.multipart ? [schema.minimum - 1] : []),
    ...(schema.maximum !== undefined && !operation.multipart ? [schema.maximum + 1] : []),
    ...(schema.maxItems !== undefined ? [Array.from({ length: schema.maxItems + 1 }, () => 1)] : []),
  ]
  if (values.length === 0) return undefined
  fields[name] = random.pick(values)
  return { how: `${name} just beyond its bounds`, mustRefuse: true, field: name }
}

const hostileInputs: Mutation = (draft, operation, random) => {
  const field = fieldOf(draft, operation, random)
  if (!field) return undefined
  field.fields[field.name] = random.pick<unknown>([...texts, ...numbers, ...others])
  return { how: `${field.name} is ${JSON.stringify(field.fields[field.name])?.slice(0, 60)}` }
}

const hostileQuery: Mutation = (draft, { parameters }, random) => {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  if (query.length === 0) return undefined
  const { name } = random.pick(query)
  draft.query[name] = random.pick<unknown>([...texts, ...numbers, ...unstorable.slice(0, 2)])
  return { how: `query ${name} is ${JSON.stringify(draft.query[name]).slice(0, 60)}` }
}

const nastyParam: Mutation = (draft, { parameters }, random) => {
  const names = parameters.filter((parameter) => parameter.in === 'path')
  if (names.length === 0) return undefined
  const { name } = random.pick(names)
  draft.params[name] = random.pick(pathParts)
  return { how: `{${name}} is ${draft.params[name]?.slice(0, 60)}` }
}

const oddQuery: Mutation = (draft, _operation, random) => {
  draft.rawQuery = random.pick(queries)
  return { how: `query ${draft.rawQuery.slice(0, 60)}` }
}

const oddHeader: Mutation = (draft, _operation, random) => {
  draft.headers = random.pick(headers)
  return { how: `header ${JSON.stringify(draft.headers).slice(0, 60)}` }
}

const oddBody: Mutation = (draft, { method }, random) => {
  if (method === 'GET') return undefined
  draft.raw = random.pick(bodies)
  return { how: `body ${draft.raw.type}: ${draft.raw.text.slice(0, 40)}` }
}

const oddFile: Mutation = (draft, { files }, random) => {
  const [name] = files
  if (!name) return undefined
  const change = random.pick(['absent', 'empty', 'binary', 'elsewhere'])
  if (change === 'absent') draft.files = {}
  if (change === 'empty') draft.files[name] = { ...sheet, bytes: Buffer.alloc(0) }
  if (change === 'binary') draft.files[name] = { ...sheet, bytes: Buffer.from('PK\u0003\u0004\u0000\u0000') }
  if (change === 'elsewhere') draft.files = { [`${name}2`]: sheet }
  return { how: `file ${change}`, mustRefuse: change !== 'binary' }
}

const mutations = [
  missing,
  wrongType,
  extra,
  cannotBeKept,
  beyond,
  hostileInputs,
  hostileInputs,
  hostileQuery,
  hostileQuery,
  nastyParam,
  oddQuery,
  oddHeader,
  oddBody,
  oddFile,
] as const

const pairs = (name: string, value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap((item, at) => pairs(`${name}[${at}]`, item))
  return value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`]
}

const BOUNDARY = 'fuzzboundary'
const part = (disposition: string, bytes: string | Buffer) => [
  Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
  Buffer.from(bytes),
  Buffer.from('\r\n'),
]

const multipartOf = ({ body, files }: Draft): Buffer => {
  const fields = Object.entries((body ?? {}) as Fields).flatMap(([name, value]) =>
    part(`name="${name}"`, typeof value === 'string' ? value : JSON.stringify(value ?? '')),
  )
  const sent = Object.entries(files).flatMap(([field, file]) =>
    part(`name="${field}"; filename="${file.name}"`, file.bytes),
  )
  return Buffer.concat([...fields, ...sent, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

const payloadOf = (draft: Draft, { body, files, multipart }: Operation) => {
  if (draft.raw) return { type: draft.raw.type, bytes: Buffer.from(draft.raw.text) }
  if (files.length > 0 || multipart)
    return { type: `multipart/form-data; boundary=${BOUNDARY}`, bytes: multipartOf(draft) }
  return body ? { type: 'application/json', bytes: Buffer.from(JSON.stringify(draft.body)) } : undefined
}

/** Generates one call of an operation, the same for the same random numbers. @param valid leaves the call unchanged */
export const caseOf = (operation: Operation, random: RandomSource, valid = false): FuzzCase => {
  const draft = draftOf(operation, random)
  let change: Change | undefined = valid ? { how: 'valid' } : undefined
  while (!change) change = random.pick<Mutation>(mutations)(draft, operation, random)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => draft.params[name] ?? '')
  const query = [...Object.entries(draft.query).flatMap(([name, value]) => pairs(name, value)), draft.rawQuery]
  const item = query.filter(Boolean).join('&')
  const payload = payloadOf(draft, operation)
  return {
    how: change.how,
    mustRefuse: change.mustRefuse ?? false,
    ...(change.field !== undefined && { field: change.field }),
    valid,
    path: item ? `${path}?${item}` : path,
    headers: { ...(payload && { 'content-type': payload.type }), ...draft.headers },
    ...(payload && { payload: payload.bytes, body: draft.body }),
  }
}
