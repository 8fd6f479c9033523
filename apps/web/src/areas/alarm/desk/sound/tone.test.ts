import { describe, expect, it } from 'vitest'
import { renderTone } from './tone.ts'

const RATE = 8000
const levels = [1, 2, 3, 4] as const
const loudest = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

describe('tones', () => {
  it('differ between any two levels', () => {
    const lengths = levels.map((level) => renderTone({ level, soft: false }, RATE).length)
    expect(new Set(lengths).size).toBe(levels.length)
  })

  it('have shorter pauses the more urgent they are', () => {
    const sounding = levels.map((level) => {
      const samples = renderTone({ level, soft: false }, RATE)
      return samples.filter((sample) => sample !== 0).length / samples.length
    })
    expect(sounding).toEqual([...sounding].sort((left, right) => right - left))
  })

  it('are audible and never clip', () => {
    for (const level of levels) {
      const loud = loudest(renderTone({ level, soft: false }, RATE))
      const soft = loudest(renderTone({ level, soft: true }, RATE))
      expect(loud).toBeLessThanOrEqual(1)
      expect(soft).toBeGreaterThan(0.1)
      expect(soft).toBeLessThan(loud * 0.7)
    }
  })

  it('start and end with amplitude zero, so that a loop does not click', () => {
    for (const level of levels) {
      const samples = renderTone({ level, soft: false }, RATE)
      expect(samples[0]).toBe(0)
      expect(samples.at(-1)).toBe(0)
    }
  })
})
