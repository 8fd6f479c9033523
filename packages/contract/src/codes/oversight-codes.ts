import { announcementCodes } from './announcement-codes.ts'
import { type Code, code } from './code.ts'
import { wallCodes } from './wall-codes.ts'

/** The states of a supervision order; here, because error messages name them too. */
export const orderStateLabels = {
  DRAFT: ['草稿', 'Draft'],
  ISSUED: ['待签收', 'Not received yet'],
  SIGNED: ['已签收', 'Received'],
  IN_PROGRESS: ['办理中', 'In progress'],
  SUBMITTED: ['待复核', 'Submitted'],
  RETURNED: ['已退回', 'Sent back'],
  CONCLUDED: ['已办结', 'Concluded'],
  EVALUATED: ['已评价', 'Evaluated'],
  TRANSFERRED: ['已转办', 'Passed on'],
  REVOKED: ['已撤销', 'Revoked'],
} as const

/** Of supervision orders, announcements, reports and links to the wall, part of `codes`. */
export const superviseCodes = {
  ...announcementCodes,
  ...wallCodes,
  orderState: {
    ...code(1_008_001_000, '督办单处于「{state}」，不能执行该操作', 'Not possible while the order is “{state}”'),
    words: { state: orderStateLabels },
  },
  orderNotIssuer: code(
    1_008_001_001,
    '只有下达单位可以执行该操作',
    'Only the department that issued the order can do this',
  ),
  orderNotResponsible: code(1_008_001_002, '只有责任单位可以执行该操作', 'Only the responsible department can do this'),
  orderIssuerResponsible: code(
    1_008_001_003,
    '下达人不能是责任人，也不能代责任单位办理',
    'The issuer cannot be responsible, nor act for the responsible department',
  ),
  orderConcluder: code(
    1_008_001_004,
    '办结人不能是下达人或责任人，须由下达单位的另一人办结',
    'Another person of the issuing department must conclude it: neither the issuer nor a responsible person',
  ),
  orderOpenTwin: code(
    1_008_001_005,
    '同一事项已有未办结的督办单 {no}',
    'The same subject already has the open order {no}',
  ),
  orderExtensionTwice: code(
    1_008_001_006,
    '最多申请延期 {count} 次',
    'An extension can be asked for at most {count} times',
  ),
  orderExtensionPending: code(1_008_001_007, '已有待批的延期申请', 'An extension is already waiting for an answer'),
  orderNoExtension: code(1_008_001_008, '没有待批的延期申请', 'No extension is waiting for an answer'),
  orderPastDue: code(
    1_008_001_009,
    '已过办结期限，不能申请延期',
    'The order is past its due date; an extension can no longer be asked for',
  ),
  reportPeriodOpen: code(
    1_008_004_000,
    '该周期到 {day} 才结束，结束后方可出具报表',
    'The period ends on {day}: issue the report afterwards',
  ),
  reportIssued: code(1_008_004_001, '该周期的报表已出具', 'The report of this period has been issued already'),
  reportSubscribed: code(1_008_004_002, '已订阅该报表', 'You already get this report'),
  weightsUnchanged: code(
    1_008_005_000,
    '权重与现行版本相同，没有可发布的变化',
    'The weights are those of the current version: there is nothing to publish',
  ),
  orderExtensionPast: code(
    1_008_001_011,
    '申请延期至的时间已过，不能同意延期',
    'The date that the extension asks for has passed; it can only be refused',
  ),
  orderSameParty: code(1_008_001_010, '责任单位没有变化', 'The responsible department is the same'),
} satisfies Record<string, Code>
