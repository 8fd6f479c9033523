import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { httpApp } from '../app.ts'
import { serveSwagger } from './serve.ts'

let app: Awaited<ReturnType<typeof httpApp>>
beforeAll(async () => {
  app = await httpApp({})
  serveSwagger(app)
})
afterAll(() => app.close())

const get = (name: string, encoding?: string) =>
  app.inject({
    url: `/assets/swagger-ui/${name}`,
    ...(encoding && { headers: { 'accept-encoding': encoding } }),
  })

it.each([
  ['swagger-ui-bundle.js', 'text/javascript', 'SwaggerUIBundle'],
  ['swagger-ui.css', 'text/css', '.swagger-ui'],
])('%s comes from the package, small where the browser takes it so', async (name, type, holds) => {
  const plain = await get(name)
  expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
  expect(plain.headers['content-type']).toContain(type)
  expect(plain.body).toContain(holds)
  const small = await get(name, 'gzip, deflate, br')
  expect(small.headers['content-encoding']).toBe('br')
  expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
  expect(brotliDecompressSync(small.rawPayload).equals(plain.rawPayload)).toBe(true)
})

it.each(['index.html', 'oauth2-redirect.html', '../package.json', '%2e%2e/package.json'])(
  '%s does not',
  async (name) => {
    expect((await get(name)).statusCode).toBe(404)
  },
)
