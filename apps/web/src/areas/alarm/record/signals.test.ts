import { expect, it } from 'vitest'
import { beganByDevice, signalCount } from './signals.ts'

const [press, reset] = [
  { via: 'MQTT', code: 'PANIC' },
  { via: 'HTTP', code: 'MANUAL_RESET' },
] as const

it('counts every listed signal, and at least the presses when the list is cut', () => {
  const given = { record: { occurrenceCount: 1 }, occurrences: [reset, press], occurrencesCut: false }
  expect(signalCount(given)).toBe(2)
  expect(signalCount({ ...given, record: { occurrenceCount: 700 }, occurrencesCut: true })).toBe(700)
  expect(signalCount({ ...given, record: { occurrenceCount: 0 }, occurrences: [] })).toBe(0)
})

it("has a device's start time only when the device reported it in a parsed message", () => {
  expect(beganByDevice({ occurrences: [reset, press] })).toBe(true)
  expect(beganByDevice({ occurrences: [press, { via: 'MQTT', code: 'UNPARSABLE' }] })).toBe(false)
  expect(beganByDevice({ occurrences: [{ via: 'SERVER', code: 'OFFLINE' }] })).toBe(false)
  expect(beganByDevice({ occurrences: [] })).toBe(false)
})
