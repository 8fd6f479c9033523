import { expect, it } from 'vitest'
import { beganByDevice, signalCount } from './signals.ts'

const [press, reset] = [
  { via: 'MQTT', code: 'PANIC' },
  { via: 'HTTP', code: 'MANUAL_RESET' },
] as const

it('counts every signal that is listed, and no fewer than the presses where the list is cut', () => {
  const given = { record: { occurrenceCount: 1 }, occurrences: [reset, press], occurrencesCut: false }
  expect(signalCount(given)).toBe(2)
  expect(signalCount({ ...given, record: { occurrenceCount: 700 }, occurrencesCut: true })).toBe(700)
  expect(signalCount({ ...given, record: { occurrenceCount: 0 }, occurrences: [] })).toBe(0)
})

it('a device told when it began only where it said so itself, in words that could be read', () => {
  expect(beganByDevice({ occurrences: [reset, press] })).toBe(true)
  expect(beganByDevice({ occurrences: [press, { via: 'MQTT', code: 'UNPARSABLE' }] })).toBe(false)
  expect(beganByDevice({ occurrences: [{ via: 'SERVER', code: 'OFFLINE' }] })).toBe(false)
  expect(beganByDevice({ occurrences: [] })).toBe(false)
})
