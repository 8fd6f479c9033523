import { parseUp, parseUsername, upTopic } from '@tocsin/protocol/topics'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
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
  /** Derived; the broker shows it as bearer wherever it runs: behind a proxy every caller looks local. */
  token: string
  /** Derived; of SERVER_ACCOUNT. */
  password: string
}

/** For EMQX and what speaks its form of HTTP authentication and authorization: the same rules as the embedded broker. */
export const mountBrokerAuth = (
  scope: FastifyInstance,
  { authenticator: doorkeeper, token, password }: BrokerAuth,
): void => {
  const mayAsk = (request: FastifyRequest) =>
    sameText(String(request.headers['authorization'] ?? ''), `Bearer ${token}`)
  const answer = (reply: FastifyReply, allow: boolean, superuser = false) =>
    reply.send({ result: allow ? 'allow' : 'deny', is_superuser: superuser })

  scope.post('/broker/auth', { bodyLimit: 4096 }, async (request, reply) => {
    if (!mayAsk(request)) return sendDeviceError(reply, 401, 'only the broker asks this')
    const given = parse(Auth, request)
    if (!given) return sendDeviceError(reply, 400, 'username, password and clientid are texts')
    if (given.username === SERVER_ACCOUNT) return answer(reply, sameText(given.password, password), true)
    const admission = await doorkeeper({
      client: { id: given.clientid },
      username: given.username,
      password: Buffer.from(given.password),
      ip: 'broker',
    })
    if ('refused' in admission && admission.refused.returnCode === 3) return sendDeviceError(reply, 503, 'not now')
    return answer(reply, 'device' in admission)
  })
  scope.post('/broker/acl', { bodyLimit: 4096 }, async (request, reply) => {
    if (!mayAsk(request)) return sendDeviceError(reply, 401, 'only the broker asks this')
    const given = parse(Acl, request)
    if (!given) return sendDeviceError(reply, 400, 'username, clientid, topic and action are texts')
    return answer(reply, given.username === SERVER_ACCOUNT || allowedTopic(given.username, given))
  })
}
