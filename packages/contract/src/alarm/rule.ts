import { z } from 'zod'
import { Id, queryBool, queryList } from '../codecs.ts'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { endpoint } from '../endpoint.ts'
import { exportOptions } from '../export.ts'
import { field, pattern } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { nameText } from '../text-fields.ts'
import { warnClasses } from '../alarm-class.ts'

export { warnClasses, type WarnClass } from '../alarm-class.ts'

export const ruleConditions = ['INSTANT', 'REPEAT', 'DURATION', 'NO_DATA'] as const
export const dedupKinds = ['DEVICE', 'ZONE', 'SCHOOL'] as const

/** When a rule applies, by the school calendar. */
export const ruleSchedules = ['ALWAYS', 'CLASS', 'OUT_OF_CLASS', 'NIGHT', 'HOLIDAY'] as const
export type RuleSchedule = (typeof ruleSchedules)[number]
/** Minutes of the local day. The night ends on the next day. */
export const classHours = { fromMin: 450, toMin: 1080 } as const
export const nightHours = { fromMin: 1320, toMin: 360 } as const

const idList = z.array(Id).max(50)

const seconds = (max: number) => z.int().min(1).max(max).nullable()
const codeList = z.array(
  z
    .string()
    .regex(
      pattern(
        /^[A-Z0-9_]{2,30}$/,
        '2 至 30 个大写字母、数字或下划线，例如 PANIC',
        '2 to 30 capital letters, digits or underscores, such as PANIC',
      ),
    ),
)

export const WarnRule = z.strictObject({
  id: field(Id, '编号', 'Id'),
  name: field(z.string(), '规则名称', 'Rule name'),
  nameEn: field(z.string().nullable(), '英文名称', 'English name'),
  enabled: field(z.boolean(), '启用', 'Enabled'),
  shadow: field(z.boolean(), '影子运行', 'Shadow'),
  priority: field(z.int(), '优先级', 'Priority'),
  matchCodes: field(z.array(z.string()), '匹配代码', 'Codes'),
  condition: field(z.enum(ruleConditions), '条件', 'Condition'),
  repeatCount: field(z.int().nullable(), '重复次数', 'Repeats'),
  withinSec: field(z.int().nullable(), '时长（秒）', 'Within (s)'),
  minConfidence: field(z.number().nullable(), '最低可信度', 'Minimum confidence'),
  minDb: field(z.number().nullable(), '最低声级（分贝）', 'Minimum loudness (dB)'),
  class: field(z.enum(warnClasses), '类别', 'Class'),
  level: field(z.int(), '级别', 'Level'),
  dedupBy: field(z.enum(dedupKinds), '归并依据', 'Merge by'),
  reopenWindowSec: field(z.int(), '重开时限（秒）', 'Reopen window (s)'),
  recoverCodes: field(z.array(z.string()), '恢复代码', 'Recovery codes'),
  autoRecover: field(z.boolean(), '自动恢复', 'Closes automatically'),
  t1Sec: field(z.int().nullable(), '接警时限（秒）', 'Claim within (s)'),
  t2Sec: field(z.int().nullable(), '首次处置时限（秒）', 'First action within (s)'),
  t3Sec: field(z.int().nullable(), '危及生命后转警方时限（秒）', 'Hand to police within (s)'),
  t4Sec: field(z.int().nullable(), '到场时限（秒）', 'On scene within (s)'),
  t5Sec: field(z.int().nullable(), '超时督办（秒）', 'Overdue after (s)'),
  deptIds: field(z.array(Id), '适用部门', 'Departments'),
  schoolIds: field(z.array(Id), '适用学校', 'Schools'),
  modelIds: field(z.array(Id), '适用型号', 'Models'),
  schedule: field(z.enum(ruleSchedules), '适用时间', 'Hours'),
  ...auditFields,
})
export type WarnRule = z.output<typeof WarnRule>

export const WarnRuleDraft = WarnRule.omit(generatedColumns).extend({
  name: field(nameText(64), '规则名称', 'Rule name'),
  /** Null: the name in both languages. */
  nameEn: field(nameText(64).nullable().optional(), '英文名称', 'English name'),
  priority: field(z.int().min(0).max(1000), '优先级', 'Priority'),
  matchCodes: field(codeList.min(1).max(30), '匹配代码', 'Codes'),
  repeatCount: field(z.int().min(2).max(100).nullable(), '重复次数', 'Repeats'),
  withinSec: field(seconds(86_400), '时长（秒）', 'Within (s)'),
  minConfidence: field(z.number().min(0).max(1).nullable().optional(), '最低可信度', 'Minimum confidence'),
  minDb: field(z.number().min(0).max(200).nullable().optional(), '最低声级（分贝）', 'Minimum loudness (dB)'),
  level: field(z.int().min(1).max(4), '级别', 'Level'),
  reopenWindowSec: field(z.int().min(0).max(3600), '重开时限（秒）', 'Reopen window (s)'),
  recoverCodes: field(codeList.max(30), '恢复代码', 'Recovery codes'),
  t1Sec: field(seconds(86_400), '接警时限（秒）', 'Claim within (s)'),
  t2Sec: field(seconds(86_400), '首次处置时限（秒）', 'First action within (s)'),
  t3Sec: field(seconds(86_400), '危及生命后转警方时限（秒）', 'Hand to police within (s)'),
  t4Sec: field(seconds(86_400), '到场时限（秒）', 'On scene within (s)'),
  t5Sec: field(seconds(604_800), '超时督办（秒）', 'Overdue after (s)'),
  /** Empty lists and no schedule: everywhere and always. */
  deptIds: field(idList.optional(), '适用部门', 'Departments'),
  schoolIds: field(idList.optional(), '适用学校', 'Schools'),
  modelIds: field(idList.optional(), '适用型号', 'Models'),
  schedule: field(z.enum(ruleSchedules).optional(), '适用时间', 'Hours'),
})
export type WarnRuleDraft = z.output<typeof WarnRuleDraft>

export const RuleQuery = PageQuery.extend({
  keyword: field(z.string().max(64).optional(), '规则名称', 'Rule name'),
  class: field(queryList(warnClasses).optional(), '类别', 'Class'),
  enabled: field(queryBool.optional(), '启用', 'Enabled'),
  orderBy: sortable(['name', 'priority', 'level', 'enabled', 'createTime']),
})
export type RuleQuery = z.output<typeof RuleQuery>

const rule = (verb: string) => ({ kind: 'json', permission: `warn:rule:${verb}`, scope: 'none' }) as const

export const warnRules = {
  page: endpoint({
    ...rule('query'),
    method: 'GET',
    path: '/warn/rule/page',
    summary: '接警规则分页',
    summaryEn: 'Alarm rules, by page',
    query: RuleQuery,
    data: page(WarnRule),
  }),
  get: endpoint({
    ...rule('query'),
    method: 'GET',
    path: '/warn/rule/get',
    summary: '接警规则详情',
    summaryEn: 'One alarm rule',
    query: ById,
    data: WarnRule,
  }),
  export: endpoint({
    method: 'GET',
    path: '/warn/rule/export',
    kind: 'file',
    permission: 'warn:rule:export',
    scope: 'none',
    summary: '导出接警规则',
    summaryEn: 'Export alarm rules',
    query: RuleQuery.extend(exportOptions),
    data: z.null(),
  }),
  create: endpoint({
    ...rule('create'),
    method: 'POST',
    path: '/warn/rule/create',
    summary: '新增接警规则',
    summaryEn: 'Create an alarm rule',
    body: WarnRuleDraft,
    data: Id,
  }),
  update: endpoint({
    ...rule('update'),
    method: 'PUT',
    path: '/warn/rule/update',
    summary: '修改接警规则',
    summaryEn: 'Change an alarm rule',
    body: WarnRuleDraft.partial().extend({ id: field(Id, '编号', 'Id'), version: field(z.int(), '版本', 'Version') }),
    data: z.literal(true),
  }),
  delete: endpoint({
    ...rule('delete'),
    method: 'DELETE',
    path: '/warn/rule/delete',
    summary: '删除接警规则',
    summaryEn: 'Delete an alarm rule',
    query: ById,
    data: z.literal(true),
  }),
}
