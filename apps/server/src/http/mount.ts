import type { Code } from '@tocsin/contract/codes/code'
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
import { type RateLimit, type RateLimiter, createRateLimiter } from '#http/rate-limiter'
import type { Actor, FileResponse, RequestInfo, Route } from '#http/route'
import { clientAddress, bearerToken, createAuthTransport } from '#http/transport'
import { readMultipart } from '#http/upload/multipart'
import { metrics } from '#metrics'

/**
 * The result of authenticating a bearer token. `killed`: another user ended the session, so a refresh is useless
 * (A0230).
 */
export type AuthResult =
  | { kind: 'live'; actor: Actor; locked: boolean; mustChangePassword: boolean; expiresAt: Date }
  /** No live session. `isUnknown`: nobody issued the token, so a refresh has nothing to renew. */
  | { kind: 'none'; isUnknown?: true }
  | { kind: 'killed'; reason: KillReason }
export type Authenticate = (token: string) => Promise<AuthResult>

export const ADMIN_API = '/admin-api'

/**
 * Calls that stay open to a session that must change its password or is locked (DESIGN 5), and writes that a read-only
 * demo still accepts.
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

/** An error is valid for this moment and this user only, so no cache may keep it, whatever its status. */
const sendErrorEnvelope = (reply: FastifyReply, status: number, envelope: Envelope) =>
  reply.code(status).header('cache-control', 'no-store').send(envelope)

const sendSessionEnded = (request: FastifyRequest, reply: FastifyReply, reason?: KillReason) =>
  sendErrorEnvelope(reply, 401, {
    code: SESSION_KILLED,
    msg: '您的会话已过期，请重新登录',
    data: reason ? { reason } : null,
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

/** Written with token characters only, so that it needs no quotes. */
const encoded = (name: string) =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** A name for programs that read `filename=` only: the ASCII part of the name, or `file` with its extension. */
const asciiName = (name: string): string => {
  const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? ''
  const base = name.slice(0, name.length - ending.length).replaceAll(/[^\w.()+ -]+/g, '_')
  return `"${/[^_. ]/.test(base) ? base : 'file'}${ending}"`
}

/** Browsers read `filename*=`. Clients of the `/api/v1` paths decode `filename=` instead (wire 1.2). */
const clientsOfV1 = /^(?:\/admin-api)?\/api\/v1\//
const disposition = (name: string, { inline, decodes }: { inline: boolean; decodes: boolean }) =>
  `${inline ? 'inline' : 'attachment'}; filename=${decodes ? encoded(name) : asciiName(name)}; filename*=UTF-8''${encoded(name)}`

const sendFile = (reply: FastifyReply, { name, type, stream, inline = false, seconds }: FileResponse) =>
  reply
    .header('content-type', type)
    .header('content-disposition', disposition(name, { inline, decodes: clientsOfV1.test(reply.request.url) }))
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'same-origin')
    .header('cache-control', seconds ? `private, max-age=${seconds}` : 'no-store')
    .send(stream)

/** If one alias is no GET, a GET of it writes too, because aliases mean the same (wire 11.10). */
const writes = ({ method, also = [] }: Endpoint): boolean =>
  [method, ...also.map((spelling) => spelling.method ?? method)].some((item) => item !== 'GET')

type Auth = {
  authenticate: Authenticate
  exempt: RestrictedSessionAllowList
  uploads?: string
  /** False when the disk has too little space left for files of people: the rest is for alarms. */
  hasUploadSpace?: () => Promise<boolean>
  /** A read-only demo rejects every write (SPEC 8). */
  demoReadonly?: boolean
  /** The rate limit per user and the calls exempt from it; without it there is no limit. */
  rateLimit?: RateLimit & { not: ReadonlySet<string> }
  /** Called before the response for each write that was denied or that disclosed personal data. */
  onDenied?: (refused: DeniedCall) => Promise<void>
}

/** `input` is empty if the call was rejected before it was decoded. */
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

/** Rejects a call beyond the user's rate limit before anything is read for it. */
const enforceRateLimit = (mayCall: RateLimiter | undefined, actor: Actor | undefined) => {
  if (!mayCall || !actor || mayCall(actor.userId)) return
  metrics.rateLimitedRequests.inc()
  throw new BusinessError(codes.tooMany)
}

const handler = (
  { endpoint: e, handle: run }: Route,
  { mayCall, ...auth }: Auth & { mayCall: RateLimiter | undefined },
) => {
  const { authenticate: find, exempt, uploads = tmpdir(), demoReadonly = false, rateLimit: pace, hasUploadSpace } = auth
  const closed = demoReadonly && writes(e) && !exempt.readonlyDemo.has(e.path)
  const counted = pace?.not.has(e.path) ? undefined : mayCall
  const take = async (request: FastifyRequest, reply: FastifyReply, { bearer, origin, input }: Call) => {
    const actor = authorizeCall(e, bearer, exempt)
    enforceRateLimit(counted, actor)
    const transport = createAuthTransport(request, reply, ADMIN_API)
    // No part of a multipart body is read before this point.
    if (e.files && hasUploadSpace && !(await hasUploadSpace())) throw new BusinessError(codes.noDiskSpace)
    const { body, files, discard } = await readMultipart(e, request, uploads)
    let answer: unknown
    try {
      const { params, query } = request
      Object.assign(input, decodeInput(e, { params, query, body }))
      const caller = actor && { actor, origin }
      answer = await run({ ...input, files, actor, origin, caller, transport, readonly: demoReadonly } as never)
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
    // Clients of the compatibility API sign out by this answer only (decision 037).
    if (bearer.kind === 'none' && bearer.isUnknown && e.path.startsWith('/api/v1/'))
      return sendSessionEnded(request, reply)
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

/** Every failure leaves here as an envelope. Bugs are logged once, with the id that the user sees. */
export const installErrorHandler = (app: FastifyInstance): void => {
  app.setErrorHandler((error, request, reply) => {
    const { status, envelope, report } = toErrorResponse(error)
    if (report) request.log.error({ err: error, traceId: request.id }, 'call failed')
    // Token buckets refill evenly, so a few seconds are always enough (wire 2.5).
    if (envelope.code === codes.tooMany.code) void reply.header('retry-after', '5')
    void reply.header('content-type', 'application/json; charset=utf-8').serializer(JSON.stringify)
    void sendErrorEnvelope(reply, status, { ...envelope, traceId: request.id })
  })
}

const sendAddressError = (request: FastifyRequest, reply: FastifyReply, [status, { code, zh }]: [number, Code]) =>
  sendErrorEnvelope(reply, status, { code, msg: zh, data: null, traceId: request.id })

/** Answers an address that nothing serves, or that only other methods serve (wire 2.3, 2.5). */
export const handleNotFound = (request: FastifyRequest, reply: FastifyReply) => {
  const allowed = allowedMethods(request)
  // The router knows the pattern but not this address: it has a broken escape or a part that is too long.
  if (allowed.length === 0 || allowed.includes(request.method))
    return sendAddressError(request, reply, [404, codes.noUrl])
  return sendAddressError(request, reply.header('allow', allowed.join(', ')), [405, codes.method])
}

/** Mounts routes under the console's base path with every alias. `uploads`: the folder for incoming files. */
export const mountRoutes = (app: FastifyInstance, routes: readonly Route[], auth: Auth) => {
  const mayCall = auth.rateLimit && createRateLimiter(auth.rateLimit)
  for (const route of routes) {
    const spellings = [{ method: route.endpoint.method, path: route.endpoint.path }, ...(route.endpoint.also ?? [])]
    for (const { method = route.endpoint.method, path } of spellings)
      app.route({
        method,
        url: `${ADMIN_API}${path}`,
        handler: handler(route, { ...auth, mayCall }),
        attachValidation: true,
      })
  }
}
