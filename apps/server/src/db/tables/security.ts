import { Handover } from '@tocsin/contract/security/handover'
import { HeadcountRule } from '@tocsin/contract/security/headcount'
import { PatrolPlan, PatrolPoint, PatrolRun, PatrolScan } from '@tocsin/contract/security/patrol'
import { SecurityPost } from '@tocsin/contract/security/post'
import { Shift } from '@tocsin/contract/security/shift'
import { ShiftSwap } from '@tocsin/contract/security/swap'
import { Id, Millis } from '@tocsin/contract/codecs'
import { z } from 'zod'
import { editedFilled, Jsonb, table } from './table.ts'

const ofSchool = { school: 'school_id' } as const
const owner = { school: 'school_id', dept: 'dept_id' }

export const securityTables = {
  securityPost: table(SecurityPost, [...editedFilled, 'weekdays', 'headcount', 'equipment', 'enabled'], owner),
  headcountRule: table(HeadcountRule, ['id'], 'open'),
  shift: table(Shift, [...editedFilled, 'state'], owner),
  shiftSwap: table(ShiftSwap, [...editedFilled, 'state'], owner),
  // Instants inside are epoch milliseconds, as on the wire.
  handover: table(Handover.extend({ summary: Jsonb.nullable() }), [...editedFilled, 'state'], owner),
  patrolPlan: table(PatrolPlan, [...editedFilled, 'weekdays', 'enabled'], ofSchool),
  patrolPoint: table(PatrolPoint, ['id', 'keyPart'], ofSchool),
  patrolRun: table(PatrolRun, ['id', 'state'], ofSchool),
  patrolScan: table(PatrolScan, ['id', 'receivedAt', 'isOdd'], ofSchool),
  coverageNotice: table(z.strictObject({ schoolId: Id, fromAt: Millis, noticedAt: Millis }), ['noticedAt'], 'open'),
}
