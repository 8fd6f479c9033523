import { describe, expect, it } from 'vitest'
import { isClockKnown, resolveSignalTimes } from './signal-times.ts'

const received = Date.UTC(2026, 2, 1, 8)
const HOUR = 3_600_000

const at = (
  stamp: { ts: number; upMs?: number } | null,
  more: Partial<Parameters<typeof resolveSignalTimes>[1]> = {},
) => {
  const { occurredAt, skewMs, late, isProven, measured } = resolveSignalTimes(
    stamp && { boot: 1, seq: 1, upMs: 0, ...stamp },
    {
      receivedAt: new Date(received),
      replay: false,
      reportedSkewMs: null,
      knownSkewMs: null,
      ...more,
    },
  )
  return { ago: received - occurredAt.getTime(), skewMs, late, isProven, measured }
}

describe('when a signal happened', () => {
  it('is when it was received, for what the server says itself', () => {
    expect(at(null)).toEqual({ ago: 0, skewMs: null, late: false, isProven: false, measured: null })
  })

  it.each([
    ['a clock 30 s behind is believed', { ts: received - 30_000 }, {}, { ago: 30_000, skewMs: -30_000 }],
    ['a clock 30 s ahead is believed', { ts: received + 30_000 }, {}, { ago: -30_000, skewMs: 30_000 }],
    ['a clock beyond is not', { ts: received - 30_001 }, {}, { ago: 0, skewMs: -30_001 }],
    ['a clock at zero is not', { ts: 0 }, {}, { ago: 0, skewMs: -received }],
    [
      'the time of the call tells the age',
      { ts: 5000 },
      { reportedSkewMs: 12_000 - received },
      { ago: 7000, skewMs: 12_000 - received },
    ],
    [
      'what was kept for a moment is no skew',
      { ts: received - 60_000 },
      { reportedSkewMs: -50 },
      { ago: 60_000, skewMs: -50 },
    ],
    ['an absurd time of the call does not', { ts: 0 }, { reportedSkewMs: 1e14 }, { ago: 0, skewMs: 1e14 }],
  ])('%s', (_, stamp, more, expected) => {
    expect(at(stamp, more)).toMatchObject({ ...expected, late: false })
  })

  it.each([
    ['is believed although the message does not say that it is old', 20 * 60_000, 0, { ago: 1_200_000, late: true }],
    ['is believed with its skew', 20 * 60_000, HOUR, { ago: 1_200_000, late: true }],
    ['was set forward, so that the message counts when it came', -HOUR, 0, { ago: 0, late: false }],
  ])('a clock that was compared in this boot %s', (_case, age, knownSkewMs, expected) => {
    const { ago, late, measured } = at({ ts: received + knownSkewMs - age }, { knownSkewMs })
    expect({ ago, late }).toEqual(expected)
    expect(measured).toBeNull()
  })

  it('is now when the stamp is of this moment, although the skew that was measured says otherwise', () => {
    const { ago, late, measured } = at({ ts: received - 1000, upMs: 0 }, { knownSkewMs: 2 * HOUR })
    expect({ ago, late, skewMs: measured?.skewMs }).toEqual({ ago: 1000, late: false, skewMs: -1000 })
  })

  it.each([
    ['of the same boot and clock', { skewBoot: 1, bootClockMs: received - 5000 }, true],
    ['of another boot', { skewBoot: 2, bootClockMs: received - 5000 }, false],
    ['of a clock that was set since', { skewBoot: 1, bootClockMs: received + 8 * HOUR }, false],
    ['that was never measured', { skewBoot: null, bootClockMs: null }, false],
  ])('knows the skew %s: %j is %s', (_case, source, expected) => {
    expect(isClockKnown(source, { boot: 1, seq: 1, ts: received, upMs: 5000 })).toBe(expected)
  })

  it.each([
    [
      'a message that just came',
      { ts: received - 2000, upMs: 5000 },
      {},
      { skewMs: -2000, bootClockMs: received - 7000 },
    ],
    [
      'one by a known skew',
      { ts: received + HOUR },
      { knownSkewMs: HOUR },
      { skewMs: HOUR, bootClockMs: received + HOUR },
    ],
    ['no message of an unknown, wrong clock', { ts: received - HOUR }, {}, null],
    ['no message that is sent again', { ts: received }, { replay: true }, null],
  ])('the skew is measured by %s', (_case, stamp, more, expected) => {
    expect(at(stamp, more).measured).toEqual(expected && { ...expected, skewBoot: 1 })
  })

  it.each([
    ['a message of this moment', { ts: received }, {}, true],
    ['the time of the call', { ts: received - HOUR }, { replay: true, reportedSkewMs: 0 }, true],
    ['a clock of the same boot', { ts: received - HOUR }, { replay: true, knownSkewMs: 0 }, true],
    ['a message of an unknown boot that is sent again', { ts: received - HOUR }, { replay: true }, false],
    ['a clock that was set since', { ts: received }, { replay: true, knownSkewMs: -HOUR }, false],
    ['a late message of an unknown boot', { ts: received - HOUR }, {}, false],
    ['an absurd time of the call', { ts: 0 }, { reportedSkewMs: 1e14 }, false],
  ])('the time is proven by %s: %j %j is %s', (_case, stamp, more, expected) => {
    expect(at(stamp, more).isProven).toBe(expected)
  })

  it.each([
    [
      'by the time of the call',
      { ts: 0 },
      { reportedSkewMs: HOUR - received },
      { ago: HOUR, skewMs: HOUR - received, late: true },
    ],
    ['by a plausible clock', { ts: received - HOUR }, {}, { ago: HOUR, skewMs: null, late: true }],
    ['by a clock of known skew', { ts: received }, { knownSkewMs: HOUR }, { ago: HOUR, skewMs: null, late: true }],
    ['and is not late within ten minutes', { ts: received - 600_000 }, {}, { ago: 600_000, skewMs: null, late: false }],
    ['or, without any clock, when it came', { ts: 0 }, {}, { ago: 0, skewMs: null, late: false }],
  ])('sent again: %s', (_, stamp, more, expected) => {
    expect(at(stamp, { replay: true, ...more })).toMatchObject(expected)
  })
})
