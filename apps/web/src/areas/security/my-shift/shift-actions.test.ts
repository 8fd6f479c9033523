import type { ShiftState } from '@tocsin/contract/security/shift-machine'
import { expect, it } from 'vitest'
import { listShiftActions } from './shift-actions.ts'

const at = (hour: number, minute: number) => new Date(2026, 4, 11, hour, minute)
const actionsAt = (state: ShiftState, now: Date) => {
  const shift = { state, fromAt: at(8, 0), toAt: at(16, 0), publishedAt: at(0, 0), absenceReason: null }
  return listShiftActions(shift, now)
}

it('offers the start and the end of a shift when their time comes while the page stays open', () => {
  expect(actionsAt('PLANNED', at(7, 20)).canStart).toBe(false)
  expect(actionsAt('PLANNED', at(7, 30)).canStart).toBe(true)
  expect(actionsAt('CHECKED_IN', at(15, 54))).toEqual({ canStart: false, isHere: true, isEarly: true })
  expect(actionsAt('CHECKED_IN', at(15, 55))).toEqual({ canStart: false, isHere: true, isEarly: false })
})
