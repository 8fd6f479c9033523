import { statfs } from 'node:fs/promises'
import type { Log } from '#config'
import { metrics } from '#metrics'

const EVERY_MS = 30_000
/** Free shares of the disk at which the log warns, each once until there is more again. */
const WARNING_PERCENTS = [10, 5]

export type DiskSpace = { freeBytes: number; totalBytes: number }

export const readDiskSpace = async (folder: string): Promise<DiskSpace> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

export type DiskMonitorOptions = {
  folder: string
  log: Log
  everyMs?: number
  read?: (folder: string) => Promise<DiskSpace>
}

/** Measures the disk of the data directory now and every 30 s. */
export const startDiskMonitor = async (options: DiskMonitorOptions): Promise<{ stop: () => void }> => {
  const { folder, log, everyMs = EVERY_MS, read = readDiskSpace } = options
  let reached = 0
  const measure = async () => {
    const { freeBytes, totalBytes } = await read(folder)
    metrics.diskFreeBytes.set(freeBytes)
    metrics.diskSizeBytes.set(totalBytes)
    const percent = totalBytes > 0 ? (100 * freeBytes) / totalBytes : 100
    const passed = WARNING_PERCENTS.filter((limit) => percent < limit).length
    if (passed > reached)
      log.warn(
        `${percent.toFixed(1)} % of the disk of ${folder} are free (${Math.round(freeBytes / 1_048_576)} MiB): when it is full, alarms cannot be stored`,
      )
    reached = passed
  }
  const measureSafely = () =>
    measure().catch((error: unknown) => log.warn(`the disk of ${folder} cannot be measured: ${String(error)}`))
  await measureSafely()
  const timer = setInterval(() => void measureSafely(), everyMs)
  return { stop: () => clearInterval(timer) }
}
