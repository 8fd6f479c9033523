import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

export type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type Answer = { status?: number; headers?: Record<string, string>; body: string | Readable }

const readBody = async (request: IncomingMessage) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** A real server on a free port that answers by the given function and records requests. */
export const localServer = async (answer: (seen: Seen) => Answer | Promise<Answer>) => {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const value = { method, url, headers, body: await readBody(request) }
    seen.push(value)
    const { status = 200, headers: sent = { 'content-type': 'application/json' }, body } = await answer(value)
    const stream = typeof body === 'string' ? Readable.from([body]) : body
    stream.pipe(response.writeHead(status, sent))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { base, seen, close }
}

export const envelope = (code: unknown, msg = '', data: unknown = null) => ({
  body: JSON.stringify({ code, msg, data }),
})
