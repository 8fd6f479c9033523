import { readSignHeaders } from '@tocsin/protocol/sign'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkSign, type KnownDevice } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import { addressOf } from '#http/transport'
import type { Strangers } from '../strangers.ts'

export type Proven = { device: KnownDevice; nonce: string; ts: number }
export type Prove = (request: FastifyRequest) => Promise<Proven | { field?: string }>

/** Answers of device calls: no envelope, English words for a log, the field where one is wrong. */
export const refuse = (reply: FastifyReply, status: number, error: string, field?: string) =>
  reply.code(status).send({ error, ...(field !== undefined && { field }) })

export const bodyOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

/**
 * Believes a request for its signature alone. Unknown device, wrong key and retired device get one answer; a header
 * that is not there or not of its form is named, for that is no secret.
 * @param key unseals the devices' HTTP keys ('device-http-key').
 */
export const makeProve =
  ({ db, key, strangers }: { db: Db; key: Uint8Array; strangers: Strangers }): Prove =>
  async (request) => {
    const headers = readSignHeaders(request.headers)
    if (!headers.ok) return { field: headers.field }
    const { device: address, nonce, sign, ts } = headers.value
    const signed = { method: request.method, path: request.url, nonce, body: bodyOf(request) }
    const verdict = await checkSign(db, key, { address, request: signed, given: sign })
    if ('device' in verdict) return { device: verdict.device, nonce, ts }
    strangers.note({ ...address, ip: addressOf(request), reason: verdict.refused })
    return {}
  }

export const refuseStranger = (reply: FastifyReply, { field }: { field?: string }) =>
  refuse(reply, 401, 'the request is not signed by a device we know', field)
