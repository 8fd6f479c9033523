import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { ChaosProxy } from '../../../../tools/fault/chaos-proxy.ts'
import { findings, report, spotless } from '../../../../tools/fault/oracle.ts'
import { pressing } from '../../../../tools/fault/rig.ts'
import { until } from '../../../../tools/fault/until.ts'
import { kills, patience } from './kills.ts'
import { openSite, type Site } from './site.ts'

let site: Site | undefined

afterEach(async () => {
  await site?.end()
  site = undefined
})

const proxied = async (): Promise<Site & { proxy: ChaosProxy }> => {
  site = await openSite({ devices: 100, proxied: true })
  if (!site.proxy) throw new Error('the site has no proxy')
  return { ...site, proxy: site.proxy }
}

const status = async (http: string, path: string): Promise<number> => (await fetch(new URL(path, http))).status

/** X07. */
test(
  'while the database is half-open nothing is confirmed and the server says so; then all is made up for',
  async () => {
    const { proxy, rig, node } = await proxied()
    const load = pressing(rig.fleet, 40)
    for (let n = 0; n < kills(1); n += 1) {
      await until('receipts', () => rig.fleet.unsent() < 20 && rig.fleet.stats().accepted > 100)
      proxy.halfOpen()
      // What was committed before may still be on its way to the devices.
      await pause(2000)
      const { accepted } = rig.fleet.stats()
      await until('the server to call itself not ready', async () => (await status(node.http, '/readyz')) === 503)
      expect(await status(node.http, '/livez')).toBe(200)
      await pause(3000)
      expect(rig.fleet.stats().accepted).toBe(accepted)
      proxy.mend()
      await until('the server to be ready', async () => (await status(node.http, '/readyz')) === 200)
    }
    load.stop()
    await rig.calm()
    const verdict = await rig.judge()
    report('half-open database', verdict)
    expect(findings(verdict)).toEqual(spotless)
    expect(node.running()).toBe(true)
  },
  patience(),
)

/** X08. */
test(
  'a commit whose answer never came is neither taken for lost nor done twice',
  async () => {
    const { proxy, rig, node } = await proxied()
    const count = kills(50)
    const load = pressing(rig.fleet, 60)
    const after = Buffer.from('commit\0')
    const of = (opening: Buffer) => opening.includes('tocsin ingest')
    for (let n = 0; n < count; n += 1) await proxy.cut({ after, of, nth: 1 + (n % 3) })
    load.stop()
    await rig.calm()
    const verdict = await rig.judge()
    report(`${count} commits of unknown outcome`, verdict)
    expect(findings(verdict)).toEqual(spotless)
    expect(node.running()).toBe(true)
  },
  patience(),
)
