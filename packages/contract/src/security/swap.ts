import { z } from 'zod'
import { auditFields } from '../audit-fields.ts'
import { Id, Millis, queryBool } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { PageQuery, page, sortable } from '../page.ts'

export const swapStates = ['ASKED', 'AGREED', 'REFUSED', 'WITHDRAWN'] as const
export type SwapState = (typeof swapStates)[number]

/** A request to exchange two shifts with a colleague, who agrees or declines. */
export const ShiftSwap = z.strictObject({
  id: field(Id, '编号', 'Id'),
  schoolId: field(Id.nullable(), '学校', 'School'),
  deptId: field(Id.nullable(), '部门', 'Department'),
  shiftId: field(Id, '本人班次', 'Own shift'),
  otherShiftId: field(Id, '对方班次', 'Other shift'),
  askedBy: field(Id, '申请人', 'Asked by'),
  asked: field(Id, '对方', 'Asked'),
  state: field(z.enum(swapStates), '状态', 'State'),
  note: field(z.string().nullable(), '说明', 'Note'),
  answeredAt: field(Millis.nullable(), '答复时间', 'Answered'),
  ...auditFields,
})
export type ShiftSwap = z.output<typeof ShiftSwap>

export const ShiftSwapRow = ShiftSwap.extend({
  askedByName: field(z.string(), '申请人', 'Asked by'),
  askedName: field(z.string(), '对方', 'Asked'),
  postName: field(z.string(), '本人岗位', 'Own post'),
  otherPostName: field(z.string(), '对方岗位', 'Other post'),
  fromAt: field(Millis, '本人班次开始', 'Own shift from'),
  otherFromAt: field(Millis, '对方班次开始', 'Other shift from'),
  canAnswer: field(z.boolean(), '可答复', 'Can answer'),
  canWithdraw: field(z.boolean(), '可撤回', 'Can withdraw'),
})
export type ShiftSwapRow = z.output<typeof ShiftSwapRow>

export const ShiftSwapQuery = PageQuery.extend({
  open: field(queryBool.optional(), '待答复', 'Waiting'),
  orderBy: sortable(['createTime']),
})
export type ShiftSwapQuery = z.output<typeof ShiftSwapQuery>

export const ShiftSwapDraft = z.strictObject({
  shiftId: field(Id, '本人班次', 'Own shift'),
  otherShiftId: field(Id, '对方班次', 'Other shift'),
  note: field(z.string().trim().max(200).nullable().optional(), '说明', 'Note'),
})
export type ShiftSwapDraft = z.output<typeof ShiftSwapDraft>

const call = { kind: 'json', permission: 'security:shift:swap', scope: 'school' } as const
const SwapRef = z.strictObject({
  id: field(Id, '编号', 'Id'),
  version: field(z.int().optional(), '版本', 'Version'),
})

export const shiftSwaps = {
  page: endpoint({
    ...call,
    permission: 'security:shift:query',
    method: 'GET',
    path: '/security/shift-swap/page',
    summary: '换班申请分页',
    summaryEn: 'Swaps of shifts, by page',
    query: ShiftSwapQuery,
    data: page(ShiftSwapRow),
  }),
  create: endpoint({
    ...call,
    method: 'POST',
    path: '/security/shift-swap/create',
    summary: '申请与同事换班',
    summaryEn: 'Ask a colleague to swap shifts',
    body: ShiftSwapDraft,
    data: Id,
  }),
  answer: endpoint({
    ...call,
    method: 'POST',
    path: '/security/shift-swap/answer',
    summary: '同意或不同意换班',
    summaryEn: 'Agree to a swap, or refuse it',
    body: SwapRef.extend({ agree: field(z.boolean(), '同意', 'Agree') }),
    data: z.literal(true),
  }),
  withdraw: endpoint({
    ...call,
    method: 'POST',
    path: '/security/shift-swap/withdraw',
    summary: '撤回换班申请',
    summaryEn: 'Withdraw a swap',
    body: SwapRef,
    data: z.literal(true),
  }),
}
