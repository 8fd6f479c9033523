import { eventIdIn } from '@tocsin/protocol/bytes/parse'
import { decodeUp } from '@tocsin/protocol/decode'
import type { Heartbeat } from '@tocsin/protocol/heartbeat'
import type { UpChannel } from '@tocsin/protocol/topics'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '#config'
import type { Db } from '#db/db'
import { toErrorResponse } from '#http/errors'
import { metrics } from '#metrics'
import { recordHttpHeartbeat } from '../liveness/http-heartbeat.ts'
import { decodeError } from '../uplink/ingest-adapter.ts'
import type { UplinkHandler } from '../uplink/uplink.ts'
import { QueueFullError } from '../uplink/queue-full.ts'
import { rawBody, type VerifyRequest, sendDeviceError, sendUnauthorized } from './signed-request.ts'

export type DeviceApi = { db: Db; uplink: UplinkHandler; prove: VerifyRequest; log: Log }

const PREFIX = '/device-api/v1'
const BODY_BYTES = 4096
/** The same limit as over MQTT, so that an alarm that is too large to decode is stored on both ways. */
const ALARM_BYTES = 65_536
const MAX_CLOCK_MS = 1e15
const REPLY_BYTES = 16_384

/** After this time the device tries another way, so it gets an answer before. */
const MAX_WAIT_MS = 5000

const waitAtMost = (ms: number) => pause(ms, 'late' as const, { ref: false })

type Call = { channel: UpChannel; request: FastifyRequest; reply: FastifyReply }

/**
 * Handles an alarm or event over HTTP: 202 with the receipt, 200 with the first receipt for a repeat. An unreadable alarm is
 * stored and shown as such, so it is accepted. An unreadable event is a firmware fault and is rejected.
 */
const acceptSignal = async ({ uplink, prove }: DeviceApi, { channel, request, reply }: Call) => {
  const proven = await prove(request)
  if (!('device' in proven)) return sendUnauthorized(reply, proven)
  const { device, ts } = proven
  const bytes = rawBody(request)
  const decoded = channel === 'alarm' ? decodeUp('alarm', bytes) : decodeUp('event', bytes)
  if (!decoded.ok && channel === 'event') return sendDeviceError(reply, 400, decodeError(decoded).reason, decoded.field)
  // A timestamp beyond the exact integers cannot show the clock error. The alarm is accepted all the same.
  const skew = Math.abs(ts) < MAX_CLOCK_MS ? { skewMs: ts - Date.now() } : {}
  const pending = uplink({ device, via: 'HTTP', heardAt: null, ...skew }, channel, bytes)
  const result = await Promise.race([pending, waitAtMost(MAX_WAIT_MS)])
  if (result === 'late') {
    // The message is committed as soon as possible, and a repeat gets the same answer.
    pending?.catch(() => undefined)
    return sendDeviceError(reply.header('retry-after', '5'), 503, 'the server cannot commit now')
  }
  if (!result) return sendDeviceError(reply, 429, 'too many events')
  const eventId = decoded.ok ? decoded.message.eventId : eventIdIn(bytes)
  const { recordNo, duplicate } = result
  return reply.code(duplicate ? 200 : 202).send({ recordNo, stage: 'accepted', eventId })
}

/** Handles a heartbeat or the answer to a command: 202 with an empty object. */
const acceptReport = async ({ uplink, prove, db }: DeviceApi, { channel, request, reply }: Call) => {
  const proven = await prove(request)
  if (!('device' in proven)) return sendUnauthorized(reply, proven)
  const bytes = rawBody(request)
  const decoded = decodeUp(channel, bytes)
  if (!decoded.ok) return sendDeviceError(reply, 400, decoded.reason, decoded.field)
  const { message } = decoded
  if (
    channel === 'hb' &&
    'upMs' in message &&
    !(await recordHttpHeartbeat(db, proven.device.id, message as Heartbeat))
  ) {
    metrics.deviceMessages.inc({ channel, outcome: 'duplicate' })
    return reply.code(202).send({})
  }
  await uplink({ device: proven.device, via: 'HTTP', heardAt: null }, channel, bytes)
  return reply.code(202).send({})
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Answers errors in the form of the device API. An outage is 503, after which the device retries. */
const answerErrors = (scope: FastifyInstance, log: Log) =>
  scope.setErrorHandler((error, _request, reply) => {
    if (error instanceof QueueFullError) return sendDeviceError(reply.header('retry-after', '5'), 503, error.message)
    const { status, envelope } = toErrorResponse(error)
    const code = status === 200 ? 400 : envelope.code === 500 ? 500 : status
    if (code === 503) log.warn(`calls of devices are answered 503, the database is unavailable: ${messageOf(error)}`)
    else if (code >= 500)
      log.error(`a call of a device failed: ${error instanceof Error ? error.stack : String(error)}`)
    const text = { 413: 'the body is too large', 503: 'not now' }[code] ?? (code < 500 ? 'not valid' : 'failed')
    return sendDeviceError(code === 503 ? reply.header('retry-after', '5') : reply, code, text)
  })

/** Mounts the HTTP fallback of devices (domain 3.5): the same messages as over MQTT, signed. */
export const mountDeviceApi = (
  app: FastifyInstance,
  api: DeviceApi,
  more: (scope: FastifyInstance) => void,
): Promise<void> =>
  Promise.resolve(
    app.register(
      async (scope) => {
        scope.removeAllContentTypeParsers()
        // The signature covers the raw bytes, so no parser may consume them before.
        scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
        answerErrors(scope, api.log)
        const signal = (channel: UpChannel) => (request: FastifyRequest, reply: FastifyReply) =>
          acceptSignal(api, { channel, request, reply })
        const report = (channel: UpChannel) => (request: FastifyRequest, reply: FastifyReply) =>
          acceptReport(api, { channel, request, reply })
        scope.post('/alarms', { bodyLimit: ALARM_BYTES }, signal('alarm'))
        scope.post('/events', { bodyLimit: BODY_BYTES }, signal('event'))
        scope.post('/heartbeats', { bodyLimit: BODY_BYTES }, report('hb'))
        scope.post('/replies', { bodyLimit: REPLY_BYTES }, report('reply'))
        more(scope)
      },
      { prefix: PREFIX },
    ),
  ).then(() => undefined)
