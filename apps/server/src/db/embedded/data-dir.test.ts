import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Account, databaseSystemUser } from './account.ts'
import { lockDataDir, resolveDataDir } from './data-dir.ts'

let folder: string
let account: Account

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tocsin-data-')))
  // The database user must be able to enter when root runs this test.
  chmodSync(folder, 0o755)
  account = databaseSystemUser() ?? { name: 'present', uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
})

afterEach(() => {
  chmodSync(folder, 0o755)
  rmSync(folder, { recursive: true })
})

const settle = (dataDir: string, given: boolean) =>
  resolveDataDir({ dataDir, given, checkout: '/srv/checkout', account, fallback: join(folder, 'system') })

describe('resolveDataDir', () => {
  it('creates the folder for the system user alone', () => {
    const dataDir = settle(join(folder, 'deep/data'), true)
    const { mode, uid } = statSync(dataDir)
    expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o700, uid: account.uid })
    expect(settle(dataDir, true)).toBe(dataDir)
  })

  it('moves a default directory that the system user cannot enter, and rejects a configured one', () => {
    const closed = join(folder, 'home')
    mkdirSync(closed, { mode: 0o000 })
    expect(() => settle(join(closed, 'data'), true)).toThrow(`cannot enter ${closed}; choose another TOCSIN_DATA`)
    const dataDir = settle(join(closed, 'data'), false)
    expect(dirname(dataDir)).toBe(join(folder, 'system'))
    expect(settle(join(closed, 'data'), false)).toBe(dataDir)
    chmodSync(closed, 0o755)
  })

  it('rejects a folder that belongs to another user', () => {
    const root = process.getuid?.() === 0
    // Root may use any folder, so for root the test is a folder with content; for others it is a folder of the
    // system's.
    const strange = root ? join(folder, 'strange') : '/usr'
    if (root) mkdirSync(strange)
    if (root) writeFileSync(join(strange, 'letter.txt'), 'kept')
    const wish = { dataDir: strange, given: true, checkout: '/srv', account: databaseSystemUser() }
    expect(() => resolveDataDir(wish)).toThrow(root ? 'holds files of something else' : 'is closed to this user')
  })
})

describe('lockDataDir', () => {
  it('lets one process lock a folder, under any of its names, until it is released', async () => {
    const first = await lockDataDir(folder)
    await expect(lockDataDir(`${folder}/.`)).rejects.toThrow('Another Tocsin server is already running')
    await first.release()
    const second = await lockDataDir(folder)
    await second.release()
  })
})
