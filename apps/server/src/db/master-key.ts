import { hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { StartupError } from '../config.ts'

const length = 32

const read = (file: string): Buffer | undefined => {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) return undefined
  if ((found.mode & 0o077) !== 0) throw new StartupError(`${file} is open to other users: chmod 600 it.`)
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== length) throw new StartupError(`${file} does not hold a key of ${length} bytes in base64.`)
  return key
}

const create = (file: string) => {
  const fresh = `${file}.${process.pid}`
  rmSync(fresh, { force: true })
  const handle = openSync(fresh, 'wx', 0o600)
  writeSync(handle, `${randomBytes(length).toString('base64')}\n`)
  fsyncSync(handle)
  closeSync(handle)
  try {
    // A link does not replace: of two starts at once one key stays, and both read that one.
    linkSync(fresh, file)
  } catch (error) {
    if (!statSync(file, { throwIfNoEntry: false })) throw error
  } finally {
    rmSync(fresh, { force: true })
  }
}

const fileIn = (dataDir: string) => join(dataDir, 'master.key')

/**
 * The key to verify with, as `loadMasterKey` gives it; none is made.
 * @throws StartupError where there is none.
 */
export const requireMasterKey = (given: Buffer | undefined, dataDir: string): Buffer => {
  const present = given ?? read(fileIn(dataDir))
  if (present) return present
  throw new StartupError(`There is no master.key in ${dataDir}: the audit cannot be verified without it.`)
}

/** The key everything secret comes from: the given one, or that of the data directory, made at the first start. */
export const loadMasterKey = (given: Buffer | undefined, dataDir: string): Buffer => {
  if (given) return given
  const file = fileIn(dataDir)
  const present = read(file)
  if (present) return present
  create(file)
  const made = read(file)
  if (!made) throw new StartupError(`${file} could not be made.`)
  return made
}

/** A key of 32 bytes for one purpose (RFC 5869, SHA-256); knowing one tells nothing about another or the master. */
export const deriveKey = (master: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', `tocsin/${purpose}`, length))

const checkName = 'master-key-check'

/** @throws StartupError where a server with another key was the first; the database is only read. */
export const assertSameMasterKey = async (pool: pg.Pool, master: Buffer) => {
  const mine = deriveKey(master, checkName)
  const { rows } = await pool.query<{ value: Buffer }>('select value from secret where name = $1', [checkName])
  const kept = rows[0]?.value
  if (kept && (kept.length !== mine.length || !timingSafeEqual(kept, mine))) {
    throw new StartupError(
      'This database belongs to another master key. Restore master.key of the data directory, or set the ' +
        'TOCSIN_MASTER_KEY it was created with.',
    )
  }
}

/** The first server leaves a value derived from its key in the database; one with another key is refused. */
export const registerMasterKey = async (pool: pg.Pool, master: Buffer) => {
  const mine = deriveKey(master, checkName)
  await pool.query('insert into secret (name, value) values ($1, $2) on conflict (name) do nothing', [checkName, mine])
  await assertSameMasterKey(pool, master)
}
