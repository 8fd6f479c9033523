import { z } from 'zod'
import { Id, Millis, queryBool, queryId } from '../codecs.ts'
import { auditFields } from '../audit-fields.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'

/** Quarterly (domain 2.12, P). */
export const TEST_INTERVAL_DAYS = 92
/** A window is for walking through a school, not for leaving alarms in test mode. */
export const MAX_WINDOW_HOURS = 12

export const testResults = ['PENDING', 'PASSED', 'NOT_PRESSED', 'NOT_RECEIVED'] as const
export type TestResultState = (typeof testResults)[number]

/** DRILL and the test plan have the same states (domain 2.12, O and P). */
export const testPlanStates = ['SCHEDULED', 'NOTIFIED', 'RUNNING', 'COMPLETED'] as const
export type TestPlanState = (typeof testPlanStates)[number]

export const TestPlan = z.strictObject({
  id: field(Id, '编号', 'Id'),
  schoolId: field(Id, '学校', 'School'),
  windowFrom: field(Millis, '窗口开始', 'Window from'),
  windowTo: field(Millis, '窗口结束', 'Window to'),
  note: field(z.string().nullable(), '备注', 'Note'),
  stationToldAt: field(Millis.nullable(), '已告知派出所', 'Station told'),
  stationToldBy: field(Id.nullable(), '告知人', 'Told by'),
  closedAt: field(Millis.nullable(), '结束时间', 'Closed'),
  ...auditFields,
})

export const TestResult = z.strictObject({
  id: field(Id, '编号', 'Id'),
  planId: field(Id, '测试计划', 'Test plan'),
  schoolId: field(Id, '学校', 'School'),
  deviceId: field(Id, '设备', 'Device'),
  schoolDeviceId: field(Id, '安装', 'Installation'),
  result: field(z.enum(testResults), '结果', 'Result'),
  at: field(Millis.nullable(), '按下时间', 'Pressed'),
  byUserId: field(Id.nullable(), '记录人', 'Recorded by'),
})

export const TestPlanRow = TestPlan.extend({
  state: field(z.enum(testPlanStates), '状态', 'State'),
  schoolName: field(z.string(), '学校', 'School'),
  passed: field(z.int(), '通过', 'Passed'),
  total: field(z.int(), '设备数', 'Devices'),
})
export type TestPlanRow = z.output<typeof TestPlanRow>

export const TestResultRow = TestResult.extend({
  sn: field(z.string(), '设备序列号', 'Serial number'),
  placePath: field(z.string(), '安装位置', 'Place'),
})
export type TestResultRow = z.output<typeof TestResultRow>

export const TestPlanDraft = z.strictObject({
  schoolId: field(Id, '学校', 'School'),
  windowFrom: field(Millis, '窗口开始', 'Window from'),
  windowTo: field(Millis, '窗口结束', 'Window to'),
  note: field(z.string().trim().max(200).nullable().optional(), '备注', 'Note'),
})
export type TestPlanDraft = z.output<typeof TestPlanDraft>

export const TestPlanQuery = PageQuery.extend({
  schoolId: field(queryId.optional(), '学校', 'School'),
  open: field(queryBool.optional(), '未结束', 'Not closed'),
  orderBy: sortable(['schoolName', 'windowFrom', 'windowTo']),
})
export type TestPlanQuery = z.output<typeof TestPlanQuery>

const call = (verb: string) => ({ kind: 'json', permission: `device:test:${verb}`, scope: 'school' }) as const
const One = z.strictObject({ id: field(Id, '编号', 'Id'), version: field(z.int(), '版本', 'Version') })

export const buttonTests = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/device/test/page',
    summary: '按钮测试计划分页',
    summaryEn: 'Button test plans, by page',
    query: TestPlanQuery,
    data: page(TestPlanRow),
  }),
  get: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/device/test/get',
    summary: '一次按钮测试的计划与结果',
    summaryEn: 'One button test with its results',
    query: ById,
    data: TestPlanRow.extend({ results: field(z.array(TestResultRow), '结果', 'Results') }),
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/device/test/create',
    summary: '为一所学校安排按钮测试',
    summaryEn: 'Plan a button test of a school',
    body: TestPlanDraft,
    data: Id,
  }),
  tell: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/device/test/tell',
    summary: '记录已告知派出所',
    summaryEn: 'Record that the police station was told',
    body: One,
    data: z.literal(true),
  }),
  record: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/device/test/record',
    summary: '记录一台设备的结果：按下但未收到',
    summaryEn: 'Record one device as pressed but not received',
    body: z.strictObject({ id: field(Id, '编号', 'Id'), received: field(z.boolean(), '已收到', 'Received') }),
    data: z.literal(true),
  }),
  close: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/device/test/close',
    summary: '结束测试并定下结果',
    summaryEn: 'Close the test and settle its results',
    body: One,
    data: z.literal(true),
  }),
  delete: endpoint({
    ...call('create'),
    method: 'DELETE',
    path: '/device/test/delete',
    summary: '删除尚未开始的测试',
    summaryEn: 'Delete a test that has not begun',
    query: ById,
    data: z.literal(true),
  }),
}
