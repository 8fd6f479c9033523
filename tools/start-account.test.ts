import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { repoRoot } from '../apps/server/src/config.ts'
import { databaseSystemUser, canAccess } from '../apps/server/src/db/embedded/account.ts'
import { testPrefix } from '../apps/server/test/kill-leftovers.ts'
import { freePort } from './fault/port.ts'
import { embedded } from './fault/fault-setup.ts'

// Runs the real start with the real server; only the web app is not built, and npm may install nothing.

let place: string
let dataDir: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'tocsin-start-'))
  dataDir = mkdtempSync(join(tmpdir(), testPrefix))
  chmodSync(place, 0o755)
  for (const folder of ['tools', 'apps', 'bin']) mkdirSync(join(place, folder))
  for (const file of [
    'tools/start.mjs',
    'tools/install.mjs',
    'tools/build-web.mjs',
    'package.json',
    'package-lock.json',
  ])
    cpSync(join(repoRoot, file), join(place, file))
  for (const linked of ['node_modules', 'packages', 'apps/server'])
    symlinkSync(join(repoRoot, linked), join(place, linked))
  writeFileSync(join(place, 'bin/npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
})
afterEach(() => {
  for (const folder of [place, dataDir]) rmSync(folder, { recursive: true, force: true })
})

/** The process started by another one. */
const childOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())

it('runs the server and its PostgreSQL as the user "tocsin" under root, and otherwise as the current user', async () => {
  const account = databaseSystemUser()
  const ownUid = process.getuid?.()
  const enters = canAccess(account, join(repoRoot, 'apps/server/src/main.ts'), 'r')
  const { PATH } = process.env
  const child = spawn(process.execPath, [join(place, 'tools/start.mjs')], {
    cwd: place,
    env: {
      PATH: [join(place, 'bin'), PATH].join(delimiter),
      TOCSIN_DATA: dataDir,
      TOCSIN_HTTP: `127.0.0.1:${await freePort()}`,
      TOCSIN_MQTT: `127.0.0.1:${await freePort()}`,
      TOCSIN_OPS: '127.0.0.1:0',
      TOCSIN_ADMIN_PASSWORD: 'not-used-by-this-test',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += String(bytes)))
  try {
    await expect
      .poll(() => (child.exitCode === null ? said : `it ended: ${said}`))
      .toMatch(/devices: mqtt port|it ended/)
    const server = statSync(`/proc/${childOf(child.pid ?? 0)}`).uid
    const postgres = statSync(`/proc/${embedded(dataDir).pid}`).uid
    const expected = account?.uid ?? ownUid
    // If that user cannot read the checkout, root runs the server and prints a warning.
    expect({ server, postgres }).toEqual({ server: enters ? expected : ownUid, postgres: expected })
    expect(said.includes('WARNING: the server runs as root')).toBe(!enters)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
  expect(await ended).toEqual([0, null])
})
