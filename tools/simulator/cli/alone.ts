import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'

/**
 * Takes the devices of a fleet file for this process. Two simulators of the same devices would throw each other's
 * connections out for ever, and every device would count as unstable. The name is freed when the process ends, however
 * it ends; only Linux has such names, and elsewhere nothing is taken.
 * @throws when another simulator has them.
 */
export const takeDevices = async (path: string): Promise<() => void> => {
  if (process.platform !== 'linux') return () => {}
  const name = createHash('sha256').update(realpathSync(path)).digest('hex').slice(0, 32)
  const held = createServer().listen(`\0tocsin-simulator-${name}`)
  await once(held, 'listening').catch((cause: unknown) => {
    throw new Error(
      [
        `--fleet: 另一个模拟器（例如 npm run demo）正在使用 ${path} 中的设备，两者会互相断开连接。`,
        '加 --http-only 只经 HTTP 发送，或改用其他设备清单。',
        `--fleet: another simulator, as that of npm run demo, has the devices of ${path}; both would cut each other off.`,
        'Add --http-only to press over HTTP alone, or give another file of devices.',
      ].join('\n'),
      { cause },
    )
  })
  return () => void held.close()
}
