import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDataDir } from '../src/db/embedded/data-dir.ts'
import { findOrphanPostmaster, stopPostmaster } from '../src/db/embedded/postmaster.ts'

const minute = 60_000
const day = 1440 * minute

/** Data directories of test runs begin like this, so that the next run can find what a killed one left. */
export const testPrefix = 'tocsin-test-'

const sweepOne = async (dataDir: string) => {
  // Another run may be between making its folder and holding it; and other users' folders are theirs.
  const found = statSync(dataDir, { throwIfNoEntry: false })
  // A run that ended meanwhile has taken its own away.
  if (!found) return
  const { mtimeMs, uid } = found
  const mine = process.getuid?.() === 0 || uid === process.getuid?.()
  if (!mine || Date.now() - mtimeMs < minute) return
  // Without a PostgreSQL nobody holds it, whether or not a run writes its ledger there: a day is longer than any run.
  if (!existsSync(join(dataDir, 'pg')) && Date.now() - mtimeMs < day) return
  const held = await lockDataDir(dataDir).catch(() => undefined)
  if (!held) return
  const folder = join(dataDir, 'pg')
  const orphan = findOrphanPostmaster(folder)
  if (orphan) {
    await stopPostmaster(orphan.pid, folder)
    rmSync(orphan.socketFolder, { recursive: true, force: true })
  }
  rmSync(dataDir, { recursive: true, force: true })
  await held.release()
}

/** PostgreSQL outlives whoever started it: this ends those of test runs that were killed before their teardown. */
export const killLeftovers = async () => {
  for (const name of readdirSync(tmpdir()).filter((name) => name.startsWith(testPrefix))) {
    await sweepOne(join(tmpdir(), name))
  }
}
