import { procedureStatusLabels, runStateLabels } from '../../codes/procedure-codes.ts'
import { type EnumLabels, type Lang, lookupLabel } from '../../field.ts'
import { schoolLabels } from '../../school/school-labels.ts'
import type { Callee } from './callee.ts'
import type { ProcedureStatus, ProcedureVerb, RunState, RunVerb } from './procedure-machine.ts'
import type { ProcedureKind, StepAction, StepEvidence, StepRole, WorkKind } from './procedure.ts'

const procedureKind: EnumLabels<ProcedureKind> = {
  RESPONSE: ['响应预案', 'Response plan'],
  WORK: ['作业规程', 'Work procedure'],
}

const workKind: EnumLabels<WorkKind> = {
  INSTALL: ['安装', 'Install'],
  ACCEPT: ['验收', 'Accept'],
  INSPECT: ['巡检', 'Inspect'],
  BATTERY: ['更换电池', 'Replace battery'],
  REPAIR: ['维修', 'Repair'],
  RETIRE: ['报废', 'Retire'],
}

const stepRole: EnumLabels<StepRole> = {
  OPERATOR: ['接警员', 'Operator'],
  GUARD: ['保安', 'Guard'],
  SAFETY_OFFICER: ['安全员', 'Safety officer'],
  TEACHER: ['教师', 'Teacher'],
  LEAD: ['值班长', 'Shift lead'],
  POLICE: ['民警', 'Police'],
  MAINTAINER: ['维护员', 'Maintainer'],
}

const stepAction: EnumLabels<StepAction> = {
  NONE: ['无', 'None'],
  CALL: ['拨打电话', 'Call'],
  MESSAGE: ['派人并通知', 'Send and notify'],
  SIREN: ['鸣警笛', 'Siren'],
}

const { OTHER: _other, ...contactRole } = schoolLabels.contactRole
const callee: EnumLabels<Callee> = {
  DUTY_PHONE: ['学校值班电话', 'Duty phone of the school'],
  ...contactRole,
  AMBULANCE: ['120 急救', '120 ambulance'],
  FIRE_BRIGADE: ['119 消防', '119 fire brigade'],
  POLICE: ['110 报警', '110 police'],
}

const stepEvidence: EnumLabels<StepEvidence> = {
  NONE: ['无', 'None'],
  PHOTO: ['照片', 'Photo'],
  SCAN: ['扫码', 'Scan'],
  READING: ['读数', 'Reading'],
}

const procedureVerb: EnumLabels<ProcedureVerb> = {
  publish: ['发布', 'Publish'],
  update: ['编辑', 'Edit'],
  retire: ['停用', 'Retire'],
  delete: ['删除', 'Delete'],
}

const runVerb: EnumLabels<RunVerb> = {
  step: ['下一步', 'Next step'],
  finish: ['完成', 'Finish'],
  fail: ['未通过', 'Not passed'],
  abort: ['中止', 'Abort'],
}

export const procedureLabels = {
  procedureKind,
  procedureStatus: procedureStatusLabels satisfies EnumLabels<ProcedureStatus>,
  procedureVerb,
  workKind,
  stepRole,
  stepAction,
  callee,
  stepEvidence,
  runState: runStateLabels satisfies EnumLabels<RunState>,
  runVerb,
}
type ProcedureLabelKind = keyof typeof procedureLabels

export const procedureLabel = (kind: ProcedureLabelKind, value: string, lang: Lang): string =>
  lookupLabel(procedureLabels[kind], value, lang)
