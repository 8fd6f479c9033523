import { z } from 'zod'
import { warnClasses } from '../alarm-class.ts'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { Id, queryBool, queryList } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { keywordText, nameText } from '../text-fields.ts'
import { postTypes } from '../security/post.ts'
import { deliveryChannels } from './delivery.ts'

export const MAX_POLICY_STEPS = 10
export const MAX_POLICY_LOOPS = 3
export const MAX_STEP_SEC = 3600

/**
 * ROLE: users of the role who see the school of the alarm. STATION: users of the school's police station. POST: users
 * whose shift at a post of this type of the school, or of the department without a school, goes on now. Of the people
 * of a school those on duty are told first (decision 065).
 */
export const targetKinds = ['ROLE', 'USER', 'STATION', 'POST'] as const
export type TargetKind = (typeof targetKinds)[number]

export const PolicyTarget = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ROLE'),
    roleCode: field(z.string().regex(/^[a-z][a-z0-9_]{0,39}$/), '角色', 'Role'),
  }),
  z.strictObject({ kind: z.literal('USER'), userId: field(Id, '人员', 'Person') }),
  z.strictObject({ kind: z.literal('STATION') }),
  z.strictObject({ kind: z.literal('POST'), postType: field(z.enum(postTypes), '岗位类型', 'Type of post') }),
])
export type PolicyTarget = z.output<typeof PolicyTarget>

const channels = field(z.array(z.enum(deliveryChannels)).min(1).max(8), '渠道', 'Channels')
const targets = field(z.array(PolicyTarget).min(1).max(10), '对象', 'Targets')

export const PolicyStep = z.strictObject({
  afterSec: field(z.int().min(0).max(MAX_STEP_SEC), '第几秒', 'After (s)'),
  targets,
  channels,
})
export type PolicyStep = z.output<typeof PolicyStep>
export const PolicyFallback = z.strictObject({ targets, channels })
export type PolicyFallback = z.output<typeof PolicyFallback>

export const NotifyPolicy = z.strictObject({
  id: field(Id, '编号', 'Id'),
  name: field(z.string(), '策略名称', 'Policy name'),
  enabled: field(z.boolean(), '启用', 'Enabled'),
  /** A school or a region; null: everywhere. The nearest one above the place of the alarm applies. */
  deptId: field(Id.nullable(), '适用范围', 'Applies to'),
  class: field(z.enum(warnClasses).nullable(), '类别', 'Class'),
  level: field(z.int(), '级别', 'Level'),
  steps: field(z.array(PolicyStep), '步骤', 'Steps'),
  loops: field(z.int(), '重复轮数', 'Repeats'),
  fallback: field(PolicyFallback, '兜底对象', 'Fallback'),
  ...auditFields,
})
export type NotifyPolicy = z.output<typeof NotifyPolicy>

export const NotifyPolicyDraft = NotifyPolicy.omit(generatedColumns).extend({
  name: field(nameText(64), '策略名称', 'Policy name'),
  deptId: NotifyPolicy.shape.deptId.optional(),
  level: field(z.int().min(1).max(4), '级别', 'Level'),
  steps: field(z.array(PolicyStep).min(1).max(MAX_POLICY_STEPS), '步骤', 'Steps'),
  loops: field(z.int().min(0).max(MAX_POLICY_LOOPS), '重复轮数', 'Repeats'),
})
export type NotifyPolicyDraft = z.output<typeof NotifyPolicyDraft>

export const NotifyPolicyQuery = PageQuery.extend({
  keyword: field(keywordText(64).optional(), '策略名称', 'Policy name'),
  class: field(queryList(warnClasses).optional(), '类别', 'Class'),
  enabled: field(queryBool.optional(), '启用', 'Enabled'),
  orderBy: sortable(['name', 'level', 'enabled', 'createTime']),
})
export type NotifyPolicyQuery = z.output<typeof NotifyPolicyQuery>

/** Which channels can send at present, and how many users a target reaches. */
export const ChannelStatus = z.strictObject({
  channel: field(z.enum(deliveryChannels), '渠道', 'Channel'),
  configured: field(z.boolean(), '可用', 'Configured'),
})
export type ChannelStatus = z.output<typeof ChannelStatus>

export const PolicyChoices = z.strictObject({
  roles: field(z.array(z.strictObject({ code: z.string(), name: z.string() })), '角色', 'Roles'),
  users: field(z.array(z.strictObject({ id: Id, name: z.string() })), '人员', 'People'),
  channels: field(z.array(ChannelStatus), '渠道', 'Channels'),
})
export type PolicyChoices = z.output<typeof PolicyChoices>

const call = (verb: string) => ({ kind: 'json', permission: `notify:policy:${verb}`, scope: 'none' }) as const

export const notifyPolicies = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/notify/policy/page',
    summary: '通知策略分页',
    summaryEn: 'Escalation policies, by page',
    query: NotifyPolicyQuery,
    data: page(NotifyPolicy),
  }),
  get: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/notify/policy/get',
    summary: '通知策略详情',
    summaryEn: 'One escalation policy',
    query: ById,
    data: NotifyPolicy,
  }),
  choices: endpoint({
    ...call('query'),
    scope: 'dept',
    method: 'GET',
    path: '/notify/policy/choices',
    summary: '可选的对象与渠道',
    summaryEn: 'Targets and channels to choose from',
    data: PolicyChoices,
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/notify/policy/create',
    summary: '新增通知策略',
    summaryEn: 'Create an escalation policy',
    body: NotifyPolicyDraft,
    data: Id,
  }),
  update: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/notify/policy/update',
    summary: '修改通知策略',
    summaryEn: 'Change an escalation policy',
    body: NotifyPolicyDraft.partial().extend({
      id: field(Id, '编号', 'Id'),
      version: field(z.int(), '版本', 'Version'),
    }),
    data: z.literal(true),
  }),
  delete: endpoint({
    ...call('delete'),
    method: 'DELETE',
    path: '/notify/policy/delete',
    summary: '删除通知策略',
    summaryEn: 'Delete an escalation policy',
    query: ById,
    data: z.literal(true),
  }),
  test: endpoint({
    ...call('update'),
    scope: 'self',
    method: 'POST',
    path: '/notify/policy/test',
    summary: '向我发送一条测试消息',
    summaryEn: 'Send a test message to me, by one channel',
    body: z.strictObject({ channel: field(z.enum(deliveryChannels), '渠道', 'Channel') }),
    data: Id,
  }),
}
