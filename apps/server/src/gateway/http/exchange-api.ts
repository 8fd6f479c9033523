import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toErrorResponse } from '#http/errors'
import { parseCapMessage } from '#areas/police/exchange/cap-message'
import { ExchangeError } from '#areas/police/exchange/exchange-error'
import { type ExchangeDeps, isSignedMessage } from '#areas/police/exchange/exchange-signature'
import type { IncomingMessage } from '#areas/police/exchange/incoming-message'
import { parseJsonMessage } from '#areas/police/exchange/json-message'
import { receiveMessage } from '#areas/police/exchange/receive-message'

type Log = Record<'error' | 'warn', (text: string) => void>
type Deps = ExchangeDeps & { log: Log }

const PREFIX = '/exchange-api/v1'
const BODY_BYTES = 262_144
const header = ({ headers }: FastifyRequest, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

const textOf = ({ body }: FastifyRequest): string => (Buffer.isBuffer(body) ? body.toString('utf8') : '')

const sendError = (reply: FastifyReply, status: number, error: string, field?: string) =>
  reply.code(status).send({ error, ...(field !== undefined && { field }) })

const answerErrors = (scope: FastifyInstance, log: Log) =>
  scope.setErrorHandler((error, _request, reply) => {
    if (error instanceof ExchangeError) return sendError(reply, error.status, error.message, error.field)
    const { status, envelope } = toErrorResponse(error)
    const code = status === 200 ? 400 : envelope.code === 500 ? 500 : status
    if (code >= 500)
      log.error(`a message of another system failed: ${error instanceof Error ? error.stack : String(error)}`)
    const text = { 413: 'the body is too large', 503: 'not now' }[code] ?? (code < 500 ? 'not valid' : 'failed')
    return sendError(reply, code, text)
  })

/** Mounts the calls of other dispatch systems: messages in CAP 1.2 and as JSON, signed, each applied once. */
export const mountExchangeApi = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  const take = (parse: (source: string) => IncomingMessage) => async (request: FastifyRequest, reply: FastifyReply) => {
    const source = textOf(request)
    const timestamp = header(request, 'x-tocsin-timestamp')
    const signature = header(request, 'x-tocsin-signature')
    if (!(await isSignedMessage(deps, { timestamp, signature, body: source })))
      return sendError(reply, 401, 'the request is not signed with the shared key')
    const digest = createHash('sha256').update(source).digest('hex')
    const answer = await receiveMessage(deps.db, parse(source), digest)
    return reply.code(answer.result === 'REPEATED' ? 200 : 202).send(answer)
  }
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      // The signature covers the raw bytes, so no parser may consume them before.
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      answerErrors(scope, deps.log)
      scope.post('/cap', { bodyLimit: BODY_BYTES }, take(parseCapMessage))
      scope.post('/messages', { bodyLimit: BODY_BYTES }, take(parseJsonMessage))
    },
    { prefix: PREFIX },
  )
}
