import { eventIdIn } from '@tocsin/protocol/bytes/parse'
import { decodeUp } from '@tocsin/protocol/decode'
import type { UpChannel } from '@tocsin/protocol/topics'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '#config'
import { toErrorResponse } from '#http/errors'
import { decodeError } from '../uplink/ingest-adapter.ts'
import type { UplinkHandler } from '../uplink/uplink.ts'
import { QueueFullError } from '../uplink/retry-queue.ts'
import { rawBody, type VerifyRequest, sendDeviceError, sendUnauthorized } from './signed-request.ts'

export type DeviceApi = { uplink: UplinkHandler; prove: VerifyRequest; log: Log }

const PREFIX = '/device-api/v1'
const BODY_BYTES = 4096
/** As much as over MQTT: an alarm too large to be read is shown as such, by either way. */
const ALARM_BYTES = 65_536
const MAX_CLOCK_MS = 1e15
const REPLY_BYTES = 16_384

type Call = { channel: UpChannel; request: FastifyRequest; reply: FastifyReply }

/**
 * An alarm or event over HTTP: 202 with the receipt, 200 with the first one for a repeat. An alarm that cannot be read
 * is kept and shown as such, so it is taken too; an event that cannot be read is the firmware's fault and is refused.
 */
const takeSpoken = async ({ uplink, prove }: DeviceApi, { channel, request, reply }: Call) => {
  const proven = await prove(request)
  if (!('device' in proven)) return sendUnauthorized(reply, proven)
  const { device, ts } = proven
  const bytes = rawBody(request)
  const decoded = channel === 'alarm' ? decodeUp('alarm', bytes) : decodeUp('event', bytes)
  if (!decoded.ok && channel === 'event') return sendDeviceError(reply, 400, decodeError(decoded).reason, decoded.field)
  // A clock that no number holds exactly says nothing of how far off it is; the alarm counts all the same.
  const skew = Math.abs(ts) < MAX_CLOCK_MS ? { skewMs: ts - Date.now() } : {}
  const result = await uplink({ device, via: 'HTTP', heardAt: null, ...skew }, channel, bytes)
  if (!result) return sendDeviceError(reply, 429, 'too many events')
  const eventId = decoded.ok ? decoded.message.eventId : eventIdIn(bytes)
  const { recordNo, duplicate } = result
  return reply.code(duplicate ? 200 : 202).send({ recordNo, stage: 'accepted', eventId })
}

/** A heartbeat or the answer to a command: 202 without a body of interest. */
const takeRemark = async ({ uplink, prove }: DeviceApi, { channel, request, reply }: Call) => {
  const proven = await prove(request)
  if (!('device' in proven)) return sendUnauthorized(reply, proven)
  const bytes = rawBody(request)
  const decoded = decodeUp(channel, bytes)
  if (!decoded.ok) return sendDeviceError(reply, 400, decoded.reason, decoded.field)
  await uplink({ device: proven.device, via: 'HTTP', heardAt: null }, channel, bytes)
  return reply.code(202).send({})
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Errors in the devices' own form; an outage is 503, and the device tries again. */
const answerErrors = (scope: FastifyInstance, log: Log) =>
  scope.setErrorHandler((error, _request, reply) => {
    if (error instanceof QueueFullError) return sendDeviceError(reply.header('retry-after', '5'), 503, error.message)
    const { status, envelope } = toErrorResponse(error)
    const code = status === 200 ? 400 : envelope.code === 500 ? 500 : status
    if (code === 503) log.warn(`calls of devices are put off, the database is away: ${messageOf(error)}`)
    else if (code >= 500)
      log.error(`a call of a device failed: ${error instanceof Error ? error.stack : String(error)}`)
    const text = { 413: 'the body is too large', 503: 'not now' }[code] ?? (code < 500 ? 'not valid' : 'failed')
    return sendDeviceError(code === 503 ? reply.header('retry-after', '5') : reply, code, text)
  })

/** What a device sends over its second bearer (domain 3.5): the same messages, signed. */
export const mountDeviceApi = (
  app: FastifyInstance,
  api: DeviceApi,
  more: (scope: FastifyInstance) => void,
): Promise<void> =>
  Promise.resolve(
    app.register(
      async (scope) => {
        scope.removeAllContentTypeParsers()
        // The signature is over the bytes, so nothing may have read them before.
        scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
        answerErrors(scope, api.log)
        const spoken = (channel: UpChannel) => (request: FastifyRequest, reply: FastifyReply) =>
          takeSpoken(api, { channel, request, reply })
        const remark = (channel: UpChannel) => (request: FastifyRequest, reply: FastifyReply) =>
          takeRemark(api, { channel, request, reply })
        scope.post('/alarms', { bodyLimit: ALARM_BYTES }, spoken('alarm'))
        scope.post('/events', { bodyLimit: BODY_BYTES }, spoken('event'))
        scope.post('/heartbeats', { bodyLimit: BODY_BYTES }, remark('hb'))
        scope.post('/replies', { bodyLimit: REPLY_BYTES }, remark('reply'))
        more(scope)
      },
      { prefix: PREFIX },
    ),
  ).then(() => undefined)
