import type { Heartbeat } from '@tocsin/protocol/heartbeat'
import type { Birth } from '@tocsin/protocol/state'
import type { Log } from '#config'
import type { KnownDevice } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import { type LinkLoss, type DeviceActivity, writeLinkLosses, writeActivities } from './activity-writer.ts'

type Device = Pick<KnownDevice, 'id' | 'heartbeatSec'>

/** Collects device activity in memory and writes it with one statement a second. */
export type ActivityBuffer = {
  seen: (device: Device) => void
  stamp: (device: Device, stamp: { boot: number; seq: number }) => void
  heartbeat: (device: Device, beat: Heartbeat) => void
  birth: (device: Device, birth: Birth) => void
  /** `heardAt`: performance.now() at the last message of the link; null when unknown. */
  linkLost: (deviceId: number, lost: { boot: number | null; heardAt: number | null }) => void
  /** Writes the buffered activity that is due. */
  flush: () => Promise<void>
  stop: () => Promise<void>
}

export type ActivityBufferOptions = {
  db: Db
  log: Log
  /** Called with devices that were active and are not ONLINE in the database. */
  onReturn: (deviceIds: number[]) => void
  everyMs?: number
}

type Pending = DeviceActivity & { dueAt: number }

/** Shortest time between two writes of one device (trust 6.9). */
const WRITE_EACH_MS = 10_000
const INT4_MAX = 2_147_483_647

const intervalOf = ({ heartbeatSec }: Device): number => Math.min(WRITE_EACH_MS, heartbeatSec * 900)

/** The numbers of the device decide which of two messages is the later one, not their arrival (trust 6.2). */
const isOlder = (a: { boot: number; seq: number }, b: Pick<DeviceActivity, 'boot' | 'seq'>): boolean =>
  b.boot !== null && (a.boot < b.boot || (a.boot === b.boot && a.seq < (b.seq ?? 0)))

const merge = (into: DeviceActivity, from: Partial<DeviceActivity> & { boot?: number; seq?: number }) => {
  if (from.boot !== undefined && isOlder({ boot: from.boot, seq: from.seq ?? 0 }, into)) return
  Object.assign(into, from)
}

const unsaid = {
  beatAt: null,
  boot: null,
  seq: null,
  ts: null,
  tsAt: null,
  tsBoot: null,
  upMs: null,
  battery: null,
  rssi: null,
  fw: null,
  cfg: null,
  unsent: null,
}

const createPendingActivities = () => {
  const pending = new Map<number, Pending>()
  const written = new Map<number, number>()
  const at = (device: Device): Pending => {
    const now = performance.now()
    const known = pending.get(device.id)
    if (known) {
      known.seenAt = now
      return known
    }
    const dueAt = (written.get(device.id) ?? -Infinity) + intervalOf(device)
    const fresh: Pending = { ...unsaid, deviceId: device.id, seenAt: now, dueAt }
    pending.set(device.id, fresh)
    return fresh
  }
  const due = (all: boolean): Pending[] => {
    const now = performance.now()
    const rows = [...pending.values()].filter(({ dueAt }) => all || dueAt <= now)
    for (const { deviceId } of rows) {
      pending.delete(deviceId)
      written.set(deviceId, now)
    }
    return rows
  }
  /** Restores activities that could not be written, unless a later one of the device has arrived. */
  const giveBack = (rows: Pending[]) => {
    for (const row of rows) if (!pending.has(row.deviceId)) pending.set(row.deviceId, row)
  }
  const hurry = (deviceId: number) => void written.delete(deviceId)
  return { at, due, giveBack, hurry, written }
}

export const createActivityBuffer = ({ db, log, onReturn, everyMs = 1000 }: ActivityBufferOptions): ActivityBuffer => {
  const signs = createPendingActivities()
  let losses = new Map<number, LinkLoss>()
  let running: Promise<void> = Promise.resolve()

  const write = async (all: boolean) => {
    const rows = signs.due(all)
    const lost = losses
    losses = new Map()
    try {
      const absent = rows.length > 0 ? await writeActivities(db, rows) : []
      if (lost.size > 0) await writeLinkLosses(db, [...lost.values()])
      if (absent.length > 0) onReturn(absent)
    } catch (error) {
      signs.giveBack(rows)
      for (const [id, loss] of lost) if (!losses.has(id)) losses.set(id, loss)
      log.warn(`device activity waits for the database: ${String(error)}`)
    }
  }
  const flush = (all = false) => {
    running = running.then(() => write(all))
    return running
  }
  let turn: Promise<void> | undefined
  const timer = setInterval(() => {
    turn ??= flush().finally(() => (turn = undefined))
  }, everyMs)
  return {
    seen: (device) => void signs.at(device),
    // An alarm may be delayed. Only a heartbeat, which is never kept, shows the present clock of the device.
    stamp: (device, { boot, seq }) => merge(signs.at(device), { boot, seq }),
    heartbeat: (device, beat) => {
      const sign = signs.at(device)
      sign.beatAt = sign.seenAt
      const { boot, seq, ts, upMs, rssi = null, fw = null } = beat
      const battery = beat.battery !== undefined && beat.battery >= 0 && beat.battery <= 100 ? beat.battery : null
      const cfg = beat.cfgVer === undefined ? null : String(beat.cfgVer)
      const unsent = beat.unsent === undefined ? null : Math.min(beat.unsent, INT4_MAX)
      merge(sign, { boot, seq, ts, tsAt: sign.seenAt, tsBoot: boot, upMs, battery, rssi, fw, cfg, unsent })
    },
    birth: (device, { boot, fw }) => {
      signs.hurry(device.id)
      const sign = signs.at(device)
      sign.dueAt = 0
      merge(sign, { boot, fw })
    },
    linkLost: (deviceId, { boot, heardAt }) => {
      signs.hurry(deviceId)
      // The will contains the boot number; the report of the broken link that follows does not.
      const known = boot ?? losses.get(deviceId)?.boot ?? null
      losses.set(deviceId, { deviceId, boot: known, heardAt, lostAt: performance.now() })
    },
    flush: () => flush(true),
    stop: async () => {
      clearInterval(timer)
      await flush(true)
    },
  }
}
