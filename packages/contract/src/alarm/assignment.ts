import { z } from 'zod'
import { Id, Millis, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { attachmentDrafts } from '../files/attachment.ts'
import { ById } from '../page.ts'
import {
  assignmentMachine,
  assignmentStates,
  declineReasons,
  type ResponderVerb,
  responderStates,
  SEND,
  TASK_QUERY,
  TASK_UPDATE,
} from './assignment-machine.ts'
import { modes, recordStates } from './state-machine.ts'
import { warnClasses } from './rule.ts'

const at = (zh: string, en: string) => field(Millis.nullable(), zh, en)

/** The assignment of a person to an alarm (domain 2.9, F2). */
export const Assignment = z.strictObject({
  id: field(Id, '编号', 'Id'),
  recordId: field(Id.nullable(), '警情', 'Alarm'),
  situationId: field(Id.nullable(), '警单', 'Incident'),
  unitId: field(Id.nullable(), '单位', 'Unit'),
  schoolId: field(Id.nullable(), '学校', 'School'),
  deptId: Id,
  responderUserId: field(Id.nullable(), '人员', 'Person'),
  responderName: field(z.string(), '人员', 'Person'),
  state: field(z.enum(assignmentStates), '状态', 'State'),
  byUserId: field(Id.nullable(), '派出人', 'Sent by'),
  note: field(z.string().nullable(), '说明', 'Note'),
  declineReason: field(z.enum(declineReasons).nullable(), '无法前往的原因', 'Why not'),
  /** Whether a desk reported the latest step for the person. */
  onBehalf: field(z.boolean(), '代签', 'On behalf'),
  assignedAt: field(Millis, '派人时间', 'Sent'),
  receivedAt: at('签收时间', 'Received'),
  departedAt: at('出发时间', 'Departed'),
  arrivedAt: at('到场时间', 'Arrived'),
  endedAt: at('结束时间', 'Ended'),
  supportAt: at('请求增援时间', 'Support asked for'),
  version: field(z.int(), '版本', 'Version'),
})
export type Assignment = z.output<typeof Assignment>

export const AssignmentRow = Assignment.extend({ byName: field(z.string().nullable(), '派出人', 'Sent by') })
export type AssignmentRow = z.output<typeof AssignmentRow>

/** Place and reason, as far as an assignee needs them. */
const Destination = {
  recordNo: field(z.string(), '警情编号', 'Alarm no.'),
  level: field(z.int(), '级别', 'Level'),
  class: field(z.enum(warnClasses), '类别', 'Class'),
  code: field(z.string(), '代码', 'Code'),
  mode: field(z.enum(modes), '模式', 'Mode'),
  recordState: field(z.enum(recordStates), '警情状态', 'State of the alarm'),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  building: field(z.string().nullable(), '楼栋', 'Building'),
  floor: field(z.string().nullable(), '楼层', 'Floor'),
  room: field(z.string().nullable(), '房间', 'Room'),
  placeId: Id.nullable(),
  placePath: field(z.string().nullable(), '位置', 'Place'),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  address: field(z.string().nullable(), '地址', 'Address'),
  dutyPhone: field(z.string().nullable(), '值班电话', 'Duty phone'),
  firstAt: field(Millis, '首次时间', 'First'),
}

/** A task of the user or of the user's unit; fields of alarms only are null for incidents, and the other way round. */
export const Task = AssignmentRow.extend({
  ...Destination,
  recordNo: Destination.recordNo.nullable(),
  class: Destination.class.nullable(),
  code: Destination.code.nullable(),
  recordState: Destination.recordState.nullable(),
  situationNo: field(z.string().nullable(), '警单编号', 'Incident no.'),
  category: field(z.string().nullable(), '类别', 'Category'),
  summary: field(z.string().nullable(), '简要案情', 'Summary'),
  stationPhone: field(z.string().nullable(), '派出所值班电话', 'Duty phone of the station'),
})
export type Task = z.output<typeof Task>

/** An unowned alarm, for users who may claim it and go. */
export const UnclaimedTask = z.strictObject({ recordId: field(Id, '警情', 'Alarm'), ...Destination })
export type UnclaimedTask = z.output<typeof UnclaimedTask>

export const MyTasks = z.strictObject({
  now: Millis,
  onDuty: field(z.boolean(), '在岗', 'On duty'),
  dutySince: field(Millis.nullable(), '上岗时间', 'On duty since'),
  open: field(z.array(Task), '任务', 'Tasks'),
  /** Of the last day. */
  done: field(z.array(Task), '已完成', 'Done'),
  unclaimed: field(z.array(UnclaimedTask), '待接警', 'Unclaimed'),
})
export type MyTasks = z.output<typeof MyTasks>

/** Somebody who can be sent; `busyNo`: the alarm of the open assignment. */
export const Responder = z.strictObject({
  id: field(Id, '编号', 'Id'),
  name: field(z.string(), '姓名', 'Name'),
  roleNames: field(z.string(), '角色', 'Roles'),
  state: field(z.enum(responderStates), '状态', 'State'),
  busyNo: field(z.string().nullable(), '当前任务', 'Busy with'),
  /** Tasks of the last day. */
  tasks: field(z.int(), '今日任务', 'Tasks today'),
  /** Already sent to this alarm, with an open assignment. */
  isHere: z.boolean(),
  /** How the last assignment to this alarm ended without the person. */
  missed: field(z.enum(['TIMED_OUT', 'DECLINED']).nullable(), '本警情未应答', 'Did not answer or declined'),
})
export type Responder = z.output<typeof Responder>

/** Whom the desk is offered first: a free person who is not sent yet, and neither let this alarm lapse nor declined it. */
export const suggestResponder = (list: readonly Responder[]): Responder | undefined =>
  list.find(({ state, isHere, missed }) => state === 'FREE' && !isHere && missed === null)

const stepKey = field(z.uuid(), '步骤编号', 'Step key')
const text = z.string().trim().min(1).max(500)
const arguments_ = {
  id: field(Id, '编号', 'Id'),
  /** Created by the client once per tap: a repeated step is applied once and answered again. */
  stepKey,
  /** When the step was done, if it was sent later. */
  doneAt: field(Millis.nullable().optional(), '操作时间', 'Done at'),
}

const step = <const V extends ResponderVerb, const S extends z.ZodRawShape>(
  name: V,
  shape: S,
  words: { zh: string; en: string },
) =>
  endpoint({
    method: 'POST',
    path: `/warn/assignment/${name}`,
    kind: 'json',
    permission: assignmentMachine[name].permission,
    scope: 'school',
    summary: words.zh,
    summaryEn: words.en,
    body: z.strictObject({ ...arguments_, ...shape }),
    data: AssignmentRow,
  })

export const assignments = {
  responders: endpoint({
    method: 'GET',
    path: '/warn/record/responders',
    kind: 'json',
    permission: SEND,
    scope: 'school',
    summary: '可派人员',
    summaryEn: 'People who can be sent to an alarm',
    query: ById,
    data: z.array(Responder),
  }),
  list: endpoint({
    method: 'GET',
    path: '/warn/assignment/list',
    kind: 'json',
    permission: 'warn:record:query',
    scope: 'school',
    summary: '警情的派人与进度',
    summaryEn: 'Who was sent to an alarm, and how far he is',
    query: z.strictObject({ recordId: field(queryId, '警情', 'Alarm') }),
    data: z.array(AssignmentRow),
  }),
  mine: endpoint({
    method: 'GET',
    path: '/warn/assignment/mine',
    kind: 'json',
    permission: TASK_QUERY,
    scope: 'self',
    summary: '我的任务',
    summaryEn: 'My tasks',
    data: MyTasks,
  }),
  duty: endpoint({
    method: 'POST',
    path: '/warn/assignment/duty',
    kind: 'json',
    permission: TASK_QUERY,
    scope: 'self',
    summary: '上岗或下班',
    summaryEn: 'Start or end duty',
    body: z.strictObject({ onDuty: field(z.boolean(), '在岗', 'On duty') }),
    data: z.literal(true),
  }),
  go: endpoint({
    method: 'POST',
    path: '/warn/assignment/go',
    kind: 'json',
    permission: TASK_UPDATE,
    scope: 'school',
    summary: '接警并前往',
    summaryEn: 'Claim an alarm and go there',
    body: z.strictObject({ recordId: field(Id, '警情', 'Alarm'), stepKey }),
    data: AssignmentRow,
  }),
  receive: step('receive', {}, { zh: '签收任务', en: 'Receive a task' }),
  depart: step('depart', {}, { zh: '出发', en: 'Depart' }),
  arrive: step('arrive', {}, { zh: '到场', en: 'Arrive' }),
  clear: step('clear', {}, { zh: '完成任务', en: 'Complete a task' }),
  decline: step(
    'decline',
    { reason: field(z.enum(declineReasons), '原因', 'Reason') },
    { zh: '无法前往', en: 'Decline a task' },
  ),
  support: step(
    'support',
    { note: field(text.nullable().optional(), '说明', 'Note') },
    { zh: '请求增援', en: 'Ask for support' },
  ),
  report: step(
    'report',
    { note: field(text, '说明', 'Note'), attachments: attachmentDrafts },
    { zh: '现场情况', en: 'Report from the scene' },
  ),
  recall: endpoint({
    method: 'POST',
    path: '/warn/assignment/recall',
    kind: 'json',
    permission: SEND,
    scope: 'school',
    summary: '撤回派人',
    summaryEn: 'Recall somebody who was sent',
    body: z.strictObject({ ...arguments_, note: field(text.nullable().optional(), '说明', 'Note') }),
    data: AssignmentRow,
  }),
}
