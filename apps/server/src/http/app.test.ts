import { afterAll, beforeAll, expect, it } from 'vitest'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createHttpApp } from './app.ts'

let app: Awaited<ReturnType<typeof createHttpApp>>
beforeAll(async () => {
  app = await createHttpApp({})
})
afterAll(() => app.close())

it.each(['/admin-api/system/%zz', '/admin-api/%c0%ae', '/nowhere', `/admin-api/${'x'.repeat(3000)}`])(
  'answers %s, which nobody serves, as it answers every call',
  async (url) => {
    const answer = await app.inject({ url })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toContain('application/json')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toEqual({ code: 404, msg: '请求未找到', data: null, traceId: expect.any(String) })
  },
)

it('closes connections that send their headers or a body too slowly, and lets an upload take longer', async () => {
  const slow = await createHttpApp({ timeouts: { headersMs: 300, bodyMs: 600, uploadMs: 60_000 } })
  slow.post('/call', async () => ({}))
  await slow.listen({ host: '127.0.0.1', port: 0 })
  const { port } = slow.server.address() as AddressInfo
  const closesWithin = async (text: string, ms: number) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(text)
    socket.resume()
    const timer = setTimeout(() => socket.destroy(new Error('still open')), ms)
    const error = await Promise.race([once(socket, 'end'), once(socket, 'close')]).catch((reason: unknown) => reason)
    clearTimeout(timer)
    const isOpen = error instanceof Error && error.message === 'still open'
    socket.destroy()
    return !isOpen
  }
  const head = (type: string) => `POST /call HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 100\r\n`
  expect(await closesWithin(head('application/json'), 5000)).toBe(true)
  expect(await closesWithin(`${head('application/json')}\r\n{`, 5000)).toBe(true)
  expect(await closesWithin(`${head('multipart/form-data; boundary=x')}\r\n--x`, 1500)).toBe(false)
  await slow.close()
})
