import type { TFunction } from 'i18next'
import { describe, expect, it } from 'vitest'
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
