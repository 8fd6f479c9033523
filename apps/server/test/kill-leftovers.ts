import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDataDir } from '../src/db/embedded/data-dir.ts'
import { findOrphanPostmaster, stopPostmaster } from '../src/db/embedded/postmaster.ts'

const minute = 60_000
const day = 1440 * minute

/** Prefix of the data directories of test runs, so that the next run finds leftovers of a killed one. */
export const testPrefix = 'tocsin-test-'

const sweepOne = async (dataDir: string) => {
  // Another run may have created its folder without a lock so far; folders of other users belong to them.
  const found = statSync(dataDir, { throwIfNoEntry: false })
  // A run that ended meanwhile has removed its own.
  if (!found) return
  const { mtimeMs, uid } = found
  const mine = process.getuid?.() === 0 || uid === process.getuid?.()
  if (!mine || Date.now() - mtimeMs < minute) return
  // Without a PostgreSQL the folder has no lock, though a run may write its ledger there: a day is longer than any run.
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

/** PostgreSQL outlives its parent: this ends those of test runs that were killed before their teardown. */
export const killLeftovers = async () => {
  for (const name of readdirSync(tmpdir()).filter((name) => name.startsWith(testPrefix))) {
    await sweepOne(join(tmpdir(), name))
  }
}
