import { readSignHeaders } from '@tocsin/protocol/sign'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkSign, type KnownDevice } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import { clientAddress } from '#http/transport'
import type { RefusedDeviceLog } from '../refused-devices.ts'

export type VerifiedRequest = { device: KnownDevice; nonce: string; ts: number }
export type VerifyRequest = (request: FastifyRequest) => Promise<VerifiedRequest | { field?: string }>

/** Answers of device calls: no envelope, English words for a log, the field where one is wrong. */
export const sendDeviceError = (reply: FastifyReply, status: number, error: string, field?: string) =>
  reply.code(status).send({ error, ...(field !== undefined && { field }) })

export const rawBody = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

/**
 * Believes a request for its signature alone. Unknown device, wrong key and retired device get one answer; a header
 * that is not there or not of its form is named, for that is no secret.
 * @param key unseals the devices' HTTP keys ('device-http-key').
 */
export const createRequestVerifier =
  ({ db, key, strangers }: { db: Db; key: Uint8Array; strangers: RefusedDeviceLog }): VerifyRequest =>
  async (request) => {
    const headers = readSignHeaders(request.headers)
    if (!headers.ok) return { field: headers.field }
    const { device: address, nonce, sign, ts } = headers.value
    const signed = { method: request.method, path: request.url, nonce, body: rawBody(request) }
    const verdict = await checkSign(db, key, { address, request: signed, given: sign })
    if ('device' in verdict) return { device: verdict.device, nonce, ts }
    strangers.note({ ...address, ip: clientAddress(request), reason: verdict.refused })
    return {}
  }

export const sendUnauthorized = (reply: FastifyReply, { field }: { field?: string }) =>
  sendDeviceError(reply, 401, 'the request is not signed by a device we know', field)
