import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeNode, type ServerNode } from '../../../../tools/fault/node.ts'
import { findings, report, spotless } from '../../../../tools/fault/oracle.ts'
import { alive, embedded, newMasterKey, type Rig, scratch, startRig } from '../../../../tools/fault/rig.ts'
import { until } from '../../../../tools/fault/until.ts'
import { makeDevices, openAccess } from '../../../../tools/fault/world.ts'
import { between, calmSec, kills, patience } from './kills.ts'
import { demandCaught, underLoad } from './site.ts'

const { folder: dataDir, drop: dropData } = scratch()
const { folder, drop } = scratch()
let node: ServerNode
let rig: Rig

beforeAll(async () => {
  const key = newMasterKey()
  node = await makeNode({ dataDir, settings: { TOCSIN_MASTER_KEY: key.toString('base64') } })
  await node.start()
  const access = openAccess(embedded(dataDir).owner)
  const devices = await makeDevices(access, key, 100)
  await access.pool.end()
  rig = await startRig({ node, devices, connection: () => embedded(dataDir).owner, folder })
})

afterAll(async () => {
  await rig?.end()
  // In order, so that its PostgreSQL ends as well; a server that a failed test left dead is started for that.
  if (node && !node.running()) await node.start()
  await node?.stop()
  drop()
  dropData()
  if (node) demandCaught([node])
})

/** When the PostgreSQL that answers was started; undefined when none does. */
const startedAt = async (connection: pg.ClientConfig): Promise<Date | undefined> => {
  // A socket whose postmaster is gone may keep a connection waiting for ever.
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ at: Date }>('select pg_postmaster_start_time() as at')
    return rows[0]?.at
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** From the end of PostgreSQL until another one answers, with devices pressing all the while. */
const whileDown = async (connection: pg.ClientConfig) => {
  const [from, pressed] = [Date.now(), rig.fleet.stats().pressed]
  let last = { to: from, pressed }
  for (;;) {
    const now = { to: Date.now(), pressed: rig.fleet.stats().pressed }
    // Looked at before it was asked: so it was down at that time if it does not answer.
    const written = await startedAt(connection)
    if (written) return { from, to: last.to, written, pressed: last.pressed - pressed }
    last = now
    await pause(20)
  }
}

/** X03. */
test(
  'a PostgreSQL that is killed under load comes back by itself; until then no PUBACK and no receipt leaves',
  async () => {
    const count = kills(5)
    const server = node.pid()
    const load = underLoad(rig.fleet, 40)
    let pressed = 0
    for (let n = 0; n < count; n += 1) {
      await pause(between(500, 1500))
      const { pid, owner } = embedded(dataDir)
      process.kill(pid, 'SIGKILL')
      await until('PostgreSQL to be gone', () => !alive(pid))
      const down = await whileDown(owner)
      expect(await rig.promisedTooSoon(down)).toEqual([])
      pressed += down.pressed
      await until('another PostgreSQL', () => runsAnother(pid), { seconds: 10 })
      const before = rig.fleet.stats()
      await until('receipts again', () => rig.fleet.stats().accepted > before.accepted)
      await until('PUBACKs again', () => rig.fleet.stats().acknowledged > before.acknowledged)
    }
    load.stop()
    // Devices did ask for what they were not given.
    expect(pressed).toBeGreaterThan(count)
    await rig.calm(calmSec())
    const verdict = await rig.judge()
    report(`${count} kills of PostgreSQL`, verdict)
    expect(findings(verdict)).toEqual(spotless)
    expect({ pid: node.pid(), running: node.running() }).toEqual({ pid: server, running: true })
  },
  patience(),
)

const runsAnother = (before: number): boolean => {
  try {
    const { pid } = embedded(dataDir)
    return pid !== before && alive(pid)
  } catch {
    // Its lock file is away between the two.
    return false
  }
}

/** X39. */
test(
  'the PostgreSQL that a killed server left alive is taken over by the next start',
  async () => {
    const before = embedded(dataDir).pid
    const load = underLoad(rig.fleet, 40)
    for (let n = 0; n < kills(2); n += 1) {
      await pause(between(300, 600))
      await node.kill()
      expect(alive(before)).toBe(true)
      await node.start()
      expect(embedded(dataDir).pid).toBe(before)
    }
    load.stop()
    await rig.calm(calmSec())
    expect(findings(await rig.judge())).toEqual(spotless)
  },
  patience(),
)

test('a second server on the same data directory is refused with a sentence that says why', async () => {
  const second = await makeNode({ dataDir })
  await expect(second.start()).rejects.toThrow('Another Tocsin server is already running on the data directory')
  expect(await second.ended()).toEqual({ code: 1, signal: null })
  expect(second.output().trim().split('\n')).toHaveLength(1)
  expect(node.running()).toBe(true)
})

test('a server asked to stop ends with 0 and leaves no PostgreSQL behind', async () => {
  const { pid } = embedded(dataDir)
  const load = underLoad(rig.fleet, 40)
  await until('receipts', () => rig.fleet.stats().accepted > 0)
  expect(await node.stop()).toEqual({ code: 0, signal: null })
  expect(alive(pid)).toBe(false)
  load.stop()
  await node.start()
  await rig.calm(calmSec())
  expect(findings(await rig.judge())).toEqual(spotless)
})

test('a server asked to stop while it starts leaves no PostgreSQL behind', async () => {
  const { folder: dataDir, drop } = scratch()
  const hasty = await makeNode({ dataDir })
  const started = hasty.start().then(
    () => 'served',
    () => 'ended before it served',
  )
  const postmaster = () => {
    try {
      return embedded(dataDir).pid
    } catch {
      // It has not recorded itself yet.
      return 0
    }
  }
  await until('PostgreSQL', () => postmaster() > 0)
  const pid = postmaster()
  expect(await hasty.stop()).toEqual({ code: 0, signal: null })
  expect(await started).toBe('ended before it served')
  expect(alive(pid)).toBe(false)
  drop()
})
