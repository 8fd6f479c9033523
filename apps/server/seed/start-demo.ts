import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { repoRoot, StartupError } from '../src/config.ts'
import { deriveKey } from '../src/db/master-key.ts'
import type { RunningServer } from '../src/server.ts'

/** Delay after the claim of an alarm until its button is reset in the demo. */
const RESET_AFTER_SEC = 15

/**
 * Every room has a device that presses now and then, and a person who resets it after the claim. The child process ends
 * with its standard input, so it never outlives this one.
 */
const startDevices = ({ url, mqttPort }: RunningServer, fleet: string) => {
  // An external broker reads its devices from a configuration of its own (npm run broker-config); these press over HTTP
  // then.
  const road = mqttPort ? ['--mqtt', `127.0.0.1:${mqttPort}`] : ['--http-only']
  const target = [...road, '--http', url, '--fleet', fleet]
  const child = spawn(
    process.execPath,
    [
      join(repoRoot, 'tools/simulate.ts'),
      ...target,
      '--pattern',
      'now-and-then',
      '--reset-after',
      String(RESET_AFTER_SEC),
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

const MOST = 20_000

/**
 * `--crowd N`: so many additional devices, for `npm run simulate`.
 * @throws StartupError
 */
export const parseLoadSize = (argv: readonly string[], demo: boolean): number => {
  const at = argv.indexOf('--crowd')
  if (at < 0) return 0
  if (!demo) throw new StartupError('--crowd is for the demo alone: npm run demo -- --crowd 1000.')
  const text = argv[at + 1] ?? ''
  if (!/^[1-9]\d{0,5}$/.test(text) || Number(text) > MOST)
    throw new StartupError(`--crowd takes a number of devices from 1 to ${MOST}.`)
  return Number(text)
}

/**
 * Creates the demo data once, prints its accounts and stores them in `demo-accounts.txt` (0600) in the data directory,
 * and starts its devices. `crowd`: devices that do not press yet, stored in `crowd.json`.
 */
export const startDemo = async (running: RunningServer, say: (text: string) => void, crowd: number) => {
  const { db, dataDir, database } = running
  // Loaded here only: no other start needs the modules of the demo data.
  const { accountLines, seedDemo, writeAccounts, writeFleet } = await import('./demo.ts')
  const key = (purpose: string) => deriveKey(database.masterKey, purpose)
  const keys = { secrets: key('demo'), http: key('device-http-key') }
  const { accounts, fleet } = await seedDemo(db, keys)
  await (await import('./areas/demo-rollouts.ts')).buildRollouts(db)
  const [accountsFile, fleetFile] = [join(dataDir, 'demo-accounts.txt'), join(dataDir, 'fleet.json')]
  writeAccounts(accountsFile, accounts)
  writeFleet(fleetFile, fleet)
  for (const line of accountLines(accounts)) say(line)
  say(`These accounts are kept in ${accountsFile}.`)
  if (crowd > 0) {
    const { seedLoad: seedCrowd } = await import('./demo-load.ts')
    const crowdFile = join(dataDir, 'crowd.json')
    writeFleet(crowdFile, await seedCrowd(db, keys, crowd))
    say(`${crowd} devices to press by the thousand are kept in ${crowdFile}.`)
  }
  return { stop: startDevices(running, fleetFile) }
}
