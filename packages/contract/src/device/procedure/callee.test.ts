import { describe, expect, it } from 'vitest'
import { callees, findNumber } from './callee.ts'
import { ProcedureDraft } from './procedure.ts'

const contacts = [
  { role: 'OTHER', phone: '13900000009' },
  { role: 'PRINCIPAL', phone: '139****0001' },
  { role: 'PRINCIPAL', phone: '13900000002' },
  { role: 'GUARD_ROOM', phone: '027-5550102' },
  { role: 'SAFETY_OFFICER', phone: '138****0003' },
] as const
const school = { dutyPhone: '027-5550101', contacts }

describe('findNumber', () => {
  it('dials 120, 119 and 110 whatever the school has stored', () => {
    const numbers = (['AMBULANCE', 'FIRE_BRIGADE', 'POLICE'] as const).map((callee) => [
      findNumber(callee, school),
      findNumber(callee, { dutyPhone: null, contacts: [] }),
    ])
    expect(numbers).toEqual([
      ['120', '120'],
      ['119', '119'],
      ['110', '110'],
    ])
  })

  it('dials the duty phone or the contact with the role, and nobody else when the number is missing or masked', () => {
    expect(findNumber('DUTY_PHONE', school)).toBe('027-5550101')
    expect(findNumber('GUARD_ROOM', school)).toBe('027-5550102')
    expect(findNumber('PRINCIPAL', school)).toBe('13900000002')
    expect(findNumber('SAFETY_OFFICER', school)).toBeUndefined()
    expect(findNumber('LEGAL_VICE_HEAD', school)).toBeUndefined()
    expect(findNumber('DUTY_PHONE', { ...school, dutyPhone: null })).toBeUndefined()
    expect(findNumber('DUTY_PHONE', { ...school, dutyPhone: '' })).toBeUndefined()
  })
})

describe('a step of a draft', () => {
  const step = {
    text: '拨打 120',
    textEn: 'Call 120',
    role: 'OPERATOR',
    targetSec: null,
    mandatory: false,
    evidence: 'NONE',
    unit: null,
    min: null,
    max: null,
  }
  const isValid = (more: object) => ProcedureDraft.shape.steps.safeParse([{ ...step, ...more }]).success

  it('names whom it calls exactly when it calls', () => {
    for (const callee of callees) expect(isValid({ action: 'CALL', callee })).toBe(true)
    expect(isValid({ action: 'CALL', callee: null })).toBe(false)
    expect(isValid({ action: 'SIREN', callee: 'POLICE' })).toBe(false)
    expect(isValid({ action: 'SIREN', callee: null })).toBe(true)
  })
})
