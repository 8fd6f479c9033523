import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { registry } from '#metrics'
import { readDiskSpace, startDiskMonitor } from './disk-space.ts'

it('reads the free and the total bytes of the disk of a folder', async () => {
  const { freeBytes, totalBytes } = await readDiskSpace(tmpdir())
  expect(freeBytes).toBeGreaterThan(0)
  expect(totalBytes).toBeGreaterThanOrEqual(freeBytes)
})

it('warns once when 10 % and once when 5 % are left, and again after there was more space', async () => {
  const warnings: string[] = []
  const log = { info: () => {}, warn: (text: string) => void warnings.push(text), error: () => {} }
  let free = 9
  const read = async () => ({ freeBytes: free, totalBytes: 100 })
  const monitor = await startDiskMonitor({ folder: '/data', log, everyMs: 5, read })
  expect(warnings).toEqual([expect.stringContaining('9.0 % of the disk of /data')])
  const next = async (percent: number, count: number) => {
    free = percent
    await expect.poll(() => warnings.length).toBe(count)
    const gauge = async () => (await registry.getSingleMetricAsString('tocsin_disk_free_bytes')).split(' ').at(-1)
    await expect.poll(gauge).toBe(String(percent))
  }
  await next(8, 1)
  await next(4, 2)
  await next(50, 2)
  await next(7, 3)
  monitor.stop()
})
