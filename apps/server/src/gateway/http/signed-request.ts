import { readSignHeaders } from '@tocsin/protocol/sign'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkSign, type KnownDevice } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import { clientAddress } from '#http/transport'
import type { RefusedDeviceLog } from '../refused-devices.ts'

export type VerifiedRequest = { device: KnownDevice; nonce: string; ts: number }
export type VerifyRequest = (request: FastifyRequest) => Promise<VerifiedRequest | { field?: string }>

/** Answers a device call without an envelope: an English reason for logs, and the wrong field if there is one. */
export const sendDeviceError = (reply: FastifyReply, status: number, error: string, field?: string) =>
  reply.code(status).send({ error, ...(field !== undefined && { field }) })

export const rawBody = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

type VerifierDeps = { db: Db; screenDb: Db; key: Uint8Array; refusedDevices: RefusedDeviceLog }

/**
 * Authenticates a request by its signature alone. An unknown device, a wrong key and a retired device get the same answer. A
 * missing or malformed header is named, because that discloses nothing.
 * @param key unseals the HTTP keys of devices ('device-http-key').
 */
export const createRequestVerifier =
  ({ db, screenDb, key, refusedDevices }: VerifierDeps): VerifyRequest =>
  async (request) => {
    const headers = readSignHeaders(request.headers)
    if (!headers.ok) return { field: headers.field }
    const { device: address, nonce, sign, ts } = headers.value
    const signed = { method: request.method, path: request.url, nonce, body: rawBody(request) }
    const verdict = await checkSign(db, key, { address, request: signed, given: sign, useDb: screenDb })
    if ('device' in verdict) return { device: verdict.device, nonce, ts }
    refusedDevices.note({ ...address, ip: clientAddress(request), reason: verdict.refused })
    return {}
  }

export const sendUnauthorized = (reply: FastifyReply, { field }: { field?: string }) =>
  sendDeviceError(reply, 401, 'the request is not signed by a device we know', field)
