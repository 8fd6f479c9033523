import { handoverStateLabels, shiftStateLabels } from '../codes/duty-codes.ts'
import { type EnumLabels, type Lang, lookupLabel } from '../field.ts'
import type { GapReason } from './gap.ts'
import type { HandoverItemKind } from './handover.ts'
import type { HandoverState, HandoverVerb } from './handover-machine.ts'
import type { HeadcountLine } from './headcount.ts'
import type { PatrolRunState } from './patrol.ts'
import type { PostType } from './post.ts'
import type { CheckInMethod } from './shift.ts'
import type { SwapState } from './swap.ts'
import type { ShiftState, ShiftVerb } from './shift-machine.ts'

const postType: EnumLabels<PostType> = {
  GATE: ['门卫', 'Gate'],
  PATROL: ['巡查', 'Patrol'],
  SCHOOL_RUN: ['护学岗', 'School-run post'],
  DORM: ['宿舍值班', 'Dormitory'],
  MONITOR_ROOM: ['监控室', 'Monitor room'],
  SEAT: ['席位', 'Seat'],
}

const headcountReason: EnumLabels<HeadcountLine['reason']> = {
  BASE: ['按学生数', 'By students'],
  STUDENTS: ['超出部分', 'Beyond the step'],
  BOARDERS: ['按寄宿生', 'By boarders'],
}

const checkInMethod: EnumLabels<CheckInMethod> = {
  HAND: ['补签', 'By hand'],
  QR: ['扫码', 'QR code'],
  POSITION: ['定位', 'Position'],
  DESK: ['席位', 'At the desk'],
}

/** Buttons (screens 1.4). */
const shiftVerb: EnumLabels<ShiftVerb> = {
  checkIn: ['上岗', 'Start shift'],
  checkOut: ['下班', 'End shift'],
  leaveEarly: ['提前离岗', 'Leave early'],
  excuse: ['请假', 'Absence'],
  markLate: ['记为迟到', 'Mark late'],
  markAbsent: ['记为缺岗', 'Mark absent'],
  endUnattended: ['自动下班', 'End automatically'],
}

const gapReason: EnumLabels<GapReason> = {
  NO_SHIFT: ['没有排班', 'No shift'],
  UNPUBLISHED: ['尚未发布', 'Not published'],
  ABSENT: ['缺岗', 'Absent'],
  UNREACHABLE: ['人员不可用', 'Person unavailable'],
}

const swapState: EnumLabels<SwapState> = {
  ASKED: ['待答复', 'Waiting'],
  AGREED: ['已同意', 'Agreed'],
  REFUSED: ['未同意', 'Refused'],
  WITHDRAWN: ['已撤回', 'Withdrawn'],
}

const handoverVerb: EnumLabels<HandoverVerb> = {
  note: ['备注', 'Note'],
  give: ['交班', 'Hand over'],
  take: ['接班', 'Take over'],
  cancel: ['取消', 'Cancel'],
}

const handoverItem: EnumLabels<HandoverItemKind> = {
  RECORD: ['未结警情', 'Open alarms'],
  SHELVED: ['搁置', 'Shelved'],
  TASK: ['任务', 'Tasks'],
  FAULT: ['故障', 'Faults'],
  OFFLINE: ['离线设备', 'Offline devices'],
  GAP: ['覆盖缺口', 'Coverage gaps'],
}

const patrolRunState: EnumLabels<PatrolRunState> = {
  PLANNED: ['待巡查', 'To walk'],
  RUNNING: ['巡查中', 'Walking'],
  DONE: ['已完成', 'Done'],
  MISSED: ['漏检', 'Missed'],
}

export const dutyLabels = {
  patrolRunState,
  handoverVerb,
  handoverItem,
  handoverState: handoverStateLabels satisfies EnumLabels<HandoverState>,
  gapReason,
  swapState,
  postType,
  headcountReason,
  checkInMethod,
  shiftVerb,
  shiftState: shiftStateLabels satisfies EnumLabels<ShiftState>,
}
export type DutyLabelKind = keyof typeof dutyLabels

export const dutyLabel = (kind: DutyLabelKind, value: string, lang: Lang): string =>
  lookupLabel(dutyLabels[kind], value, lang)
