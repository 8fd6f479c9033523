import type { ProcedureStep } from '@tocsin/contract/device/procedure/procedure'

type Extra = Partial<Omit<ProcedureStep, 'text' | 'textEn' | 'role'>>

/** A step of a built-in procedure; mandatory steps say so. */
export const builtInStep = (
  role: ProcedureStep['role'],
  [text, textEn]: readonly [zh: string, en: string],
  extra: Extra = {},
): ProcedureStep => ({
  text,
  textEn,
  role,
  targetSec: null,
  action: 'NONE',
  callee: null,
  mandatory: false,
  evidence: 'NONE',
  unit: null,
  min: null,
  max: null,
  ...extra,
})
