import type { Decoded } from '@tocsin/protocol/decode'
import type { DeviceError } from '@tocsin/protocol/device-error'
import type { UpChannel } from '@tocsin/protocol/topics'
import type { KnownDevice } from '#areas/device/credential-check'
import type { Log } from '#config'
import { createRateLimiter } from '#http/rate-limiter'
import { decodeError } from './ingest-adapter.ts'

/** One report a minute for each device, because a firmware fault repeats with every message. */
const REPORTS = { perSecond: 1 / 60, atOnce: 1 }

export type ReportUnreadable = (
  device: Pick<KnownDevice, 'id' | 'sn'>,
  channel: UpChannel,
  decoded: Decoded<unknown>,
) => void

/** Logs an unreadable message with the serial number of the device, and reports it to the device. */
export const createUnreadableReport = (
  log: Log,
  send: (deviceId: number, error: DeviceError) => void,
): ReportUnreadable => {
  const mayReport = createRateLimiter(REPORTS)
  return ({ id, sn }, channel, decoded) => {
    if (decoded.ok || !mayReport(id)) return
    const { reason, field } = decodeError(decoded)
    log.warn(`device ${sn} sent an unreadable message on up/${channel}: ${reason}${field ? ` at ${field}` : ''}`)
    send(id, { channel, reason, ...(field !== undefined && { field }) })
  }
}
