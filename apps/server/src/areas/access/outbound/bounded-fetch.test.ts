import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchBounded, MAX_RESPONSE_BYTES } from './bounded-fetch.ts'

describe('fetchBounded', () => {
  let server: Server
  let base: string
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/moved') return response.writeHead(302, { location: '/small' }).end()
      return response.end(request.url === '/small' ? 'small' : Buffer.alloc(MAX_RESPONSE_BYTES + 1))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  it('answers a small body', async () => {
    expect(await (await fetchBounded(`${base}/small`)).text()).toBe('small')
  })

  it('rejects a body above the bound and a redirect', async () => {
    await expect(fetchBounded(`${base}/big`)).rejects.toThrow('longer than')
    await expect(fetchBounded(`${base}/moved`)).rejects.toThrow()
  })

  it('rejects an address that no configured server has', async () => {
    for (const address of [
      'http://169.254.169.254/',
      'http://[fe80::1]/',
      'http://[::ffff:169.254.1.1]/',
      'file:///etc',
    ])
      await expect(fetchBounded(address)).rejects.toThrow(/forbidden|no address/)
  })
})
