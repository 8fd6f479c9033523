import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpApp } from './http/app.ts'
import { openLog } from './log.ts'

const lines: string[] = []
const log = openLog(
  'debug',
  new Writable({
    write: (line: Buffer, _, done) => {
      lines.push(String(line))
      done()
    },
  }),
)
const app = await createHttpApp({ loggerInstance: log })

beforeAll(() => {
  app.post('/broken/:id', () => {
    throw new Error('the siren is deaf')
  })
})
afterAll(() => app.close())

describe('the log', () => {
  it('redacts secrets by name, at every depth that is logged', () => {
    lines.length = 0
    log.info({ password: 'p-1', user: { token: 't-1', deep: { refreshToken: 'r-1', captchaCode: 'c-1' } } }, 'said')
    expect(lines.join()).not.toMatch(/p-1|t-1|r-1|c-1/)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ password: '[cut]', user: { deep: { refreshToken: '[cut]' } } })
  })

  it('finds a failed call by the id in its response, and logs nothing that the caller sent', async () => {
    lines.length = 0
    const answer = await app.inject({
      method: 'POST',
      url: '/broken/id-1?access_token=q-1',
      headers: { authorization: 'Bearer h-1', 'x-request-id': 'forged' },
      payload: { password: 'b-1' },
    })
    const { traceId, ...body } = answer.json<{ traceId: string; code: number; msg: string }>()
    expect(body).toEqual({ code: 500, msg: expect.not.stringContaining('siren'), data: null })
    const own = lines.map((line) => JSON.parse(line)).filter((line) => line.traceId === traceId)
    expect(own.map(({ msg }) => msg)).toEqual(['call failed', 'answered'])
    expect(own[0]).toMatchObject({ err: { message: 'the siren is deaf' } })
    expect(own[1]).toMatchObject({ method: 'POST', at: '/broken/:id', status: answer.statusCode })
    expect(lines.join()).not.toMatch(/id-1|q-1|h-1|b-1|forged/)
  })
})
