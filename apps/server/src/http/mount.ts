import type { Code } from '@tocsin/contract/code'
import { codes, type KillReason, SESSION_KILLED } from '@tocsin/contract/codes'
import { type Endpoint, type Envelope, OK } from '@tocsin/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tmpdir } from 'node:os'
import { z } from 'zod'
import { wakeSequencer } from '#db/event'
import { toErrorResponse } from '#http/errors'
import { decodeInput } from '#http/decode/input'
import { allowedMethods } from '#http/allowed-methods'
import { isPermissionDenied, BusinessError } from '#http/business-error'
import { type RateLimit, type RateLimiter, createUserRateLimiter } from '#http/rate-limiter'
import type { Actor, FileResponse, RequestInfo, Route } from '#http/route'
import { clientAddress, bearerToken, createAuthTransport } from '#http/transport'
import { readMultipart } from '#http/upload/multipart'
import { metrics } from '#metrics'

/** What a bearer token stands for. `killed`: ended by somebody else, so refreshing is no use (A0230). */
export type AuthResult =
  | { kind: 'live'; actor: Actor; locked: boolean; mustChangePassword: boolean; expiresAt: Date }
  | { kind: 'none' }
  | { kind: 'killed'; reason: KillReason }
export type Authenticate = (token: string) => Promise<AuthResult>

export const ADMIN_API = '/admin-api'

/**
 * Calls that stay open to a session that must change its password, or is locked (DESIGN 5); and those that a demo
 * which nobody may change still takes, though they are no reading.
 */
export type RestrictedSessionAllowList = {
  mustChange: ReadonlySet<string>
  locked: ReadonlySet<string>
  readonlyDemo: ReadonlySet<string>
}

const requestInfo = (request: FastifyRequest, since: number): RequestInfo => ({
  ip: clientAddress(request),
  userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300),
  traceId: request.id,
  since,
  request: { method: request.method, url: request.url.replace(/\?.*$/s, '').slice(0, 300) },
})

/** A refusal is of this moment and of this person, with whatever status: nobody on the way keeps it. */
const sendErrorEnvelope = (reply: FastifyReply, status: number, envelope: Envelope) =>
  reply.code(status).header('cache-control', 'no-store').send(envelope)

const sendSessionEnded = (request: FastifyRequest, reply: FastifyReply, reason: KillReason) =>
  sendErrorEnvelope(reply, 401, {
    code: SESSION_KILLED,
    msg: '您的会话已过期，请重新登录',
    data: { reason },
    traceId: request.id,
  })

const authorizeCall = (e: Endpoint, bearer: AuthResult, exempt: RestrictedSessionAllowList): Actor | undefined => {
  if (bearer.kind !== 'live') {
    if (e.permission === 'open') return undefined
    throw new BusinessError(codes.unauthenticated)
  }
  if (bearer.locked && !exempt.locked.has(e.path) && e.permission !== 'open') throw new BusinessError(codes.locked)
  if (bearer.mustChangePassword && !exempt.mustChange.has(e.path) && e.permission !== 'open')
    throw new BusinessError(codes.mustChangePassword)
  const needs = e.permission !== 'open' && e.permission !== 'token'
  if (needs && !bearer.actor.permissions.has(e.permission)) throw new BusinessError(codes.forbidden)
  return bearer.actor
}

const checkTenant = (request: FastifyRequest) => {
  const tenant = request.headers['tenant-id']
  if (tenant !== undefined && tenant !== '1') throw new BusinessError(codes.tenant)
}

/** In letters of a token, so that it needs no quotes. */
const encoded = (name: string) =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** Twice: clients of both families decode what stands behind `filename=` (wire 1.2), browsers what stands behind the other. */
const disposition = (name: string, inline: boolean) =>
  `${inline ? 'inline' : 'attachment'}; filename=${encoded(name)}; filename*=UTF-8''${encoded(name)}`

const sendFile = (reply: FastifyReply, { name, type, stream, inline = false, seconds }: FileResponse) =>
  reply
    .header('content-type', type)
    .header('content-disposition', disposition(name, inline))
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'same-origin')
    .header('cache-control', seconds ? `private, max-age=${seconds}` : 'no-store')
    .send(stream)

/** Some spelling of it is no GET: spellings mean the same, so a GET of it writes too (wire 11.10). */
const writes = ({ method, also = [] }: Endpoint): boolean =>
  [method, ...also.map((spelling) => spelling.method ?? method)].some((one) => one !== 'GET')

type Auth = {
  authenticate: Authenticate
  exempt: RestrictedSessionAllowList
  uploads?: string
  /** Every write is refused, whoever asks (SPEC 8). */
  demoReadonly?: boolean
  /** How many calls one person may make, and which are never counted; without it as many as he likes. */
  rateLimit?: RateLimit & { not: ReadonlySet<string> }
  /** Told of each write that somebody was refused for want of a right, or shown personal data by, before he is answered. */
  onDenied?: (refused: DeniedCall) => Promise<void>
}

/** `input` is empty where the call was refused before it was read. */
export type DeniedCall = {
  actor: Actor
  origin: RequestInfo
  endpoint: Endpoint
  error: BusinessError
  input: Record<string, unknown>
}

type Call = {
  bearer: AuthResult
  origin: RequestInfo /** Filled when it is decoded. */
  input: Record<string, unknown>
}

/** Refuses a call beyond the person's pace, before anything is read for it. */
const enforceRateLimit = (mayCall: RateLimiter | undefined, actor: Actor | undefined) => {
  if (!mayCall || !actor || mayCall(actor.userId)) return
  metrics.pacedCalls.inc()
  throw new BusinessError(codes.tooMany)
}

const handler = (
  { endpoint: e, handle: run }: Route,
  { mayCall, ...auth }: Auth & { mayCall: RateLimiter | undefined },
) => {
  const { authenticate: find, exempt, uploads = tmpdir(), demoReadonly = false, rateLimit: pace } = auth
  const closed = demoReadonly && writes(e) && !exempt.readonlyDemo.has(e.path)
  const counted = pace?.not.has(e.path) ? undefined : mayCall
  const take = async (request: FastifyRequest, reply: FastifyReply, { bearer, origin, input }: Call) => {
    const actor = authorizeCall(e, bearer, exempt)
    enforceRateLimit(counted, actor)
    const transport = createAuthTransport(request, reply, ADMIN_API)
    // Nothing of a multipart body is read before this point.
    const { body, files, discard } = await readMultipart(e, request, uploads)
    let answer: unknown
    try {
      const { params, query } = request
      Object.assign(input, decodeInput(e, { params, query, body }))
      answer = await run({ ...input, files, actor, origin, transport, readonly: demoReadonly } as never)
    } finally {
      await discard()
    }
    if (request.method !== 'GET') wakeSequencer()
    if (e.kind === 'file') return sendFile(reply, answer as FileResponse)
    return reply
      .header('cache-control', 'no-store')
      .send({ code: OK, msg: '', data: z.encode(e.data, answer as never) })
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const origin = requestInfo(request, performance.now())
    checkTenant(request)
    if (closed) throw new BusinessError(codes.demo)
    const token = bearerToken(request)
    const bearer: AuthResult = token && e.permission !== 'open' ? await find(token) : { kind: 'none' }
    if (bearer.kind === 'killed') return sendSessionEnded(request, reply, bearer.reason)
    const call: Call = { bearer, origin, input: {} }
    try {
      return await take(request, reply, call)
    } catch (error) {
      if (
        bearer.kind === 'live' &&
        error instanceof BusinessError &&
        (error.discloses || (writes(e) && isPermissionDenied(error)))
      )
        await auth.onDenied?.({ actor: bearer.actor, origin, endpoint: e, error: error, input: call.input })
      throw error
    }
  }
}

/** Every failure leaves here as an envelope; bugs are logged once, with the id that the user is shown. */
export const installErrorHandler = (app: FastifyInstance): void => {
  app.setErrorHandler((error, request, reply) => {
    const { status, envelope, report } = toErrorResponse(error)
    if (report) request.log.error({ err: error, traceId: request.id }, 'call failed')
    // Limits refill evenly, so a few seconds are always enough (wire 2.5).
    if (envelope.code === codes.tooMany.code) void reply.header('retry-after', '5')
    void reply.header('content-type', 'application/json; charset=utf-8').serializer(JSON.stringify)
    void sendErrorEnvelope(reply, status, { ...envelope, traceId: request.id })
  })
}

const sendAddressError = (request: FastifyRequest, reply: FastifyReply, [status, { code, zh }]: [number, Code]) =>
  sendErrorEnvelope(reply, status, { code, msg: zh, data: null, traceId: request.id })

/** The answer for an address that nobody serves, or only by other methods (wire 2.3, 2.5). */
export const handleNotFound = (request: FastifyRequest, reply: FastifyReply) => {
  const allowed = allowedMethods(request)
  // Named there and yet not found: the address is no such one, by a broken escape or a part that is too long.
  if (allowed.length === 0 || allowed.includes(request.method))
    return sendAddressError(request, reply, [404, codes.noUrl])
  return sendAddressError(request, reply.header('allow', allowed.join(', ')), [405, codes.method])
}

/** Mounts routes under the console's base with every spelling of their paths. `uploads`: where files arrive. */
export const mountRoutes = (app: FastifyInstance, routes: readonly Route[], auth: Auth) => {
  const mayCall = auth.rateLimit && createUserRateLimiter(auth.rateLimit)
  for (const one of routes) {
    const spellings = [{ method: one.endpoint.method, path: one.endpoint.path }, ...(one.endpoint.also ?? [])]
    for (const { method = one.endpoint.method, path } of spellings)
      app.route({
        method,
        url: `${ADMIN_API}${path}`,
        handler: handler(one, { ...auth, mayCall }),
        attachValidation: true,
      })
  }
}
