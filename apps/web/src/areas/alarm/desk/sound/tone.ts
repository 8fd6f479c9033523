import type { Tone } from './decide-sound.ts'

/** Frequency in hertz, start and length in seconds. */
type Note = { hz: number; from: number; for: number }
type Pattern = { notes: readonly Note[]; seconds: number }

const beeps = (hz: number, count: number, [on, off]: [on: number, off: number]): Note[] =>
  Array.from({ length: count }, (_, i) => ({ hz, from: i * (on + off), for: on }))

/** Distinguishable by ear: an urgent two-tone, three beeps, two falling notes, one low note now and then. */
const patterns: Record<Tone['level'], Pattern> = {
  1: {
    notes: [
      { hz: 988, from: 0, for: 0.16 },
      { hz: 740, from: 0.18, for: 0.16 },
      { hz: 988, from: 0.36, for: 0.16 },
      { hz: 740, from: 0.54, for: 0.16 },
    ],
    seconds: 0.9,
  },
  2: { notes: beeps(880, 3, [0.16, 0.1]), seconds: 1.8 },
  3: {
    notes: [
      { hz: 659, from: 0, for: 0.24 },
      { hz: 523, from: 0.28, for: 0.3 },
    ],
    seconds: 3,
  },
  4: { notes: [{ hz: 440, from: 0, for: 0.5 }], seconds: 6 },
}

/** Odd overtones carry through a noisy room; a soft tone is the fundamental alone. */
const overtones = { loud: [1, 0, 0.4, 0, 0.2], soft: [1] } as const
const gains = { loud: 0.6, soft: 0.22 } as const
/** Length of fade-in and fade-out, which prevents clicks. */
const EDGE_SEC = 0.01

const envelope = (at: number, length: number): number =>
  Math.min(1, at / EDGE_SEC, Math.max(0, (length - at) / EDGE_SEC))

const wave = (phase: number, partials: readonly number[]): number =>
  partials.reduce((sum, gain, i) => sum + gain * Math.sin(phase * (i + 1)), 0)

/** One period of the loop as samples between -1 and 1. */
export const renderTone = ({ level, soft }: Tone, sampleRate: number): Float32Array<ArrayBuffer> => {
  const { notes, seconds } = patterns[level]
  const voice = soft ? 'soft' : 'loud'
  const partials = overtones[voice]
  const gain = gains[voice] / partials.reduce<number>((sum, partial) => sum + partial, 0)
  const samples = new Float32Array(Math.round(seconds * sampleRate))
  for (const note of notes) {
    const first = Math.round(note.from * sampleRate)
    const count = Math.round(note.for * sampleRate)
    for (let i = 0; i < count; i += 1) {
      const at = i / sampleRate
      samples[first + i] = gain * envelope(at, note.for) * wave(2 * Math.PI * note.hz * at, partials)
    }
  }
  return samples
}
