import { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { metrics } from './metrics.ts'
import { serveMetrics } from './metrics-server.ts'

let server: Awaited<ReturnType<typeof serveMetrics>>
const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

beforeAll(async () => {
  server = await serveMetrics({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

it('serves metrics and nothing else', async () => {
  metrics.signals.inc({ via: 'MQTT', outcome: 'raised' })
  const answer = await fetch(at('/metrics'))
  expect(answer.headers.get('content-type')).toContain('text/plain')
  const text = await answer.text()
  expect(text).toMatch(/^tocsin_signals_total\{via="MQTT",outcome="raised"\} 1$/m)
  expect(text).toMatch(/^process_cpu_seconds_total/m)
  for (const [path, method] of Object.entries({ '/': 'GET', '/livez': 'GET', '/metrics': 'POST' }))
    expect([path, (await fetch(at(path), { method })).status]).toEqual([path, 404])
})
