import { type Code, code } from './code.ts'

/** The states of a maintenance order; here because error messages name them too. */
export const maintenanceStateLabels = {
  OPEN: ['待派单', 'Open'],
  ASSIGNED: ['待处理', 'Assigned'],
  ON_SITE: ['已到现场', 'On site'],
  DONE: ['待验收', 'To verify'],
  VERIFIED: ['已完成', 'Verified'],
  REOPENED: ['返修', 'Reopened'],
  CANCELLED: ['已取消', 'Cancelled'],
} as const

/** Of maintenance orders, part of `codes`. */
export const maintenanceCodes = {
  maintenanceState: {
    ...code(1_004_007_000, '工单处于「{state}」，不能执行该操作', 'Not possible while the order is “{state}”'),
    words: { state: maintenanceStateLabels },
  },
  maintenanceOpen: code(
    1_004_007_001,
    '该设备因同一原因已有未完成的工单 {no}，请在那张工单上处理',
    'The device has an open order {no} for the same cause; continue that one',
  ),
  maintenanceVerifier: code(
    1_004_007_002,
    '验收人不能是完工人，请由另一人验收',
    'The person who did the work cannot verify it; another person must',
  ),
  maintenanceAssignee: code(
    1_004_007_003,
    '工单派给了别人，只有负责人可以执行该操作',
    'The order is assigned to somebody else; only the assignee may do this',
  ),
} satisfies Record<string, Code>
