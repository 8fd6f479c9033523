import { randomUUID } from 'node:crypto'
import type { Log } from '#config'
import { ingestServerSignal } from '#areas/alarm/ingest'
import type { KnownDevice } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { type ConnectFault, connectFaultReasons } from '../mqtt/connect-settings.ts'

export type ConnectFaultReport = {
  /** Reports what was dropped from the CONNECT of an admitted device, and that nothing is any longer. */
  note: (device: Pick<KnownDevice, 'id' | 'sn'>, faults: readonly ConnectFault[]) => void
  /** Resolves when everything noted is stored. */
  stop: () => Promise<void>
}

const MAX_ID = 40

/** Faults of a record that another run of this node, or another node, has raised. */
const UNKNOWN_FAULTS = 'unknown'

const listReported = (db: Db) =>
  unscoped(db, 'devices whose connection settings were reported')
    .selectFrom('warnRecord')
    .select('deviceId')
    .where('open', '=', true)
    .where('code', '=', 'CONNECT_FAULT')
    .where('condition', '=', 'ACTIVE')
    .execute()

/** A device that reconnects with the same faults reports them once, so that a bad network creates no signals. */
export const createConnectFaultReport = ({ db, log }: { db: Db; log: Log }): ConnectFaultReport => {
  const reported = new Map<number, string>()
  const load = async (): Promise<void> => {
    for (const { deviceId } of await listReported(db)) if (deviceId !== null) reported.set(deviceId, UNKNOWN_FAULTS)
  }
  const store = async (deviceId: number, code: string, faults: readonly ConnectFault[]): Promise<void> => {
    const eventId = `${code}-${randomUUID()}`.slice(0, MAX_ID)
    await ingestServerSignal(db, { deviceId, code, eventId, detail: { faults } })
  }
  const compare = async ({ id, sn }: Pick<KnownDevice, 'id' | 'sn'>, faults: readonly ConnectFault[]) => {
    const key = faults.join(' ')
    if ((reported.get(id) ?? '') === key) return
    if (faults.length === 0) {
      await store(id, 'CONNECT_FAULT_CLEARED', faults)
      reported.delete(id)
      return
    }
    const reasons = faults.map((fault) => connectFaultReasons[fault]).join(', ')
    log.warn(`device ${sn} connected with settings that were dropped: ${reasons}`)
    await store(id, 'CONNECT_FAULT', faults)
    reported.set(id, key)
  }
  // One after the other: a device may connect again before its last report is stored.
  let running = load().catch((error: unknown) => log.warn(`reported connection settings not read: ${String(error)}`))
  return {
    note: (device, faults) => {
      // After a failure the next CONNECT reports the faults.
      running = running
        .then(() => compare(device, faults))
        .catch((error: unknown) => log.warn(`connection settings of a device could not be stored: ${String(error)}`))
    },
    stop: () => running,
  }
}
