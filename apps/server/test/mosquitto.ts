import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { program } from './programs.ts'

/** Under root mosquitto switches to an account of its own, which must own the files, like on a real machine. */
export const handOver = async (folder: string): Promise<void> => {
  if (process.getuid?.() !== 0) return
  const account = await stat('/var/lib/mosquitto')
  for (const file of ['.', ...(await readdir(folder))]) await chown(join(folder, file), account.uid, account.gid)
}

/** Runs mosquitto with the files of a folder. */
export const runMosquitto = async (folder: string) => {
  await handOver(folder)
  const child = spawn(program('mosquitto'), ['-c', join(folder, 'mosquitto.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  await expect.poll(() => said, { timeout: 10_000 }).toContain('running')
  return {
    said: () => said,
    signal: (name: NodeJS.Signals) => child.kill(name),
    kill: async (name: NodeJS.Signals = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null && child.kill(name)) await once(child, 'exit')
    },
  }
}
