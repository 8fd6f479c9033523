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
    // link() does not replace a file: of two concurrent starts one key remains, and both read that one.
    linkSync(fresh, file)
  } catch (error) {
    if (!statSync(file, { throwIfNoEntry: false })) throw error
  } finally {
    rmSync(fresh, { force: true })
  }
}

const fileIn = (dataDir: string) => join(dataDir, 'master.key')

/**
 * Loads the key for verification, as `loadMasterKey` would; creates none.
 * @throws StartupError if there is none.
 */
export const requireMasterKey = (given: Buffer | undefined, dataDir: string): Buffer => {
  const present = given ?? read(fileIn(dataDir))
  if (present) return present
  throw new StartupError(`There is no master.key in ${dataDir}: the audit cannot be verified without it.`)
}

/** Loads the master key: the configured one, or the one in the data directory, created at the first start. */
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

/**
 * Derives a 32-byte key for one purpose (RFC 5869, SHA-256). It reveals nothing about another key or the master key.
 */
export const deriveKey = (master: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', `tocsin/${purpose}`, length))

const checkName = 'master-key-check'

/** @throws StartupError if the database belongs to a server with another key; only reads. */
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

/** The first server stores a value derived from its key in the database; a server with another key is rejected. */
export const registerMasterKey = async (pool: pg.Pool, master: Buffer) => {
  const mine = deriveKey(master, checkName)
  await pool.query('insert into secret (name, value) values ($1, $2) on conflict (name) do nothing', [checkName, mine])
  await assertSameMasterKey(pool, master)
}
