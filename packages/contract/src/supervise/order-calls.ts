import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { attachmentDrafts } from '../files/attachment.ts'
import { ById, page } from '../page.ts'
import {
  orderLights,
  OrderPeopleQuery,
  orderReason,
  OrderSubjectOption,
  OrderSubjectQuery,
  orderText,
  responsibleFields,
  SupervisionOrderDetail,
  SupervisionOrderDraft,
  SupervisionOrderNew,
  SupervisionOrderQuery,
  SupervisionOrderRow,
} from './order.ts'
import { orderMachine, type OrderVerb, orderStates } from './order-machine.ts'

const id = field(Id, '编号', 'Id')
const version = field(z.int(), '版本', 'Version')
const One = z.strictObject({ id, version })
const done = z.literal(true)

const json = (verb: string) => ({ kind: 'json', permission: `supervise:order:${verb}`, scope: 'dept' }) as const

const call = (verb: OrderVerb, path: string) =>
  ({
    method: 'POST',
    path: `/supervise/order/${path}`,
    kind: 'json',
    permission: orderMachine[verb].permission,
    scope: 'dept',
    data: done,
  }) as const

/** Open orders of one district by state and light. */
export const OrderBoardCell = z.strictObject({
  deptId: field(Id, '单位编号', 'Department id'),
  deptName: field(z.string(), '单位', 'Department'),
  state: field(z.enum(orderStates), '状态', 'State'),
  light: field(z.enum(orderLights), '灯', 'Light'),
  count: field(z.int(), '数量', 'Count'),
})
export type OrderBoardCell = z.output<typeof OrderBoardCell>

export const supervisionOrders = {
  page: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/supervise/order/page',
    summary: '督办单分页',
    summaryEn: 'Supervision orders, by page: overdue first, then due soon',
    query: SupervisionOrderQuery,
    data: page(SupervisionOrderRow),
  }),
  get: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/supervise/order/get',
    summary: '督办单详情',
    summaryEn: 'One supervision order with its timeline',
    query: ById,
    data: SupervisionOrderDetail,
  }),
  board: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/supervise/order/board',
    summary: '各单位未办结督办单',
    summaryEn: 'Open orders by district, state and light',
    data: z.array(OrderBoardCell),
  }),
  subjects: endpoint({
    ...json('draft'),
    method: 'GET',
    path: '/supervise/order/subjects',
    summary: '督办单对象选项',
    summaryEn: 'Alarms, installed devices or schools in sight that an order may name, 30 at most',
    query: OrderSubjectQuery,
    data: z.array(OrderSubjectOption),
  }),
  people: endpoint({
    ...json('query'),
    method: 'GET',
    path: '/supervise/order/people',
    summary: '责任人选项',
    summaryEn: 'People in sight of one unit whom an order may name, without the caller, 50 at most',
    query: OrderPeopleQuery,
    data: z.array(
      z.strictObject({
        id: field(Id, '人员编号', 'Person id'),
        nickname: field(z.string(), '姓名', 'Name'),
        deptName: field(z.string(), '部门', 'Department'),
      }),
    ),
  }),
  create: endpoint({
    ...json('draft'),
    method: 'POST',
    path: '/supervise/order/create',
    summary: '新增督办单草稿',
    summaryEn: 'Write an order, not yet issued',
    body: SupervisionOrderNew,
    data: Id,
  }),
  update: endpoint({
    ...json('draft'),
    method: 'PUT',
    path: '/supervise/order/update',
    summary: '修改督办单草稿',
    summaryEn: 'Change an order that is not issued',
    body: SupervisionOrderDraft.partial().extend({ id, version }),
    data: done,
  }),
  delete: endpoint({
    ...json('draft'),
    method: 'DELETE',
    path: '/supervise/order/delete',
    summary: '删除督办单草稿',
    summaryEn: 'Delete an order that is not issued',
    query: ById,
    data: done,
  }),
  ...exportEndpoints({
    path: '/supervise/order',
    permission: 'supervise:order:export',
    scope: 'dept',
    title: '督办单',
    titleEn: 'Supervision orders',
    query: SupervisionOrderQuery,
  }),
}

/** The verbs of `orderMachine`. */
export const orderVerbCalls = {
  issue: endpoint({ ...call('issue', 'issue'), summary: '下达', summaryEn: 'Issue', body: One }),
  sign: endpoint({ ...call('sign', 'sign'), summary: '签收', summaryEn: 'Receive', body: One }),
  progress: endpoint({
    ...call('progress', 'progress'),
    summary: '办理进展',
    summaryEn: 'Report progress',
    body: One.extend({
      text: orderText,
      doneNodes: field(z.array(z.int().min(0).max(9)).max(10).optional(), '已完成节点', 'Milestones done'),
      attachments: attachmentDrafts,
    }),
  }),
  submit: endpoint({
    ...call('submit', 'submit'),
    summary: '提交复核',
    summaryEn: 'Submit for review',
    body: One.extend({ text: orderText, attachments: attachmentDrafts }),
  }),
  conclude: endpoint({
    ...call('conclude', 'conclude'),
    summary: '办结',
    summaryEn: 'Conclude',
    body: One.extend({ text: field(z.string().trim().max(2000).nullable().optional(), '意见', 'Opinion') }),
  }),
  return: endpoint({
    ...call('return', 'return'),
    summary: '退回重办',
    summaryEn: 'Send back',
    body: One.extend({ reason: orderReason }),
  }),
  evaluate: endpoint({
    ...call('evaluate', 'evaluate'),
    summary: '评价',
    summaryEn: 'Evaluate',
    body: One.extend({
      score: field(z.int().min(1).max(5), '评分', 'Score'),
      text: field(z.string().trim().max(500).nullable().optional(), '评价', 'Comment'),
    }),
  }),
  requestExtension: endpoint({
    ...call('requestExtension', 'request-extension'),
    summary: '申请延期',
    summaryEn: 'Ask for an extension',
    body: One.extend({
      reason: orderReason,
      newDueAt: field(Millis, '延期至', 'Extend to'),
      text: field(z.string().trim().min(1).max(500), '当前进展', 'Progress so far'),
    }),
  }),
  approveExtension: endpoint({
    ...call('approveExtension', 'approve-extension'),
    summary: '同意延期',
    summaryEn: 'Grant the extension',
    body: One,
  }),
  refuseExtension: endpoint({
    ...call('refuseExtension', 'refuse-extension'),
    summary: '不同意延期',
    summaryEn: 'Refuse the extension',
    body: One.extend({ reason: orderReason }),
  }),
  transfer: endpoint({
    ...call('transfer', 'transfer'),
    summary: '转办',
    summaryEn: 'Pass on to another department',
    body: One.extend({
      schoolId: responsibleFields.schoolId.optional(),
      responsibleDeptId: responsibleFields.responsibleDeptId.optional(),
      responsibleUserId: responsibleFields.responsibleUserId.optional(),
      /** Without a value the due date stays; the new department needs one in the future. */
      dueAt: field(Millis.nullable().optional(), '新的办结期限', 'New due date'),
      reason: orderReason,
    }),
    data: Id,
  }),
  revoke: endpoint({
    ...call('revoke', 'revoke'),
    summary: '撤销',
    summaryEn: 'Revoke',
    body: One.extend({ reason: orderReason }),
  }),
}
