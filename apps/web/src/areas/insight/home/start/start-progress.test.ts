import { type HomeStart, startSteps } from '@tocsin/contract/insight/home/start-steps'
import { describe, expect, it } from 'vitest'
import { isComplete, toProgress } from './start-progress.ts'

const everywhere = (screen: string) => `/to/${screen}`
const start = (count: number, more: Partial<HomeStart> = {}): HomeStart => ({
  steps: startSteps.map((step) => ({ step, count })),
  schoolId: null,
  ...more,
})

describe('toProgress', () => {
  it('leads from the district to the test press, each step to where it is done', () => {
    const progress = toProgress(start(0, { schoolId: 7 }), everywhere)
    expect(progress.map(({ step, to }) => [step, to])).toEqual([
      ['DISTRICT', '/to/system/dept/index'],
      ['STATION', '/to/system/dept/index'],
      ['SCHOOL', '/school/form'],
      ['PLACES', '/school/detail/7?tab=places'],
      ['MODEL', '/to/device/model/index'],
      ['DEVICES', '/to/device/index'],
      ['INSTALLATION', '/m/install'],
      ['TEST', '/to/schoolDevice/index'],
    ])
    expect(progress.some(({ isDone }) => isDone)).toBe(false)
  })

  it('leads to the list when the step is done, and of places without a school to the schools', () => {
    const school = toProgress(start(3), everywhere).find(({ step }) => step === 'SCHOOL')
    expect(school).toEqual({ step: 'SCHOOL', isDone: true, count: '3', to: '/to/school/index' })
    expect(toProgress(start(0), everywhere).find(({ step }) => step === 'PLACES')?.to).toBe('/to/school/index')
  })

  it('has no address for a user without the screen, and says where counting ended', () => {
    const progress = toProgress(start(100, { schoolId: 7 }), () => undefined)
    expect(progress.map(({ to }) => to)).toEqual(startSteps.map(() => undefined))
    expect(progress[0]?.count).toBe('100+')
  })
})

describe('isComplete', () => {
  it('says whether every step has something', () => {
    const { steps } = start(1)
    expect(isComplete({ steps, schoolId: 7 })).toBe(true)
    expect(isComplete({ steps: steps.with(7, { step: 'TEST', count: 0 }), schoolId: 7 })).toBe(false)
  })
})
