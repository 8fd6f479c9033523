import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { randomBytes } from 'node:crypto'
import { trackAllowedMethods } from '#http/allowed-methods'
import { installErrorHandler, handleNotFound } from '#http/mount'
import { parseQuery } from '#http/decode/query'
import { serveWebApp } from '#http/web'
import { metrics } from '#metrics'

const BODY_LIMIT = 1024 * 1024

export type AppOptions = Pick<FastifyServerOptions, 'loggerInstance' | 'trustProxy'> & {
  /** The built console to serve; undefined: only calls. */
  dist?: string
  /** Hosts of the map library; none unless it is configured. */
  mapHosts?: readonly string[]
  timeouts?: Partial<HttpTimeouts>
}

/** How long a caller may take to send the headers, a body of a call, and an upload. */
export type HttpTimeouts = { headersMs: number; bodyMs: number; uploadMs: number }

export const defaultTimeouts: HttpTimeouts = { headersMs: 15_000, bodyMs: 60_000, uploadMs: 300_000 }

/** Closes connections that send a body too slowly. Uploads have the server's request timeout, which is longer. */
const limitBodyTime = (app: FastifyInstance, bodyMs: number): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers } = request
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (hasBody && !headers['content-type']?.startsWith('multipart/')) {
      const timer = setTimeout(() => {
        if (!raw.complete) raw.destroy()
      }, bodyMs)
      const cancel = () => clearTimeout(timer)
      raw.once('end', cancel).once('close', cancel)
    }
    done()
  })
}

/** Creates the web server without routes: parsers, limits, timeouts, request ids, and errors as envelopes. */
export const createHttpApp = async ({ dist, mapHosts = [], timeouts, ...options }: AppOptions) => {
  const { headersMs, bodyMs, uploadMs } = { ...defaultTimeouts, ...timeouts }
  const app: FastifyInstance = Fastify({
    ...options,
    bodyLimit: BODY_LIMIT,
    connectionTimeout: 60_000,
    // As long as the largest upload takes on a slow connection. A stalled one ends by the connection's own timeout.
    requestTimeout: uploadMs,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: Math.min(5000, headersMs / 3) },
    keepAliveTimeout: 72_000,
    // The server creates all ids: an id chosen by a caller could forge log lines.
    genReqId: () => randomBytes(9).toString('base64url'),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { querystringParser: parseQuery, ignoreTrailingSlash: true, maxParamLength: 200 },
    forceCloseConnections: true,
    // A malformed address never reaches a route, and is still answered like every other call.
    frameworkErrors: (_error, request, reply) => handleNotFound(request, reply),
  })
  trackAllowedMethods(app)
  limitBodyTime(app, bodyMs)
  await app.register(multipart, {
    // The reader of a form sets its own limit (upload/multipart.ts).
    throwFileSizeLimit: false,
    limits: { fieldNameSize: 100, fieldSize: 10_000, fields: 50, files: 0, parts: 50, headerPairs: 200 },
  })
  // Some clients send a content type with every call, even without a body.
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parseJson(request, String(body), done),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 100_000 },
    (_request, body, done) => done(null, parseQuery(String(body))),
  )
  app.addHook('onResponse', async (request, reply) => {
    const took = reply.elapsedTime / 1000
    metrics.requestDuration.observe({ method: request.method, status: reply.statusCode }, took)
    // Logs the route's pattern, not the address: queries and ids may hold what a log must not.
    const at = request.routeOptions.url ?? 'unknown'
    request.log.debug({ traceId: request.id, method: request.method, at, status: reply.statusCode, took }, 'answered')
  })
  installErrorHandler(app)
  if (dist) await serveWebApp(app, dist, mapHosts)
  else app.setNotFoundHandler(handleNotFound)
  return app
}
