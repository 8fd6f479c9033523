import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 200

const taken = (cause: unknown): boolean => (cause as { code?: unknown } | null)?.code === 'EADDRINUSE'

/** Returns the name as a listening socket; undefined when another process still has it after `patienceMs`. */
const listening = async (name: string, patienceMs: number): Promise<Server | undefined> => {
  const until = performance.now() + patienceMs
  for (;;) {
    const held = createServer().listen(name)
    try {
      await once(held, 'listening')
      return held
    } catch (cause) {
      if (!taken(cause)) throw cause
      if (performance.now() >= until) return undefined
      await pause(LOOK_MS)
    }
  }
}

/**
 * Reserves the devices of a fleet file for this process. Two simulators with the same devices would end each other's
 * connections forever, and every device would count as unstable. The name is released when the process ends, however it
 * ends. Only Linux has such names; elsewhere nothing is reserved. `patienceMs`: how long to wait for a process that is
 * about to end.
 * @throws when another simulator has the devices
 */
export const lockFleetFile = async (path: string, patienceMs: number): Promise<void> => {
  if (process.platform !== 'linux') return
  const name = createHash('sha256').update(realpathSync(path)).digest('hex').slice(0, 32)
  const held = await listening(`\0tocsin-simulator-${name}`, patienceMs)
  // It reserves the name without keeping the process alive.
  if (held) return void held.unref()
  throw new Error(
    [
      `--fleet: 另一个模拟器（例如 npm run demo）正在使用 ${path} 中的设备，两者会互相断开连接。`,
      '加 --http-only 只经 HTTP 发送，或改用其他设备清单。',
      `--fleet: another simulator, as that of npm run demo, has the devices of ${path}; both would cut each other off.`,
      'Add --http-only to press over HTTP alone, or give another file of devices.',
    ].join('\n'),
  )
}
