import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNode, type ServerNode } from '../../../../tools/fault/node.ts'
import { violations, report, cleanReport } from '../../../../tools/fault/consistency-check.ts'
import {
  isRunning,
  embedded,
  newMasterKey,
  type FaultSetup,
  createTempDir,
  startFaultSetup,
} from '../../../../tools/fault/fault-setup.ts'
import { waitUntil } from '../../../../tools/fault/wait-until.ts'
import { makeDevices, openAccess } from '../../../../tools/fault/fault-devices.ts'
import { between, calmSec, kills, patience } from './kills.ts'
import { assertNoUncaughtErrors, underLoad } from './fault-server.ts'

const { folder: dataDir, drop: dropData } = createTempDir()
const { folder, drop } = createTempDir()
let node: ServerNode
let rig: FaultSetup

beforeAll(async () => {
  const key = newMasterKey()
  node = await createNode({ dataDir, settings: { TOCSIN_MASTER_KEY: key.toString('base64') } })
  await node.start()
  const access = openAccess(embedded(dataDir).owner)
  const devices = await makeDevices(access, key, 100)
  await access.pool.end()
  rig = await startFaultSetup({ node, devices, connection: () => embedded(dataDir).owner, folder })
})

afterAll(async () => {
  await rig?.end()
  // Ordered, so that its PostgreSQL ends as well; a server that a failed test left dead is started for that.
  if (node && !node.running()) await node.start()
  await node?.stop()
  drop()
  dropData()
  if (node) assertNoUncaughtErrors([node])
})

/** When the answering PostgreSQL was started; undefined when none answers. */
const startedAt = async (connection: pg.ClientConfig): Promise<Date | undefined> => {
  // A socket whose postmaster is gone may keep a connection waiting forever.
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

/** From the end of PostgreSQL until another one answers, while devices press. */
const whileDown = async (connection: pg.ClientConfig) => {
  const [from, pressed] = [Date.now(), rig.fleet.stats().pressed]
  let last = { to: from, pressed }
  for (;;) {
    const now = { to: Date.now(), pressed: rig.fleet.stats().pressed }
    // The clock is read before the query: PostgreSQL was down at that time when it does not answer.
    const written = await startedAt(connection)
    if (written) return { from, to: last.to, written, pressed: last.pressed - pressed }
    last = now
    await pause(20)
  }
}

/** X03. */
test(
  'restarts a PostgreSQL that was killed under load, and sends no PUBACK and no receipt until then',
  async () => {
    const count = kills(5)
    const server = node.pid()
    const load = underLoad(rig.fleet, 40)
    let pressed = 0
    for (let n = 0; n < count; n += 1) {
      await pause(between(500, 1500))
      const { pid, owner } = embedded(dataDir)
      process.kill(pid, 'SIGKILL')
      await waitUntil('PostgreSQL to be gone', () => !isRunning(pid))
      const down = await whileDown(owner)
      expect(await rig.confirmedTooSoon(down)).toEqual([])
      pressed += down.pressed
      await waitUntil('another PostgreSQL', () => runsAnother(pid), { seconds: 10 })
      const before = rig.fleet.stats()
      await waitUntil('receipts again', () => rig.fleet.stats().accepted > before.accepted)
      await waitUntil('PUBACKs again', () => rig.fleet.stats().acknowledged > before.acknowledged)
    }
    load.stop()
    // Devices did request receipts that they did not get.
    expect(pressed).toBeGreaterThan(count)
    await rig.calm(calmSec())
    const verdict = await rig.checkConsistency()
    report(`${count} kills of PostgreSQL`, verdict)
    expect(violations(verdict)).toEqual(cleanReport)
    expect({ pid: node.pid(), running: node.running() }).toEqual({ pid: server, running: true })
  },
  patience(),
)

const runsAnother = (before: number): boolean => {
  try {
    const { pid } = embedded(dataDir)
    return pid !== before && isRunning(pid)
  } catch {
    // Its lock file does not exist between the two.
    return false
  }
}

/** X39. */
test(
  'uses the PostgreSQL that a killed server left running',
  async () => {
    const before = embedded(dataDir).pid
    const load = underLoad(rig.fleet, 40)
    for (let n = 0; n < kills(2); n += 1) {
      await pause(between(300, 600))
      await node.kill()
      expect(isRunning(before)).toBe(true)
      await node.start()
      expect(embedded(dataDir).pid).toBe(before)
    }
    load.stop()
    await rig.calm(calmSec())
    expect(violations(await rig.checkConsistency())).toEqual(cleanReport)
  },
  patience(),
)

test('rejects a second server on the same data directory with a message that says why', async () => {
  const second = await createNode({ dataDir })
  await expect(second.start()).rejects.toThrow('Another Tocsin server is already running on the data directory')
  expect(await second.ended()).toEqual({ code: 1, signal: null })
  expect(second.output().trim().split('\n')).toHaveLength(1)
  expect(node.running()).toBe(true)
})

test('exits with 0 and leaves no PostgreSQL behind when asked to stop', async () => {
  const { pid } = embedded(dataDir)
  const load = underLoad(rig.fleet, 40)
  await waitUntil('receipts', () => rig.fleet.stats().accepted > 0)
  expect(await node.stop()).toEqual({ code: 0, signal: null })
  expect(isRunning(pid)).toBe(false)
  load.stop()
  await node.start()
  await rig.calm(calmSec())
  expect(violations(await rig.checkConsistency())).toEqual(cleanReport)
})

test('leaves no PostgreSQL behind when asked to stop during the start', async () => {
  const { folder: dataDir, drop } = createTempDir()
  const hasty = await createNode({ dataDir })
  const started = hasty.start().then(
    () => 'served',
    () => 'ended before it served',
  )
  const postmaster = () => {
    try {
      return embedded(dataDir).pid
    } catch {
      // It has not written its pid file yet.
      return 0
    }
  }
  await waitUntil('PostgreSQL', () => postmaster() > 0)
  const pid = postmaster()
  expect(await hasty.stop()).toEqual({ code: 0, signal: null })
  expect(await started).toBe('ended before it served')
  expect(isRunning(pid)).toBe(false)
  drop()
})
