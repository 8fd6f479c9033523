import { parseUp, parseUsername, upTopic } from '@tocsin/protocol/topics'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createRateLimiter } from '#http/rate-limiter'
import { clientAddress } from '#http/transport'
import type { DeviceAuthenticator } from '../mqtt/device-authenticator.ts'
import { allowedFilters } from '../mqtt/topic-filters.ts'
import { rawBody, sendDeviceError } from './signed-request.ts'

/** The account of the server itself on an external broker. */
export const SERVER_ACCOUNT = 'tocsin-server'

const Auth = z.object({ username: z.string().max(200), password: z.string().max(200), clientid: z.string().max(200) })
const Acl = z.object({
  username: z.string().max(200),
  clientid: z.string().max(200),
  topic: z.string().max(256),
  action: z.enum(['publish', 'subscribe']),
})

/** Wrong tokens of one address: one in ten seconds, ten at once. */
const WRONG_TOKENS = { perSecond: 0.1, atOnce: 10 }

const sameText = (a: string, b: string): boolean => {
  const [x, y] = [a, b].map((text) => createHash('sha256').update(text).digest())
  return x !== undefined && y !== undefined && timingSafeEqual(x, y)
}

const allowedTopic = (username: string, { topic, action }: z.output<typeof Acl>): boolean => {
  const address = parseUsername(username)
  if (!address) return false
  if (action === 'subscribe') return allowedFilters(address).includes(topic)
  const to = parseUp(topic)
  return to !== null && upTopic(address, to.channel) === topic
}

const parse = <T>(schema: z.ZodType<T>, request: FastifyRequest): T | undefined => {
  try {
    return schema.safeParse(JSON.parse(rawBody(request).toString('utf8'))).data
  } catch {
    return undefined
  }
}

export type BrokerAuth = {
  authenticator: DeviceAuthenticator
  /** Derived bearer that the broker must always send, because behind a proxy every caller looks local. */
  token: string
  /** Derived password of SERVER_ACCOUNT. */
  password: string
}

/** Serves HTTP authentication and authorization in the form of EMQX, by the rules of the embedded broker. */
export const mountBrokerAuth = (scope: FastifyInstance, { authenticator, token, password }: BrokerAuth): void => {
  const mayFail = createRateLimiter<string>(WRONG_TOKENS)
  /** Answers a caller without the token. @returns whether the caller is the broker. */
  const isBroker = (request: FastifyRequest, reply: FastifyReply): boolean => {
    if (sameText(String(request.headers['authorization'] ?? ''), `Bearer ${token}`)) return true
    if (mayFail(clientAddress(request))) sendDeviceError(reply, 401, 'only the broker may call this')
    else sendDeviceError(reply.header('retry-after', '10'), 429, 'too many wrong tokens')
    return false
  }
  const answer = (reply: FastifyReply, allow: boolean, superuser = false) =>
    reply.send({ result: allow ? 'allow' : 'deny', is_superuser: superuser })

  scope.post('/broker/auth', { bodyLimit: 4096 }, async (request, reply) => {
    if (!isBroker(request, reply)) return reply
    const given = parse(Auth, request)
    if (!given) return sendDeviceError(reply, 400, 'username, password and clientid are texts')
    if (given.username === SERVER_ACCOUNT) return answer(reply, sameText(given.password, password), true)
    const admission = await authenticator({
      client: { id: given.clientid },
      username: given.username,
      password: Buffer.from(given.password),
      ip: 'broker',
    })
    if ('refused' in admission && admission.refused.returnCode === 3) return sendDeviceError(reply, 503, 'not now')
    return answer(reply, 'device' in admission)
  })
  scope.post('/broker/acl', { bodyLimit: 4096 }, async (request, reply) => {
    if (!isBroker(request, reply)) return reply
    const given = parse(Acl, request)
    if (!given) return sendDeviceError(reply, 400, 'username, clientid, topic and action are texts')
    return answer(reply, given.username === SERVER_ACCOUNT || allowedTopic(given.username, given))
  })
}
