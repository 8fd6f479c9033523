import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import type { ListenAddress, Log } from '#config'
import { metrics } from '#metrics'
import { type FrameGuard, createFrameGuard } from './frame-guard.ts'
import { createConnectionThrottle } from './connection-throttle.ts'

export type ListenerLimits = {
  /** Time within which CONNECT must arrive. */
  connectMs: number
  /** Bytes of the CONNECT packet, and of every packet after it. */
  connectBytes: number
  packetBytes: number
  acceptPerSecond: number
  /** Sockets that may wait for the throttle. */
  waiting: number
  /** Sockets of one address. A whole school is often one address. Loopback is not limited. */
  perAddress: number
  /** How often connected devices are checked: a retired or revoked one loses its link. */
  recheckMs: number
}

export const defaultListenerLimits: ListenerLimits = {
  connectMs: 10_000,
  connectBytes: 8_192,
  packetBytes: 65_536,
  acceptPerSecond: 500,
  waiting: 20_000,
  perAddress: 5_000,
  recheckMs: 30_000,
}

export type DeviceListenerOptions = {
  at: ListenAddress
  /** PEM texts. With them the listener accepts TLS 1.2 and later only. */
  tls?: { cert: string; key: string }
  limits?: Partial<ListenerLimits>
  log: Log
  accept: (socket: Socket, frames: FrameGuard) => void
}
export type DeviceListener = { port: number; isListening: () => boolean; stop: () => Promise<void> }

const isLocal = (address: string): boolean => address === '::1' || address.startsWith('127.')

export const remoteAddress = (socket: { remoteAddress?: string | undefined }): string =>
  (socket.remoteAddress ?? '').replace(/^::ffff:/, '')

/** CONNACK, unacceptable protocol version (MQTT 3.1.1 section 3.2.2.3). */
export const WRONG_VERSION = Buffer.from([0x20, 2, 0, 1])

const refuseVersion = (socket: Socket) => {
  metrics.rejectedConnections.inc({ reason: 'version' })
  socket.end(WRONG_VERSION, () => socket.destroy())
}

const dropSocket = (socket: Socket, reason: string) => {
  metrics.rejectedConnections.inc({ reason })
  socket.destroy()
}

/** Keeps packets that are too large from the parser, and closes sockets that send no CONNECT in time. */
const guard = (socket: Socket, limits: ListenerLimits): FrameGuard => {
  const frames = createFrameGuard({ first: limits.connectBytes, later: limits.packetBytes })
  const impatient = setTimeout(() => dropSocket(socket, 'slow_connect'), limits.connectMs)
  socket.once('close', () => clearTimeout(impatient))
  const read = socket.read.bind(socket)
  // The broker calls read(), which is the only place between the socket and its parser.
  socket.read = (size?: number) => {
    // Unread bytes stay in the socket, and TCP slows the device down.
    if (!frames.canRead()) return null
    const chunk: Buffer | null = read(size)
    const fault = chunk && frames.inspect(chunk)
    if (fault) {
      if (fault === 'version') refuseVersion(socket)
      else dropSocket(socket, fault)
      return null
    }
    if (frames.packetCount() > 0) clearTimeout(impatient)
    return chunk
  }
  return frames
}

const perAddress = (most: number) => {
  const open = new Map<string, number>()
  return (socket: Socket): boolean => {
    const address = remoteAddress(socket)
    const count = (open.get(address) ?? 0) + 1
    if (count > most && !isLocal(address)) return false
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    return true
  }
}

/** Starts the TCP or TLS listener with the limits that the broker itself does not have (trust 6.3). */
export const startDeviceListener = async ({
  at,
  tls,
  log,
  accept,
  ...options
}: DeviceListenerOptions): Promise<DeviceListener> => {
  const limits = { ...defaultListenerLimits, ...options.limits }
  const pace = createConnectionThrottle(limits.acceptPerSecond, limits.waiting)
  const mayStay = perAddress(limits.perAddress)
  const sockets = new Set<Socket>()
  const pass = (socket: Socket) => {
    if (!socket.destroyed) accept(socket, guard(socket, limits))
  }
  const secure = tls && createTlsServer({ ...tls, minVersion: 'TLSv1.2', handshakeTimeout: limits.connectMs })
  secure?.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => undefined)
    pass(socket)
  })
  secure?.on('tlsClientError', () => metrics.rejectedConnections.inc({ reason: 'tls' }))

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // A broken link needs no handling here.
    socket.on('error', () => undefined)
    if (!mayStay(socket)) return dropSocket(socket, 'too_many_per_address')
    const admitted = pace.admit(() => {
      if (secure) secure.emit('connection', socket)
      else pass(socket)
    })
    if (!admitted) dropSocket(socket, 'queue_full')
  })
  server.on('error', (error) => log.error(`the device listener failed: ${error.message}`))
  server.listen(at.port, at.host)
  await once(server, 'listening')
  return {
    // The address of a TCP server is never a path.
    port: (server.address() as AddressInfo).port,
    isListening: () => server.listening,
    stop: async () => {
      pace.stop()
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
