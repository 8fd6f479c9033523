import type { TFunction } from 'i18next'
import { describe, expect, it, vi } from 'vitest'
import { stepButtons } from './step-buttons.ts'
import { callButton, callsContact } from './step-call.ts'

const t = ((key: string, by?: { who: string }) => `${key} ${by?.who ?? ''}`.trim()) as unknown as TFunction
const school = { dutyPhone: '027-5550101', contacts: [] }
const button = (callee: Parameters<typeof callButton>[0]['callee']) =>
  callButton({ callee }, school, { t, lang: 'zh-cn' })

describe('callButton', () => {
  it('names whom it dials', () => {
    expect(button('AMBULANCE')).toMatchObject({ label: 'checklist.call 120 急救', run: expect.any(Function) })
    expect(button('DUTY_PHONE')).toMatchObject({ label: 'checklist.call 学校值班电话', run: expect.any(Function) })
  })

  it('says so, and dials nobody, without a number or without a callee', () => {
    expect(button('PRINCIPAL')).toEqual({ label: 'checklist.noNumber 校长' })
    expect(button(null)).toEqual({ label: 'checklist.noCallee' })
  })
})

describe('callsContact', () => {
  it('is true for a plan that calls a contact of the school', () => {
    expect(callsContact([{ callee: 'AMBULANCE' }, { callee: 'DUTY_PHONE' }, { callee: null }])).toBe(false)
    expect(callsContact([{ callee: 'GUARD_ROOM' }])).toBe(true)
  })
})

describe('stepButtons', () => {
  const send = vi.fn()
  const sound = vi.fn()
  const means = { numbers: school, send, sounds: ['PLAY_TTS', 'SIREN'] as const, sound }
  const labels = (action: 'MESSAGE' | 'SIREN' | 'NONE', more: Partial<typeof means> = {}) =>
    stepButtons({ action, callee: null }, { ...means, ...more }, { t, lang: 'zh-cn' }).map(({ label }) => label)

  it('offers to send people and to speak the text, each where it is possible', () => {
    expect(labels('MESSAGE')).toEqual(['派人并通知', 'checklist.speak'])
    expect(stepButtons({ action: 'MESSAGE', callee: null }, { ...means, sounds: [] }, { t, lang: 'zh-cn' })).toEqual([
      { label: '派人并通知', run: send },
    ])
    expect(
      stepButtons({ action: 'MESSAGE', callee: null }, { ...means, send: undefined }, { t, lang: 'zh-cn' }),
    ).toHaveLength(1)
  })

  it('offers the siren only where the device has one, and makes the sound that the step names', () => {
    const [button] = stepButtons({ action: 'SIREN', callee: null }, means, { t, lang: 'zh-cn' })
    button?.run?.()
    expect(sound).toHaveBeenCalledExactlyOnceWith('SIREN')
    const mute = { ...means, sounds: ['PLAY_TTS'] as const }
    expect(stepButtons({ action: 'SIREN', callee: null }, mute, { t, lang: 'zh-cn' })).toEqual([])
    expect(labels('NONE')).toEqual([])
  })
})
