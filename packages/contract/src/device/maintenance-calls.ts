import { z } from 'zod'
import { Id } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ById, page } from '../page.ts'
import { keywordText } from '../text-fields.ts'
import {
  MaintenanceAssignment,
  MaintenanceDetail,
  MaintenanceDraft,
  MaintenanceExchange,
  MaintenanceFigures,
  MaintenanceNote,
  MaintenanceQuery,
  MaintenanceReason,
  MaintenanceRow,
  MaintenanceStep,
  MaintenanceWork,
} from './maintenance.ts'

const call = (verb: string) => ({ kind: 'json', permission: `device:maintenance:${verb}`, scope: 'school' }) as const

/** A user who can be assigned. */
export const MaintenanceAssignee = z.strictObject({
  id: Id,
  name: z.string(),
  deptName: z.string(),
  /** The user's unfinished orders. */
  open: z.int(),
})
const AssigneeQuery = z.strictObject({ keyword: field(keywordText(64).optional(), '姓名', 'Name') })
export type AssigneeQuery = z.output<typeof AssigneeQuery>
export type MaintenanceAssignee = z.output<typeof MaintenanceAssignee>

export const maintenanceOrders = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/device/maintenance/page',
    summary: '维修工单分页',
    summaryEn: 'Maintenance orders, by page',
    query: MaintenanceQuery,
    data: page(MaintenanceRow),
  }),
  get: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/device/maintenance/get',
    summary: '维修工单详情与时间线',
    summaryEn: 'One maintenance order with its timeline',
    query: ById,
    data: MaintenanceDetail,
  }),
  figures: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/device/maintenance/figures',
    summary: '维修工单统计',
    summaryEn: 'Figures of maintenance orders: open, overdue, time to repair, reopened',
    data: MaintenanceFigures,
  }),
  assignees: endpoint({
    ...call('assign'),
    method: 'GET',
    path: '/device/maintenance/assignees',
    summary: '可派单的人员',
    summaryEn: 'People who may be given the work',
    query: AssigneeQuery,
    data: z.array(MaintenanceAssignee),
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/device/maintenance/create',
    summary: '新增维修工单',
    summaryEn: 'Create a maintenance order',
    body: MaintenanceDraft,
    data: Id,
  }),
  assign: endpoint({
    ...call('assign'),
    method: 'POST',
    path: '/device/maintenance/assign',
    summary: '派单',
    summaryEn: 'Assign an order',
    body: MaintenanceAssignment,
    data: z.literal(true),
  }),
  arrive: endpoint({
    ...call('work'),
    method: 'POST',
    path: '/device/maintenance/arrive',
    summary: '到现场',
    summaryEn: 'Say that one is on site',
    body: MaintenanceStep,
    data: z.literal(true),
  }),
  finish: endpoint({
    ...call('work'),
    method: 'POST',
    path: '/device/maintenance/finish',
    summary: '完工，待验收',
    summaryEn: 'Finish the work, to be verified',
    body: MaintenanceWork,
    data: z.literal(true),
  }),
  exchange: endpoint({
    ...call('work'),
    method: 'POST',
    path: '/device/maintenance/exchange',
    summary: '换新设备：旧设备拆除，新设备装在原位置',
    summaryEn: 'Take the old device down and install a new one at its place',
    body: MaintenanceExchange,
    data: Id,
  }),
  note: endpoint({
    ...call('work'),
    method: 'POST',
    path: '/device/maintenance/note',
    summary: '在工单上备注',
    summaryEn: 'Add a note to an order',
    body: MaintenanceNote,
    data: z.literal(true),
  }),
  verify: endpoint({
    ...call('verify'),
    method: 'POST',
    path: '/device/maintenance/verify',
    summary: '验收',
    summaryEn: 'Verify the work of another person',
    body: MaintenanceStep,
    data: z.literal(true),
  }),
  reopen: endpoint({
    ...call('verify'),
    method: 'POST',
    path: '/device/maintenance/reopen',
    summary: '返修',
    summaryEn: 'Reopen an order',
    body: MaintenanceReason,
    data: z.literal(true),
  }),
  cancel: endpoint({
    ...call('assign'),
    method: 'POST',
    path: '/device/maintenance/cancel',
    summary: '取消工单',
    summaryEn: 'Cancel an order',
    body: MaintenanceReason,
    data: z.literal(true),
  }),
  ...exportEndpoints({
    permission: 'device:maintenance:query',
    scope: 'school',
    path: '/device/maintenance',
    title: '维修工单',
    titleEn: 'Maintenance orders',
    query: MaintenanceQuery,
  }),
}
