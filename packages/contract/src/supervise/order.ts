import { z } from 'zod'
import { auditFields } from '../audit-fields.ts'
import { Id, Millis, queryDate, queryId, queryList } from '../codecs.ts'
import { field } from '../field.ts'
import { attachmentDrafts, attachmentList } from '../files/attachment.ts'
import { PageQuery, sortable } from '../page.ts'
import { keywordText, nameText } from '../text-fields.ts'
import { OrderEvidence } from './order-evidence.ts'
import { orderStates } from './order-machine.ts'

/** Why an order was issued (domain 2.5). */
export const orderKinds = [
  'ALARM_OVERDUE',
  'FALSE_ALARM_HIGH',
  'DEVICE_UNREADY',
  'HAZARD',
  'DUTY_ABSENT',
  'BULLY_OVERDUE',
  'DRILL_OVERDUE',
  'MANUAL',
] as const
export type OrderKind = (typeof orderKinds)[number]

export const orderSubjects = ['WARN_RECORD', 'SCHOOL_DEVICE', 'SCHOOL', 'NONE'] as const
export type OrderSubjectType = (typeof orderSubjects)[number]

export const orderLights = ['GREEN', 'YELLOW', 'RED'] as const
export type OrderLight = (typeof orderLights)[number]

export const extensionStates = ['REQUESTED', 'APPROVED', 'REFUSED'] as const

export const orderViews = ['MINE', 'ISSUED', 'DUE_SOON', 'OVERDUE', 'TO_REVIEW'] as const
export type OrderView = (typeof orderViews)[number]

/** A step of the work with its own date. */
export const OrderNode = z.strictObject({
  name: field(nameText(50), '节点名称', 'Milestone'),
  dueAt: field(Millis, '节点期限', 'Due'),
  doneAt: field(Millis.nullable(), '完成时间', 'Done'),
})
export type OrderNode = z.output<typeof OrderNode>
/** Stored form: instants in epoch ms. */
export const StoredOrderNode = z.strictObject({ name: z.string(), dueAt: z.int(), doneAt: z.int().nullable() })

const names = {
  issuerDeptName: field(z.string(), '下达单位', 'Issued by'),
  issuerName: field(z.string().nullable(), '下达人', 'Issuer'),
  responsibleName: field(z.string(), '责任单位', 'Responsible'),
  responsibleUserName: field(z.string().nullable(), '责任人', 'Responsible person'),
}

/** The stored columns, without nodes and evidence, which are decoded on the wire. */
export const SupervisionOrder = z.strictObject({
  id: field(Id, '编号', 'Id'),
  no: field(z.string(), '督办单号', 'Number'),
  kind: field(z.enum(orderKinds), '来源', 'Source'),
  subjectType: field(z.enum(orderSubjects), '对象类型', 'Subject kind'),
  subjectId: field(Id.nullable(), '对象编号', 'Subject id'),
  subjectLabel: field(z.string().nullable(), '对象', 'Subject'),
  title: field(z.string(), '事项', 'Matter'),
  content: field(z.string(), '情况', 'Facts'),
  requirement: field(z.string(), '要求', 'Requirement'),
  issuerDeptId: field(Id, '下达单位', 'Issuing department'),
  issuerId: field(Id.nullable(), '下达人', 'Issuer'),
  responsibleDeptId: field(Id, '责任单位', 'Responsible department'),
  schoolId: field(Id.nullable(), '责任学校', 'Responsible school'),
  responsibleUserId: field(Id.nullable(), '责任人', 'Responsible person'),
  assistDeptIds: field(z.array(Id), '协办单位', 'Assisting'),
  state: field(z.enum(orderStates), '状态', 'State'),
  issuedAt: field(Millis.nullable(), '下达时间', 'Issued'),
  signDueAt: field(Millis.nullable(), '签收期限', 'Receive by'),
  dueAt: field(Millis, '到期', 'Due'),
  signedBy: field(Id.nullable(), '签收人', 'Received by'),
  signedAt: field(Millis.nullable(), '签收时间', 'Received'),
  submittedBy: field(Id.nullable(), '提交人', 'Submitted by'),
  submittedAt: field(Millis.nullable(), '提交时间', 'Submitted'),
  concludedBy: field(Id.nullable(), '办结人', 'Concluded by'),
  concludedAt: field(Millis.nullable(), '办结时间', 'Concluded'),
  evaluation: field(z.int().nullable(), '评价', 'Evaluation'),
  extensionState: field(z.enum(extensionStates).nullable(), '延期', 'Extension'),
  extensionCount: field(z.int(), '延期次数', 'Extensions'),
  extensionTo: field(Millis.nullable(), '延期至', 'Extend to'),
  extensionReason: field(z.string().nullable(), '延期原因', 'Reason of the extension'),
  extensionProgress: field(z.string().nullable(), '当前进展', 'Progress so far'),
  transferredFrom: field(Id.nullable(), '转自', 'Passed on from'),
  ...auditFields,
})

export const SupervisionOrderRow = SupervisionOrder.extend({
  nodes: field(z.array(OrderNode), '节点', 'Milestones'),
  /** Null: a person wrote it. */
  evidence: field(OrderEvidence.nullable(), '依据', 'Evidence'),
  /** Null: no action is required any more. */
  light: field(z.enum(orderLights).nullable(), '灯', 'Light'),
  ...names,
})
export type SupervisionOrderRow = z.output<typeof SupervisionOrderRow>

export const orderLogVerbs = [
  'issue',
  'issueAutomatically',
  'sign',
  'progress',
  'submit',
  'conclude',
  'return',
  'evaluate',
  'requestExtension',
  'approveExtension',
  'refuseExtension',
  'transfer',
  'revoke',
  'remindSign',
  'remindSoon',
  'remindDue',
  'remindLate',
  'remindUpward',
] as const
export type OrderLogVerb = (typeof orderLogVerbs)[number]

export const OrderLog = z.strictObject({
  id: field(Id, '编号', 'Id'),
  orderId: field(Id, '督办单', 'Order'),
  at: field(Millis, '时间', 'At'),
  /** Null: the system. */
  userId: field(Id.nullable(), '人员编号', 'Person'),
  userName: field(z.string().nullable(), '人员', 'Person'),
  userAccount: field(z.string().nullable(), '账号', 'Account'),
  verb: field(z.enum(orderLogVerbs), '操作', 'Verb'),
  toState: field(z.enum(orderStates), '状态', 'State'),
  text: field(z.string().nullable(), '内容', 'Text'),
})

export const SupervisionOrderDetail = SupervisionOrderRow.extend({
  assistNames: field(z.array(z.string()), '协办单位', 'Assisting'),
  attachments: attachmentList,
  log: field(z.array(OrderLog.extend({ attachments: attachmentList })), '时间线', 'Timeline'),
  /** The relation of the reader to the order; `whyNotOrder` derives what it allows. */
  isIssuer: field(z.boolean(), '属于下达单位', 'Of the issuing side'),
  isResponsible: field(z.boolean(), '属于责任单位', 'Of the responsible side'),
  isPastDue: field(z.boolean(), '已过期限', 'Past due'),
  isExtensionPast: field(z.boolean(), '延期时间已过', 'Extension past'),
  workerIds: field(z.array(Id), '经办人', 'Who worked on it'),
  /** The order that continues this one; null unless the reader sees it, as `transferredFrom` is. */
  transferredTo: field(Id.nullable(), '转为', 'Passed on to'),
})
export type SupervisionOrderDetail = z.output<typeof SupervisionOrderDetail>

export const orderText = field(z.string().trim().min(1).max(2000), '内容', 'Text')
export const orderReason = field(z.string().trim().min(1).max(500), '原因', 'Reason')

/** The assignee: a school, or a department. */
export const responsibleFields = {
  schoolId: field(Id.nullable(), '责任学校', 'Responsible school'),
  responsibleDeptId: field(Id.nullable(), '责任部门', 'Responsible department'),
  responsibleUserId: field(Id.nullable(), '责任人', 'Responsible person'),
}

export const SupervisionOrderDraft = z.strictObject({
  kind: field(z.enum(orderKinds), '来源', 'Source'),
  subjectType: field(z.enum(orderSubjects), '对象类型', 'Subject kind'),
  subjectId: field(Id.nullable(), '对象', 'Subject'),
  title: field(nameText(100), '事项', 'Matter'),
  content: field(z.string().trim().min(1).max(4000), '情况', 'Facts'),
  requirement: field(z.string().trim().min(1).max(2000), '要求', 'Requirement'),
  ...responsibleFields,
  assistDeptIds: field(z.array(Id).max(20), '协办单位', 'Assisting'),
  signDueAt: field(Millis.nullable(), '签收期限', 'Receive by'),
  dueAt: field(Millis, '办结期限', 'Due'),
  nodes: field(z.array(OrderNode.omit({ doneAt: true })).max(10), '节点', 'Milestones'),
  attachments: attachmentDrafts,
})
export type SupervisionOrderDraft = z.output<typeof SupervisionOrderDraft>

/** A new order: absent fields have defaults. */
export const SupervisionOrderNew = SupervisionOrderDraft.partial({
  subjectType: true,
  subjectId: true,
  schoolId: true,
  responsibleDeptId: true,
  responsibleUserId: true,
  assistDeptIds: true,
  signDueAt: true,
  nodes: true,
})
export type SupervisionOrderNew = z.output<typeof SupervisionOrderNew>

export const SupervisionOrderQuery = PageQuery.extend({
  keyword: field(keywordText(64).optional(), '单号或事项', 'Number or matter'),
  view: field(z.enum(orderViews).optional(), '视图', 'View'),
  light: field(queryList(orderLights).optional(), '灯', 'Light'),
  kind: field(queryList(orderKinds).optional(), '来源', 'Source'),
  state: field(queryList(orderStates).optional(), '状态', 'State'),
  schoolId: field(queryId.optional(), '责任学校', 'School'),
  responsibleDeptId: field(queryId.optional(), '责任单位', 'Responsible'),
  /** A department whose schools, or which itself, is responsible. */
  districtId: field(queryId.optional(), '辖区', 'District'),
  dueFrom: field(queryDate.optional(), '到期从', 'Due from'),
  dueTo: field(queryDate.optional(), '到期至', 'Due to'),
  /** `remaining`: the time until it is due, for orders that somebody must still work on; the others are last. */
  orderBy: sortable(['no', 'responsibleName', 'dueAt', 'remaining']),
})
export type SupervisionOrderQuery = z.output<typeof SupervisionOrderQuery>

/** Subjects in sight that an order may name: those that match, or the one with this id. */
export const OrderSubjectQuery = z.strictObject({
  subjectType: field(z.enum(orderSubjects), '对象类型', 'Subject kind'),
  keyword: field(keywordText(64).optional(), '关键字', 'Keyword'),
  chosenId: field(queryId.optional(), '对象编号', 'Subject id'),
})
export type OrderSubjectQuery = z.output<typeof OrderSubjectQuery>

/** A subject with the facts that an order about it states. */
export const OrderSubjectOption = z.strictObject({
  id: field(Id, '对象编号', 'Subject id'),
  label: field(z.string(), '对象', 'Subject'),
  schoolId: field(Id.nullable(), '学校编号', 'School id'),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  place: field(z.string().nullable(), '位置', 'Place'),
  /** Of an alarm. */
  level: field(z.int().nullable(), '级别', 'Level'),
  at: field(Millis.nullable(), '时间', 'At'),
})
export type OrderSubjectOption = z.output<typeof OrderSubjectOption>

/** People of one school or department and below it, whom an order to it can name. */
export const OrderPeopleQuery = z.strictObject({
  schoolId: field(queryId.optional(), '责任学校', 'Responsible school'),
  responsibleDeptId: field(queryId.optional(), '责任部门', 'Responsible department'),
  keyword: field(keywordText(30).optional(), '姓名或部门', 'Name or department'),
  /** This person only, so that a chosen one has a name. */
  chosenId: field(queryId.optional(), '责任人', 'Responsible person'),
})
export type OrderPeopleQuery = z.output<typeof OrderPeopleQuery>
