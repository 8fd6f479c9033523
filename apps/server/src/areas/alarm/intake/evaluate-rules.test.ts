import { describe, expect, it } from 'vitest'
import { dedupKey, isBurst, maxWithinWindow, type NoRecordReason, noRecordReason } from './evaluate-rules.ts'

const seconds = (...list: number[]) => list.map((s) => new Date(s * 1000))

describe('dedupKey', () => {
  const subject = { deviceId: 7, schoolId: 3, placeId: 9, zone: 'gate' }
  const nowhere = { ...subject, schoolId: null, placeId: null }
  it.each([
    [{ dedupBy: 'DEVICE', class: 'PANIC' }, subject, 'device:7@3/9|PANIC'],
    [{ dedupBy: 'DEVICE', class: 'PANIC' }, { ...subject, placeId: null }, 'device:7@3/|PANIC'],
    [{ dedupBy: 'DEVICE', class: 'PANIC' }, nowhere, 'device:7@/|PANIC'],
    [{ dedupBy: 'ZONE', class: 'INTRUSION' }, subject, 'zone:7/gate@3/9|INTRUSION'],
    [{ dedupBy: 'ZONE', class: 'INTRUSION' }, { ...subject, zone: null }, 'device:7@3/9|INTRUSION'],
    [{ dedupBy: 'SCHOOL', class: 'FIRE' }, subject, 'school:3|FIRE'],
    [{ dedupBy: 'SCHOOL', class: 'FIRE' }, { ...subject, schoolId: null }, 'device:7@/9|FIRE'],
    [{ dedupBy: 'DEVICE', class: 'DEVICE_HEALTH' }, subject, 'device:7|DEVICE_HEALTH|5'],
    [{ dedupBy: 'DEVICE', class: 'DEVICE_HEALTH', autoRecover: false }, subject, 'device:7@3/9|DEVICE_HEALTH|5'],
  ] as const)('names subject, place and class for %j of %j', (rule, of, key) => {
    expect(dedupKey(of, { id: 5, autoRecover: true, ...rule })).toBe(key)
  })
})

describe('a burst', () => {
  it.each([
    [[0], 1],
    [[0, 10, 20], 2],
    [[20, 0, 10.001], 2],
    [[5, 0, 10], 3],
    [[0, 0, 0, 30], 3],
  ])('holds at most %j within ten seconds: %i', (times, most) => {
    expect(maxWithinWindow(seconds(...times), 10_000)).toBe(most)
  })

  it.each([
    ['PANIC', null, [0, 9], false],
    ['PANIC', null, [0, 5, 10], true],
    ['PANIC', 7, [0], false],
    ['PANIC', 8, [0], true],
    ['MEDICAL', 8, [0, 1, 2], false],
  ])('of %s pressed %s times at %j: %s', (code, pressCount, times, burst) => {
    expect(isBurst({ code, pressCount }, seconds(...times))).toBe(burst)
  })
})

describe('the reason for having no record', () => {
  it.each<[string, NoRecordReason[], boolean, NoRecordReason]>([
    ['FAULT', ['SHADOW', 'BELOW_REPEAT', 'WAITING'], true, 'WAITING'],
    ['FAULT', ['SHADOW', 'BELOW_REPEAT'], true, 'BELOW_REPEAT'],
    ['FAULT', ['SHADOW'], true, 'SHADOW'],
    ['BATTERY_OK', [], true, 'RECOVERY'],
    ['BOOT', [], false, 'INFORMATION'],
    ['FAULT', [], false, 'NO_RULE'],
  ])('of %s after %j, recovering %s: %s', (code, met, recovers, reason) => {
    expect(noRecordReason(code, new Set(met), recovers)).toBe(reason)
  })
})
