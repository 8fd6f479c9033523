import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metrics, registry } from './metrics.ts'
import { serveMetrics } from './metrics-server.ts'

let server: Awaited<ReturnType<typeof serveMetrics>>
const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

beforeAll(async () => {
  server = await serveMetrics({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

it('serves metrics and nothing else', async () => {
  metrics.signals.reset()
  metrics.signals.inc({ via: 'MQTT', outcome: 'record_created' })
  const answer = await fetch(at('/metrics'))
  expect(answer.headers.get('content-type')).toContain('text/plain')
  const text = await answer.text()
  expect(text).toMatch(/^tocsin_signals_total\{via="MQTT",outcome="record_created"\} 1$/m)
  expect(text).toMatch(/^process_cpu_seconds_total/m)
  for (const [path, method] of Object.entries({ '/': 'GET', '/livez': 'GET', '/metrics': 'POST' }))
    expect([path, (await fetch(at(path), { method })).status]).toEqual([path, 404])
})

describe('docs/metrics.md', () => {
  const root = join(import.meta.dirname, '../../..')
  const document = readFileSync(join(root, 'docs/metrics.md'), 'utf8')
  const rows = document
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 8 && cells[1]?.startsWith('`tocsin_'))
  const unquoted = (cell = ''): string => cell.replaceAll('`', '')

  it('lists the exposed metrics with their types and labels', () => {
    const exposed = Object.values(metrics).map((metric) => {
      const { name, labelNames } = metric as unknown as { name: string; labelNames: string[] }
      return [name, metric.constructor.name.toLowerCase(), labelNames.join(', ')]
    })
    expect(rows.map(([, name, type, , labels]) => [unquoted(name), type, unquoted(labels)]).toSorted()).toEqual(
      exposed.toSorted(),
    )
  })

  it('states for each metric a rule or that it needs none, and what to do', () => {
    for (const [, name = '', , , , , rule = ''] of rows) {
      expect([name, rule === 'none' || rule.includes(unquoted(name))]).toEqual([name, true])
      const isExplained = document.split('## What to do')[1]?.includes(name)
      expect([name, isExplained || rule === 'none' || name === '`tocsin_disk_size_bytes`']).toEqual([name, true])
    }
  })

  it('is the only source of the names that other documents mention', () => {
    const decisions = readdirSync(join(root, 'docs/decisions')).map((file) => `docs/decisions/${file}`)
    const known = new Set(registry.getMetricsAsArray().map(({ name }) => name))
    const unknown = ['README.md', 'docs/metrics.md', ...decisions].flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\btocsin_\w+_(?:total|seconds|bytes|messages)\w*/g)]
        .map(([name]) => name.replace(/_seconds_(?:bucket|count|sum)$/, '_seconds'))
        .filter((name) => !known.has(name))
        .map((name) => `${file}: ${name}`),
    )
    expect(unknown).toEqual([])
  })

  it('names metrics by the conventions of Prometheus', () => {
    for (const { name } of registry.getMetricsAsArray().filter((metric) => metric.name.startsWith('tocsin_')))
      expect(name).toMatch(/^tocsin_[a-z_]+$/)
    for (const metric of Object.values(metrics)) {
      const { name } = metric as unknown as { name: string }
      const type = metric.constructor.name
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'Counter'])
      if (type === 'Histogram') expect(name).toMatch(/_seconds$/)
    }
  })
})
