import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import type { PressOptions } from '../simulator/device.ts'
import { type Fleet, type FleetOptions, startFleet } from '../simulator/fleet.ts'
import type { Credential } from '../simulator/fleet-file.ts'
import { openLedger } from '../simulator/ledger.ts'
import type { ServerNode } from './node.ts'
import { checkConsistency, type ConsistencyReport } from './consistency-check.ts'
import { waitUntilDrained } from './wait-until.ts'
import { type Access, openAccess } from './fault-devices.ts'

/** As apps/server/test/sweep.ts: the next run ends what a killed one left. */
const prefix = 'tocsin-test-'

/** A folder of its own; as a data directory the server takes it whole, and the sweep finds its PostgreSQL. */
export const createTempDir = (): { folder: string; drop: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  return { folder, drop: () => rmSync(folder, { recursive: true, force: true }) }
}

export const newMasterKey = (): Buffer => randomBytes(32)

type Connection = { host: string; port: number; user: string; database: string }

/** As DATABASE_URL; a host that is a folder is that of a unix socket. `name` shows in pg_stat_activity. */
export const databaseUrl = ({ host, port, user, database }: Connection, name?: string): string =>
  `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user, ...(name && { application_name: name }) })}`

/** The embedded PostgreSQL of a data directory, by what it recorded itself (line 1: pid, line 5: socket folder). */
export const embedded = (dataDir: string): { pid: number; owner: Connection } => {
  const lines = readFileSync(join(dataDir, 'pg/postmaster.pid'), 'utf8').split('\n')
  const [pid, host] = [Number(lines[0]), lines[4]]
  if (!pid || !host) throw new Error(`postmaster.pid of ${dataDir} tells no process and socket yet`)
  return { pid, owner: { host, port: 5432, user: 'tocsin_owner', database: 'tocsin' } }
}

/** Whether that process runs; one that ended and whose parent does not ask (a container's first process) is gone. */
export const isRunning = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

/** Devices that press, with a ledger of their own, against one node. */
export type FaultSetup = {
  fleet: Fleet
  ledgerFile: string
  /** Until every event has its receipt and every receipt is sent: the faults have ended, the calm must come by itself. */
  calm: (seconds?: number) => Promise<void>
  checkConsistency: () => Promise<ConsistencyReport>
  /** How many PUBACKs of alarms have come. */
  acknowledged: () => number
  /**
   * Events for which a device got the platform's word (PUBACK, or `accepted` over either road) between two readings of
   * Date.now(), though they were not on disk before `written`. A word that was read late was given in time.
   */
  promisedTooSoon: (time: { from: number; to: number; written: Date }) => Promise<string[]>
  end: () => Promise<void>
}

type FaultSetupParts = {
  node: Pick<ServerNode, 'http' | 'mqtt'>
  devices: readonly Credential[]
  connection: () => pg.ClientConfig
  folder: string
} & Pick<FleetOptions, 'faults' | 'boot' | 'seed' | 'heartbeatSec' | 'reconnect'>

let rigs = 0

export const startFaultSetup = async ({
  node,
  devices,
  connection,
  folder,
  ...options
}: FaultSetupParts): Promise<FaultSetup> => {
  rigs += 1
  const ledgerFile = join(folder, `ledger-${rigs}.jsonl`)
  const ledger = openLedger(ledgerFile)
  const words: { eventId: string; at: number }[] = []
  let acknowledged = 0
  const note = (eventId: string) => void words.push({ eventId, at: Date.now() })
  const fleet = startFleet({
    onAcknowledged: (eventId) => {
      acknowledged += 1
      note(eventId)
    },
    onReceipt: ({ stage, eventId }) => {
      if (stage === 'accepted') note(eventId)
    },
    devices,
    mqtt: node.mqtt,
    http: node.http,
    ledger,
    reconnect: { baseMs: 300, capMs: 2000 },
    ...options,
  })
  await fleet.connected()
  const asking = async <T>(ask: (access: Access) => Promise<T>): Promise<T> => {
    const access = openAccess(connection())
    return ask(access).finally(() => access.pool.end())
  }
  return {
    fleet,
    ledgerFile,
    calm: async (seconds = 90) => {
      await waitUntilDrained('events without their receipt', fleet.unsent, { seconds })
      await asking(({ pool }) => waitUntilDrained('rows that wait to be sent', () => waiting(pool), { seconds }))
    },
    promisedTooSoon: ({ from, to, written }) => {
      const promised = words.flatMap(({ eventId, at }) => (at >= from && at < to ? [eventId] : []))
      return asking((access) => notWritten(access, promised, written))
    },
    checkConsistency: () => asking((access) => checkConsistency(access, ledgerFile)),
    acknowledged: () => acknowledged,
    end: async () => {
      await fleet.stop()
      ledger.close()
    },
  }
}

const notWritten = async ({ pool }: Access, eventIds: string[], before: Date): Promise<string[]> => {
  const { rows } = await pool.query<{ eventId: string }>(
    // A signal keeps when it came; the log of its record when it was written.
    `select said as "eventId" from unnest($1::text[]) as said
     except select payload->>'eventId' from warn_log where kind = 'SIGNAL' and at < $2`,
    [eventIds, before],
  )
  return rows.map(({ eventId }) => eventId)
}

/** What waits for the gateway or the sequencer. */
const waiting = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ waiting: number }>(
    `select (select count(*) from device_outbox where channel = 'ack' and sent_at is null)
       + (select count(*) from event where seq is null) as waiting`,
  )
  return rows[0]?.waiting ?? 0
}

/** What people and terminals send, over several classes, so that a device has several open records. */
const mix: PressOptions[] = [
  { code: 'PANIC' },
  { code: 'PANIC', press: { count: 3 } },
  { code: 'PANIC', mode: 'TEST' },
  { code: 'MEDICAL' },
  { code: 'INTRUSION' },
  { code: 'FIRE_MANUAL' },
]

/** So many presses a second over the whole fleet, of the mix, until stopped. */
export const pressAtRate = ({ wheel, press }: Fleet, rate: number): { stop: () => void } => {
  const begin = wheel.now()
  let done = 0
  const task = wheel.every(20, () => {
    const due = Math.floor(((wheel.now() - begin) / 1000) * rate)
    for (; done < due; done += 1) press('random', mix[done % mix.length])
  })
  return { stop: task.cancel }
}
