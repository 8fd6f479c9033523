import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Connection } from '../src/db/embedded/probe.ts'

/** A connection to the database that can break like a cable. */
export type BreakableLink = {
  connection: Connection
  /** Ends every connection and accepts no new one. */
  cut: () => void
  /** Forwards nothing more in either direction, not even an end: a half-open link. */
  freeze: () => void
  mend: () => void
  close: () => Promise<void>
}

export const createBreakableLink = async (database: Connection): Promise<BreakableLink> => {
  const pairs = new Set<[Socket, Socket]>()
  let state: 'open' | 'cut' | 'frozen' = 'open'
  const end = () => {
    for (const pair of pairs) for (const side of pair) side.destroy()
    pairs.clear()
  }
  const server = createServer((client) => {
    const backend = createConnection(join(database.host, `.s.PGSQL.${database.port}`))
    const pair: [Socket, Socket] = [client, backend]
    pairs.add(pair)
    for (const side of pair) side.on('error', () => undefined)
    if (state === 'cut') client.destroy()
    client.on('data', (bytes) => state === 'open' && backend.write(bytes))
    backend.on('data', (bytes) => state === 'open' && client.write(bytes))
    client.on('close', () => state !== 'frozen' && backend.destroy())
    backend.on('close', () => state !== 'frozen' && client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address has a port
  return {
    connection: { ...database, host: '127.0.0.1', port },
    cut: () => {
      state = 'cut'
      end()
    },
    freeze: () => {
      state = 'frozen'
    },
    mend: () => {
      state = 'open'
      end()
    },
    close: async () => {
      end()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
