export type FrameViolation = 'not_connect' | 'bad_length' | 'too_large'
export type FrameGuard = {
  /** Looks through a chunk as it came from the socket. @returns what is wrong with it. */
  inspect: (chunk: Uint8Array) => FrameViolation | undefined
  /** Packets that came in whole. */
  packetCount: () => number
  /** Whether the last packet was a DISCONNECT: the device went of its own will. */
  sawDisconnect: () => boolean
  /** While the gate answers false nothing is read from the socket. */
  setReadGate: (gate: () => boolean) => void
  canRead: () => boolean
  /** Largest packet body from now on, in bytes. */
  setMaxPacketBytes: (bytes: number) => void
}

const CONNECT = 0x10
const DISCONNECT = 0xe0

/**
 * Follows the MQTT framing beside the parser: a packet is judged by the length it announces, before any of its body
 * is kept (MQTT 3.1.1 section 2.2: one byte of type, one to four of length).
 */
export const createFrameGuard = (limits: { first: number; later: number }): FrameGuard => {
  let later = limits.later
  let gate = () => true
  let packets = 0
  let left = 0
  let inLength = false
  let type = 0
  let length = 0
  let shift = 0

  const header = (byte: number): FrameViolation | undefined => {
    if (!inLength) {
      inLength = true
      type = byte
      length = 0
      shift = 0
      return packets === 0 && byte !== CONNECT ? 'not_connect' : undefined
    }
    length += (byte & 0x7f) << shift
    shift += 7
    if (byte & 0x80) return shift >= 28 ? 'bad_length' : undefined
    inLength = false
    left = length
    if (left === 0) packets += 1
    return length > (packets === 0 ? limits.first : later) ? 'too_large' : undefined
  }
  return {
    inspect: (chunk) => {
      for (let at = 0; at < chunk.length; ) {
        if (left === 0) {
          const fault = header(chunk[at] ?? 0)
          if (fault) return fault
          at += 1
          continue
        }
        const step = Math.min(left, chunk.length - at)
        left -= step
        at += step
        if (left === 0) packets += 1
      }
      return undefined
    },
    packetCount: () => packets,
    sawDisconnect: () => type === DISCONNECT,
    setReadGate: (next) => {
      gate = next
    },
    canRead: () => gate(),
    setMaxPacketBytes: (bytes) => {
      later = bytes
    },
  }
}
