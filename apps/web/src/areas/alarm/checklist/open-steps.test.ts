import type { Checklist } from '@tocsin/contract/alarm/checklist'
import { describe, expect, it } from 'vitest'
import { openStepsText } from './open-steps.ts'

const step = (text: string, textEn: string) => ({ text, textEn }) as Checklist['steps'][number]
const plan = { steps: [step('拨打电话', 'Call'), step('到场', 'Go there'), step('通知家长', 'Inform the parents')] }
const open = { ...plan, missing: [1, 3] }
const real = { disposition: 'REAL_HANDLED' } as const

describe('openStepsText', () => {
  it('names the open mandatory steps on the buttons that end an alarm, in both languages', () => {
    expect(openStepsText('close', real, open, 'zh-cn')).toBe('还差 2 步：1 拨打电话；3 通知家长')
    expect(openStepsText('resolve', { disposition: null }, open, 'en')).toBe(
      'Mandatory steps are still open (2): 1 Call; 3 Inform the parents',
    )
  })

  it('holds no other verb, no alarm without open steps, and no closing that the server allows', () => {
    expect(openStepsText('dispatch', real, open, 'en')).toBeUndefined()
    expect(openStepsText('close', real, { ...plan, missing: [] }, 'en')).toBeUndefined()
    expect(openStepsText('close', real, null, 'en')).toBeUndefined()
    for (const disposition of ['NO_PERSON_FOUND', 'FALSE_ACCIDENTAL'] as const)
      expect(openStepsText('close', { disposition }, open, 'en')).toBeUndefined()
  })
})
