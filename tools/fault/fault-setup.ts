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

/** Like apps/server/test/kill-leftovers.ts: the next run ends the processes of a killed one. */
const prefix = 'tocsin-test-'

/** A temporary folder: the server uses it whole as its data directory, and the cleanup finds its PostgreSQL. */
export const createTempDir = (): { folder: string; drop: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  return { folder, drop: () => rmSync(folder, { recursive: true, force: true }) }
}

export const newMasterKey = (): Buffer => randomBytes(32)

type Connection = { host: string; port: number; user: string; database: string }

/** Parses a DATABASE_URL; a host that is a folder is a unix socket. `name` shows in pg_stat_activity. */
export const databaseUrl = ({ host, port, user, database }: Connection, name?: string): string =>
  `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user, ...(name && { application_name: name }) })}`

/** Finds the embedded PostgreSQL of a data directory by the file it writes (line 1: pid, line 5: socket folder). */
export const embedded = (dataDir: string): { pid: number; owner: Connection } => {
  const lines = readFileSync(join(dataDir, 'pg/postmaster.pid'), 'utf8').split('\n')
  const [pid, host] = [Number(lines[0]), lines[4]]
  if (!pid || !host) throw new Error(`postmaster.pid of ${dataDir} tells no process and socket yet`)
  return { pid, owner: { host, port: 5432, user: 'tocsin_owner', database: 'tocsin' } }
}

/**
 * Whether that process runs. A zombie, whose parent does not collect it (the first process of a container), counts as
 * ended.
 */
export const isRunning = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

/** Devices that press one node, with a ledger of their own. */
export type FaultSetup = {
  fleet: Fleet
  ledgerFile: string
  /**
   * Waits until every event has its receipt and every receipt is sent, after the faults have ended and without further
   * help.
   */
  calm: (seconds?: number) => Promise<void>
  checkConsistency: () => Promise<ConsistencyReport>
  /** The number of PUBACKs of alarms so far. */
  acknowledged: () => number
  /**
   * Events that the platform confirmed to a device (PUBACK, or `accepted` over either transport) between two readings
   * of Date.now(), although they were not on disk before `written`. A confirmation that was read late was given in
   * time.
   */
  confirmedTooSoon: (time: { from: number; to: number; written: Date }) => Promise<string[]>
  end: () => Promise<void>
}

type FaultSetupParts = {
  node: Pick<ServerNode, 'http' | 'mqtt'>
  devices: readonly Credential[]
  connection: () => pg.ClientConfig
  folder: string
} & Pick<FleetOptions, 'faults' | 'boot' | 'seed' | 'heartbeatSec' | 'reconnect'>

let setups = 0

export const startFaultSetup = async ({
  node,
  devices,
  connection,
  folder,
  ...options
}: FaultSetupParts): Promise<FaultSetup> => {
  setups += 1
  const ledgerFile = join(folder, `ledger-${setups}.jsonl`)
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
    confirmedTooSoon: ({ from, to, written }) => {
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
    // A signal stores its time of arrival; its log entry stores the time of writing.
    `select said as "eventId" from unnest($1::text[]) as said
     except select payload->>'eventId' from warn_log where kind = 'SIGNAL' and at < $2`,
    [eventIds, before],
  )
  return rows.map(({ eventId }) => eventId)
}

/** Counts the work that the gateway or the sequencer still has to do. */
const waiting = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ waiting: number }>(
    `select (select count(*) from device_outbox where channel = 'ack' and sent_at is null)
       + (select count(*) from event where seq is null) as waiting`,
  )
  return rows[0]?.waiting ?? 0
}

/** Codes that people and terminals send, of several classes, so that a device has several open records. */
const mix: PressOptions[] = [
  { code: 'PANIC' },
  { code: 'PANIC', press: { count: 3 } },
  { code: 'PANIC', mode: 'TEST' },
  { code: 'MEDICAL' },
  { code: 'INTRUSION' },
  { code: 'FIRE_MANUAL' },
]

/** Presses at this rate over the whole fleet until stopped. */
export const pressAtRate = ({ wheel, press }: Fleet, rate: number): { stop: () => void } => {
  const begin = wheel.now()
  let done = 0
  const task = wheel.every(20, () => {
    const due = Math.floor(((wheel.now() - begin) / 1000) * rate)
    for (; done < due; done += 1) press('random', mix[done % mix.length])
  })
  return { stop: task.cancel }
}
