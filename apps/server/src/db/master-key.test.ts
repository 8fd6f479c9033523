import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { registerMasterKey, deriveKey, loadMasterKey, requireMasterKey, assertSameMasterKey } from './master-key.ts'

describe('loadMasterKey', () => {
  let dataDir: string
  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'tocsin-key-'))))
  afterEach(() => rmSync(dataDir, { recursive: true }))

  it('creates the key once, for its owner alone, and leaves nothing else behind', () => {
    const first = loadMasterKey(undefined, dataDir)
    expect(first).toHaveLength(32)
    expect(loadMasterKey(undefined, dataDir)).toEqual(first)
    expect(readdirSync(dataDir)).toEqual(['master.key'])
    expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600)
  })

  it('uses a configured key and then creates no file', () => {
    const given = randomBytes(32)
    expect(loadMasterKey(given, dataDir)).toBe(given)
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('creates no key when it only verifies', () => {
    expect(() => requireMasterKey(undefined, dataDir)).toThrow(`There is no master.key in ${dataDir}`)
    expect(readdirSync(dataDir)).toEqual([])
    const made = loadMasterKey(undefined, dataDir)
    expect(requireMasterKey(undefined, dataDir)).toEqual(made)
  })

  it('rejects a file that other users can read', () => {
    loadMasterKey(undefined, dataDir)
    chmodSync(join(dataDir, 'master.key'), 0o644)
    expect(() => loadMasterKey(undefined, dataDir)).toThrow('is open to other users')
  })

  it('rejects a truncated file', () => {
    writeFileSync(join(dataDir, 'master.key'), 'c2hvcnQ=\n', { mode: 0o600 })
    expect(() => loadMasterKey(undefined, dataDir)).toThrow('does not hold a key of 32 bytes')
  })
})

describe('deriveKey', () => {
  it('derives the same key for the same purpose and another for another purpose', () => {
    const master = Buffer.alloc(32, 1)
    expect(deriveKey(master, 'files')).toEqual(deriveKey(master, 'files'))
    expect(deriveKey(master, 'files')).not.toEqual(deriveKey(master, 'tokens'))
    expect(deriveKey(master, 'files')).not.toEqual(deriveKey(Buffer.alloc(32, 2), 'files'))
  })
})

describe('registerMasterKey', () => {
  let database: TestDatabase
  let pool: pg.Pool
  beforeAll(async () => {
    database = await cloneDatabase()
    pool = new pg.Pool(database.app)
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  it('accepts the first key again and rejects every other', async () => {
    const master = randomBytes(32)
    await assertSameMasterKey(pool, randomBytes(32))
    await Promise.all([registerMasterKey(pool, master), registerMasterKey(pool, master)])
    await registerMasterKey(pool, master)
    await assertSameMasterKey(pool, master)
    for (const check of [registerMasterKey, assertSameMasterKey])
      await expect(check(pool, randomBytes(32))).rejects.toThrow('belongs to another master key')
  })
})
