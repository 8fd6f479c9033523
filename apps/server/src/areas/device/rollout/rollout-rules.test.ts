import { signedText } from '@tocsin/contract/device/rollout/rollout'
import { badShare, isForward, rolloutDeviceStates } from '@tocsin/contract/device/rollout/rollout-machine'
import fc from 'fast-check'
import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { freezeOf } from './freeze.ts'
import { hasValidSignature } from './package.ts'
import { ringAt } from './rollout-verbs.ts'

describe('rings', () => {
  it('puts the first share of the devices into each ring and never leaves the first one empty', () => {
    const ringsOf = (total: number) => Array.from({ length: total }, (_, place) => ringAt(place, total))
    expect(ringsOf(1)).toEqual([1])
    expect(ringsOf(4)).toEqual([1, 3, 4, 4])
    const many = ringsOf(1000)
    expect([1, 2, 3, 4].map((ring) => many.filter((item) => item === ring).length)).toEqual([10, 90, 400, 500])
  })
})

describe('progress and gate', () => {
  it('only moves a device forward, whatever the order of its reports', async () => {
    const state = fc.constantFrom(...rolloutDeviceStates)
    await fc.assert(
      fc.property(fc.array(state), (reports) => {
        let now: (typeof rolloutDeviceStates)[number] = 'QUEUED'
        for (const next of reports) {
          const before = rolloutDeviceStates.indexOf(now)
          if (isForward(now, next)) now = next
          expect(rolloutDeviceStates.indexOf(now)).toBeGreaterThanOrEqual(before)
        }
      }),
    )
  })

  it('counts failed and offline devices against those that were started', () => {
    expect(badShare({ started: 0, failed: 0, offline: 0 })).toBe(0)
    expect(badShare({ started: 200, failed: 3, offline: 2 })).toBe(2.5)
  })
})

describe('school hours', () => {
  const days = [{ day: '2026-11-25', kind: 'CLASS', name: null, deptId: null } as const]
  const freeze = (minute: number, hours: { fromMin: number; toMin: number } | null) =>
    freezeOf({ days, hours }, { day: '2026-11-25', minute })

  it('are those of the term, or the usual ones outside of terms', () => {
    expect(freeze(17 * 60, null)).toEqual({ reason: 'CLASS', until: { day: '2026-11-25', minute: 17 * 60 + 30 } })
    expect(freeze(7 * 60 + 30, null)).toBeNull()
    const hours = { fromMin: 7 * 60, toMin: 16 * 60 }
    expect(freeze(7 * 60 + 30, hours)).toEqual({ reason: 'CLASS', until: { day: '2026-11-25', minute: 16 * 60 } })
    expect(freeze(17 * 60, hours)).toBeNull()
  })
})

describe('a freeze', () => {
  it('begins before class and before a day of exams, as long before as a command is good for', () => {
    const day = (no: string, kind: 'CLASS' | 'EXAM') => ({ day: `2026-11-${no}`, kind, name: null, deptId: null })
    const calendar = { days: [day('25', 'CLASS'), day('26', 'EXAM'), day('27', 'CLASS')], hours: null }
    const at = (minute: number) => freezeOf(calendar, { day: '2026-11-25', minute })
    expect([at(7 * 60 + 49), at(24 * 60 - 11)]).toEqual([null, null])
    expect(at(7 * 60 + 50)?.reason).toBe('CLASS')
    expect(at(24 * 60 - 10)).toEqual({ reason: 'EXAM', until: { day: '2026-11-27', minute: 0 } })
  })
})

describe('the signature of a package', () => {
  it('is valid for its kind, model, release and hash, with the present key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
    const signed = { kind: 'FIRMWARE', productKey: 'testbtn01', release: '1.0.0', sha256: 'a'.repeat(64) } as const
    const signature = (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64')
    expect(hasValidSignature(key, { ...signed, signature: signature(signedText(signed)) })).toBe(true)
    expect(hasValidSignature(key, { ...signed, signature: signature(signed.sha256) })).toBe(false)
    expect(hasValidSignature('', { ...signed, signature: signature(signedText(signed)) })).toBe(false)
  })
})
