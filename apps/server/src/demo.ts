import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DemoAccount, seedDemo } from '../seed/demo.ts'
import { checkout } from './config.ts'
import { deriveKey } from './db/master-key.ts'
import type { Running } from './server.ts'

const secretFile = (file: string, text: string) => {
  writeFileSync(file, text, { mode: 0o600 })
  // The mode above counts only for a new file.
  chmodSync(file, 0o600)
}

const accountLines = (accounts: readonly DemoAccount[]) =>
  accounts.map(({ username, password, role, dept }) => `${username.padEnd(16)} ${password.padEnd(18)} ${role}  ${dept}`)

/** Every room has a device that presses now and then. The child ends with its standard input, so never outlives us. */
const startDevices = ({ url, mqttPort }: Running, fleet: string) => {
  const target = ['--mqtt', `127.0.0.1:${mqttPort}`, '--http', url, '--fleet', fleet]
  const child = spawn(
    process.execPath,
    [
      join(checkout, 'tools/simulate.ts'),
      ...target,
      '--pattern',
      'now-and-then',
      '--seconds',
      '0',
      '--until-stdin-ends',
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.stdin?.end()
    await once(child, 'exit')
  }
}

/**
 * Fills in the demo world (once), prints its accounts and keeps them in `demo-accounts.txt` (0600) in the data
 * directory, and starts its devices.
 */
export const startDemo = async (running: Running, say: (text: string) => void) => {
  const { db, dataDir, database } = running
  const { accounts, fleet } = await seedDemo(db, {
    httpKey: deriveKey(database.masterKey, 'device-http-key'),
    accountsFile: join(dataDir, 'demo-accounts.txt'),
    fleetFile: join(dataDir, 'fleet.json'),
  })
  return { stop: startDevices(running, fleet) }
}
