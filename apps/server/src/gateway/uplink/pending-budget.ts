import type { KnownDevice } from '#areas/device/credential-check'
import { metrics } from '#metrics'

type Sender = Pick<KnownDevice, 'id' | 'schoolId'>

/** Counts the bytes of all messages that wait for the database, copies included, and bounds them. */
export type PendingBudget = {
  /** Counts a message as pending. Call the result once, when nothing refers to the message any more. */
  add: (sender: Sender, bytes: number) => () => void
  /** False when the node, the school or the device has reached its limit: nothing more is read from the sender. */
  canRead: (sender: Sender) => boolean
  /** Calls `resume` once, as soon as the sender can be read again. The key replaces an earlier call. */
  onReadable: (key: object, sender: Sender, resume: () => void) => void
  /** Cancels a call of onReadable. */
  cancel: (key: object) => void
  /** True when the node has reached its limit. */
  isFull: () => boolean
  /** False from 80 % on, so that operators are warned before reading stops. */
  hasRoom: () => boolean
}

export type BudgetLimits = { total: number; perSchool: number; perDevice: number }

/**
 * 324 MiB are some 122,000 alarms. The process needs as much for them, and 300 MB besides. A device may have some 1,500
 * alarms pending, more than its flash holds (domain 3.4).
 */
export const defaultBudgetLimits: BudgetLimits = {
  total: 324 * 1_048_576,
  perSchool: 81 * 1_048_576,
  perDevice: 4 * 1_048_576,
}

/** Promises and packet of one message. Its text exists as bytes and as the decoded message. Measured: 2.7 KB an alarm. */
const OVERHEAD_BYTES = 2304
const BYTES_FACTOR = 4
const NEARLY_FULL = 0.8
const BUSY = 0.25

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

/** Calls `onBusy` when a quarter of the budget is used, and when it no longer is. */
export const createPendingBudget = (
  limits: BudgetLimits = defaultBudgetLimits,
  onBusy: (isBusy: boolean) => void = () => {},
): PendingBudget => {
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
    const wasBusy = total > limits.total * BUSY
    total += bytes
    const isBusy = total > limits.total * BUSY
    if (isBusy !== wasBusy) onBusy(isBusy)
    devices.add(id, bytes)
    if (schoolId !== null) schools.add(schoolId, bytes)
    metrics.pendingBytes.set(total)
  }
  // Each resumed sender may use up the room again, so the limit is checked before each.
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
      // Moves the link to the end of the order, because it was read just now.
      blocked.delete(key)
      blocked.set(key, { sender, resume })
    },
    cancel: (key) => void blocked.delete(key),
    isFull: () => total >= limits.total,
    hasRoom: () => total < limits.total * NEARLY_FULL,
  }
}
