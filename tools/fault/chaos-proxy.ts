import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export type ProxyCut = {
  /** The link breaks after these client bytes were forwarded, with the answer still on its way. */
  after: Buffer
  /** Selects connections by the first bytes of the client. */
  of?: (opening: Buffer) => boolean
  /** Which occurrence from now on breaks the connection; default 1. */
  nth?: number
}

/** A proxy with the faults of a real cable, between a client and a TCP or unix socket. */
export type ChaosProxy = {
  port: number
  /** Ends every connection with a reset and accepts no new one. */
  drop: () => void
  /** Forwards nothing any more in either direction, not even an end; accepts new connections, which stay silent. */
  halfOpen: () => void
  /** Delays each chunk by so many ms; 0 ends the delay. */
  delay: (ms: number) => void
  /** Resolves when the cut has happened. */
  cut: (cut: ProxyCut) => Promise<void>
  /** Repairs the link and ends connections that were silent. */
  mend: () => void
  /** Number of open connections. */
  count: () => number
  close: () => Promise<void>
}

type Pair = { client: Socket; target: Socket; opening: Buffer; tail: Buffer; mute: boolean }
type Armed = Required<ProxyCut> & { done: () => void }
type State = { mode: 'open' | 'dropped' | 'half-open'; delayMs: number; cuts: Set<Armed>; pairs: Set<Pair> }

const end = (state: State, pair: Pair): void => {
  state.pairs.delete(pair)
  pair.client.destroy()
  pair.target.destroy()
}

const occurrences = (bytes: Buffer, wanted: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) count += 1
  return count
}

/** Whether these bytes trigger a cut; a pattern may span two chunks. */
const cutDue = (state: State, pair: Pair, bytes: Buffer): Armed | undefined => {
  const seen = Buffer.concat([pair.tail, bytes])
  let due: Armed | undefined
  for (const armed of state.cuts) {
    if (!armed.of(pair.opening)) continue
    const before = occurrences(pair.tail, armed.after)
    armed.nth -= occurrences(seen, armed.after) - before
    if (armed.nth <= 0) due = armed
  }
  pair.tail = seen.subarray(-64)
  return due
}

const forward = (state: State, to: Socket, bytes: Buffer, then?: () => void): void => {
  if (state.delayMs === 0) return void to.write(bytes, then)
  setTimeout(() => void (to.writable && to.write(bytes, then)), state.delayMs)
}

const upstream = (state: State, pair: Pair, bytes: Buffer): void => {
  if (pair.mute) return
  if (pair.opening.length === 0) pair.opening = bytes
  const due = cutDue(state, pair, bytes)
  if (!due) return forward(state, pair.target, bytes)
  state.cuts.delete(due)
  // From here on the answer is not forwarded; the kernel has the bytes before the link breaks.
  pair.mute = true
  pair.target.write(bytes, () => {
    end(state, pair)
    due.done()
  })
}

const join = (state: State, client: Socket, target: Socket): void => {
  const pair = { client, target, opening: Buffer.alloc(0), tail: Buffer.alloc(0), mute: state.mode === 'half-open' }
  state.pairs.add(pair)
  for (const side of [client, target]) {
    side.setNoDelay(true)
    side.on('error', () => undefined)
    side.on('close', () => pair.mute || end(state, pair))
  }
  client.on('data', (bytes: Buffer) => upstream(state, pair, bytes))
  target.on('data', (bytes: Buffer) => pair.mute || forward(state, client, bytes))
  if (state.mode === 'dropped') end(state, pair)
}

export const startProxy = async (to: NetConnectOpts): Promise<ChaosProxy> => {
  const state: State = { mode: 'open', delayMs: 0, cuts: new Set(), pairs: new Set() }
  const server = createServer((client) => join(state, client, connect(to)))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const endAll = () => {
    for (const pair of state.pairs) end(state, pair)
  }
  return {
    port: (server.address() as AddressInfo).port, // a TCP server's address has a port
    drop: () => {
      state.mode = 'dropped'
      endAll()
    },
    halfOpen: () => {
      state.mode = 'half-open'
      for (const pair of state.pairs) pair.mute = true
    },
    delay: (ms) => {
      state.delayMs = ms
    },
    cut: ({ after, of = () => true, nth = 1 }) =>
      new Promise<void>((done) => void state.cuts.add({ after, of, nth, done })),
    mend: () => {
      state.mode = 'open'
      for (const pair of state.pairs) if (pair.mute) end(state, pair)
    },
    count: () => state.pairs.size,
    close: async () => {
      endAll()
      await new Promise((closed) => server.close(closed))
    },
  }
}
