import type { FastifyReply, FastifyRequest } from 'fastify'
import { isIP } from 'node:net'
import type { AuthTransport } from '#http/route'

/** Returns the client's address. A trusted proxy that names none counts as the client itself. */
export const clientAddress = ({ ip, socket }: FastifyRequest): string => (isIP(ip) ? ip : (socket.remoteAddress ?? ''))

/** The bearer token as sent; undefined if there is none or it is malformed. */
export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer ([\w.~+/=-]{1,200})$/.exec(String(request.headers.authorization ?? ''))?.[1]

const cookieOf = (request: FastifyRequest, name: string): string | undefined => {
  for (const part of String(request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name && value && /^[\w.~-]{1,500}$/.test(value)) return value
  }
  return undefined
}

export const createAuthTransport = (request: FastifyRequest, reply: FastifyReply, path: string): AuthTransport => ({
  token: bearerToken(request),
  site: `${request.protocol}://${request.host}`,
  cookie: (name) => cookieOf(request, name),
  setCookie: (name, value, days) => {
    // Secure only over TLS: a police intranet is plain http (DESIGN 4).
    const secure = request.protocol === 'https' ? '; Secure' : ''
    const lasts = `Max-Age=${Math.round(days * 86_400)}`
    void reply.header('set-cookie', `${name}=${value}; Path=${path}; ${lasts}; HttpOnly; SameSite=Strict${secure}`)
  },
})
