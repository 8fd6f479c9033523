import { afterAll, beforeAll, expect, it } from 'vitest'
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
