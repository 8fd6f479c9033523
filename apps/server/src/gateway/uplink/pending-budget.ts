import type { KnownDevice } from '#areas/device/credential-check'
import { metrics } from '#metrics'

type Sender = Pick<KnownDevice, 'id' | 'schoolId'>

/** Counts by bytes what waits for the database, copies included, so that it can be bounded. */
export type PendingBudget = {
  /** Counts a message as pending. Call the result once, when nothing refers to the message any more. */
  add: (sender: Sender, bytes: number) => () => void
  /** False when the node, the school or the device has its share pending: nothing more is read from it. */
  canRead: (sender: Sender) => boolean
  /** Calls `resume` once, as soon as the sender can be read again. The key replaces an earlier call. */
  onReadable: (key: object, sender: Sender, resume: () => void) => void
  /** Drops a call of onReadable. */
  cancel: (key: object) => void
  /** False from 80 % on: said before reading stops. */
  hasRoom: () => boolean
}

export type BudgetLimits = { total: number; perSchool: number; perDevice: number }

/**
 * 256 MiB are some 140,000 alarms; the process needs about twice as much for them. A device may have some 1,300 messages
 * pending, more than its flash holds (domain 3.4).
 */
export const defaultBudgetLimits: BudgetLimits = {
  total: 256 * 1_048_576,
  perSchool: 64 * 1_048_576,
  perDevice: 2 * 1_048_576,
}

/** Promises, timer and packet of one message; its text is there as bytes and as the decoded message. */
const OVERHEAD_BYTES = 1024
const BYTES_FACTOR = 4
const NEARLY_FULL = 0.8

const createCounter = <K>() => {
  const counts = new Map<K, number>()
  return {
    get: (key: K): number => counts.get(key) ?? 0,
    add: (key: K, bytes: number): void => {
      const sum = (counts.get(key) ?? 0) + bytes
      if (sum > 0) counts.set(key, sum)
      else counts.delete(key)
    },
  }
}

export const createPendingBudget = (limits: BudgetLimits = defaultBudgetLimits): PendingBudget => {
  const devices = createCounter<number>()
  const schools = createCounter<number>()
  const blocked = new Map<object, { sender: Sender; resume: () => void }>()
  let total = 0
  let scheduled = false
  const canRead = ({ id, schoolId }: Sender): boolean =>
    total < limits.total &&
    devices.get(id) < limits.perDevice &&
    (schoolId === null || schools.get(schoolId) < limits.perSchool)
  const count = ({ id, schoolId }: Sender, bytes: number): void => {
    total += bytes
    devices.add(id, bytes)
    if (schoolId !== null) schools.add(schoolId, bytes)
    metrics.pendingBytes.set(total)
  }
  // Each may fill the room again, so each is asked in its turn.
  const resumeReadable = (): void => {
    scheduled = false
    const candidates = Array.from(blocked)
    for (const [key, { sender, resume }] of candidates) {
      if (total >= limits.total) return
      if (!canRead(sender)) continue
      blocked.delete(key)
      resume()
    }
  }
  return {
    add: (sender, bytes) => {
      const cost = OVERHEAD_BYTES + BYTES_FACTOR * bytes
      count(sender, cost)
      return () => {
        count(sender, -cost)
        if (scheduled || blocked.size === 0) return
        scheduled = true
        setImmediate(resumeReadable)
      }
    },
    canRead,
    onReadable: (key, sender, resume) => {
      // To the end of the line: a link that was read just now comes after all others.
      blocked.delete(key)
      blocked.set(key, { sender, resume })
    },
    cancel: (key) => void blocked.delete(key),
    hasRoom: () => total < limits.total * NEARLY_FULL,
  }
}
