import { z } from 'zod'
import { Id, Millis, queryId, queryList, queryRange } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { PageQuery, page, sortable } from '../page.ts'
import { keywordText } from '../text-fields.ts'
import { deliveryStates } from './delivery-machine.ts'

export const deliveryChannels = [
  'INAPP',
  'SMS',
  'VOICE',
  'EMAIL',
  'WECOM_ROBOT',
  'DINGTALK',
  'FEISHU',
  'WEBHOOK',
] as const
export type DeliveryChannel = (typeof deliveryChannels)[number]
/** Channels that reach a group or a system; each has one address for the whole installation. */
export const groupChannels = ['WECOM_ROBOT', 'DINGTALK', 'FEISHU', 'WEBHOOK'] as const satisfies DeliveryChannel[]

/** The subject of a delivery; `subjectId` is the id of that row. */
export const deliverySubjects = [
  'RECORD',
  'ASSIGNMENT',
  'SITUATION',
  'ORDER',
  'ANNOUNCEMENT',
  'DUTY',
  'DRILL',
  'TEST',
  'REPORT',
] as const
export type DeliverySubject = (typeof deliverySubjects)[number]

/** Why it was not sent or not sent further. */
export const deliveryReasons = [
  'NO_RECIPIENT',
  'NO_ADDRESS',
  'NOT_CONFIGURED',
  'CLAIMED',
  'RECEIVED',
  'ENDED',
  'REVOKED',
  'RECIPIENT_DISABLED',
  'SUPERSEDED',
  'QUIET_HOURS',
  'NOT_CHOSEN',
] as const
export type DeliveryReason = (typeof deliveryReasons)[number]

export const Delivery = z.strictObject({
  id: field(Id, '编号', 'Id'),
  subjectType: field(z.enum(deliverySubjects), '事由', 'About'),
  subjectId: field(Id, '事由编号', 'Subject id'),
  schoolId: field(Id.nullable(), '学校', 'School'),
  deptId: field(Id.nullable(), '部门', 'Department'),
  userId: field(Id.nullable(), '接收人', 'Recipient'),
  recipientName: field(z.string(), '对象', 'Recipient'),
  /** Masked. The full address is read from the account when the message is sent. */
  address: field(z.string().nullable(), '地址', 'Address'),
  channel: field(z.enum(deliveryChannels), '渠道', 'Channel'),
  level: field(z.int(), '级别', 'Level'),
  step: field(z.int(), '步骤', 'Step'),
  attempts: field(z.int(), '尝试次数', 'Attempts'),
  state: field(z.enum(deliveryStates), '状态', 'State'),
  title: field(z.string(), '标题', 'Title'),
  body: field(z.string(), '内容', 'Text'),
  link: field(z.string().nullable(), '页面', 'Page'),
  reason: field(z.enum(deliveryReasons).nullable(), '未发原因', 'Why not sent'),
  providerMsgId: field(z.string().nullable(), '服务商消息编号', 'Provider message id'),
  providerAnswer: field(z.string().nullable(), '服务商答复', 'Provider answer'),
  resendOfId: field(Id.nullable(), '重发自', 'Resent from'),
  createdAt: field(Millis, '时间', 'Time'),
  dueAt: field(Millis, '计划时间', 'Due'),
  expiresAt: field(Millis, '截止时间', 'Expires'),
  sentAt: field(Millis.nullable(), '发出时间', 'Sent'),
  deliveredAt: field(Millis.nullable(), '送达时间', 'Delivered'),
  readAt: field(Millis.nullable(), '已读时间', 'Read'),
  repliedAt: field(Millis.nullable(), '回复时间', 'Replied'),
  endedAt: field(Millis.nullable(), '结束时间', 'Ended'),
})
export type Delivery = z.output<typeof Delivery>

export const DeliveryRow = Delivery.extend({
  /** Milliseconds from planning to the provider's acceptance or the recipient's page, whichever is later. */
  tookMs: field(z.int().nullable(), '用时', 'Took'),
})
export type DeliveryRow = z.output<typeof DeliveryRow>

export const DeliveryQuery = PageQuery.extend({
  keyword: field(keywordText(64).optional(), '对象', 'Recipient'),
  channel: field(queryList(deliveryChannels).optional(), '渠道', 'Channel'),
  state: field(queryList(deliveryStates).optional(), '状态', 'State'),
  reason: field(queryList(deliveryReasons).optional(), '未发原因', 'Why not sent'),
  subjectType: field(queryList(deliverySubjects).optional(), '事由', 'About'),
  subjectId: field(queryId.optional(), '事由编号', 'Subject id'),
  createdAt: field(queryRange.optional(), '时间', 'Time'),
  orderBy: sortable(['createdAt']),
})
export type DeliveryQuery = z.output<typeof DeliveryQuery>

/** A user's own deliveries as the user sees them. */
export const MyDelivery = Delivery.pick({
  id: true,
  subjectType: true,
  subjectId: true,
  level: true,
  title: true,
  body: true,
  link: true,
  state: true,
  createdAt: true,
})
export type MyDelivery = z.output<typeof MyDelivery>

const json = { kind: 'json', scope: 'school' } as const
const Ids = z.strictObject({ ids: field(z.array(Id).min(1).max(100), '编号', 'Ids') })
const own = { kind: 'json', permission: 'token', scope: 'self' } as const

export const deliveries = {
  page: endpoint({
    ...json,
    permission: 'notify:delivery:query',
    method: 'GET',
    path: '/notify/delivery/page',
    summary: '送达记录分页',
    summaryEn: 'Deliveries, by page',
    query: DeliveryQuery,
    data: page(DeliveryRow),
  }),
  resend: endpoint({
    ...json,
    permission: 'notify:delivery:resend',
    method: 'POST',
    path: '/notify/delivery/resend',
    summary: '重发',
    summaryEn: 'Send a delivery again, as a new delivery',
    body: z.strictObject({ id: field(Id, '编号', 'Id') }),
    data: Id,
  }),
  ...exportEndpoints({
    path: '/notify/delivery',
    permission: 'notify:delivery:export',
    scope: 'school',
    title: '送达记录',
    titleEn: 'Deliveries',
    query: DeliveryQuery,
  }),
}

export const myDeliveries = {
  list: endpoint({
    ...own,
    method: 'GET',
    path: '/notify/my-delivery/list',
    summary: '我未读的站内消息',
    summaryEn: 'In-app messages to me that I have not read',
    data: z.array(MyDelivery),
  }),
  delivered: endpoint({
    ...own,
    method: 'POST',
    path: '/notify/my-delivery/delivered',
    summary: '页面已显示站内消息',
    summaryEn: 'A page of mine shows these messages',
    body: Ids,
    data: z.literal(true),
  }),
  read: endpoint({
    ...own,
    method: 'POST',
    path: '/notify/my-delivery/read',
    summary: '已读站内消息',
    summaryEn: 'I have read these messages',
    body: Ids,
    data: z.literal(true),
  }),
}
