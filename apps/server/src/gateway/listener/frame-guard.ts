export type FrameViolation = 'not_connect' | 'bad_length' | 'too_large' | 'version'
export type FrameGuard = {
  /** Checks a chunk as it came from the socket. @returns the violation, if there is one. */
  inspect: (chunk: Uint8Array) => FrameViolation | undefined
  /** The number of complete packets so far. */
  packetCount: () => number
  /** Whether the last packet was a DISCONNECT, so that the device closed the link on purpose. */
  sawDisconnect: () => boolean
  /** While the gate answers false nothing is read from the socket. */
  setReadGate: (gate: () => boolean) => void
  canRead: () => boolean
  /** Largest packet body from now on, in bytes. */
  setMaxPacketBytes: (bytes: number) => void
}

const CONNECT = 0x10
const DISCONNECT = 0xe0
/** Protocol levels that the parser accepts. The broker refuses those that it does not support. */
const KNOWN_LEVELS = new Set([3, 4, 5])
const BRIDGE_BIT = 0x80
/** Of `MQTT` and of `MQIsdp`; the parser rejects other names. */
const NAME_LENGTHS = new Set([4, 6])

/** Finds the protocol level in the body of CONNECT, which starts with the length and text of the protocol name. */
const createLevelReader = () => {
  let at = 0
  let nameLength = 0
  return {
    /** @returns true at the byte that holds an unknown level. */
    isUnknownLevel: (byte: number): boolean => {
      if (at < 2) nameLength = nameLength * 256 + byte
      const isLevel = at === 2 + nameLength && NAME_LENGTHS.has(nameLength)
      at += 1
      return isLevel && !KNOWN_LEVELS.has(byte & ~BRIDGE_BIT)
    },
    isDone: () => at > 2 + nameLength,
  }
}

/**
 * Follows the MQTT framing in front of the parser: a packet is rejected by its announced length before any of its body is
 * buffered (MQTT 3.1.1 section 2.2: one byte of type, one to four bytes of length).
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
  const level = createLevelReader()

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
        for (let n = at; packets === 0 && !level.isDone() && n < at + step; n += 1)
          if (level.isUnknownLevel(chunk[n] ?? 0)) return 'version'
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
