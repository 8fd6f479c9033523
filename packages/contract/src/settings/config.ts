import { z } from 'zod'
import { Id, queryRange } from '../codecs.ts'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { endpoint } from '../endpoint.ts'
import { entityEndpoints } from '../audit/entity.ts'
import { field, labelled, pattern } from '../field.ts'
import { PageQuery, sortable } from '../page.ts'
import { RoleType } from './wire-codecs.ts'
import { nameText } from '../text-fields.ts'

export const configTypes = ['STRING', 'INT', 'BOOLEAN', 'JSON'] as const
export type ConfigType = (typeof configTypes)[number]

const id = field(Id, '参数主键', 'Setting id')

/** The allowed values of a built-in setting, for its form; the server checks them again. */
const ConfigLimits = z.strictObject({
  min: z.int().optional(),
  max: z.int().optional(),
  url: z.literal(true).optional(),
  choices: z.array(z.string()).optional(),
  /** The value is a mask; sent back it means unchanged. */
  secret: z.literal(true).optional(),
})

export const ConfigRow = z.strictObject({
  id,
  category: field(z.string(), '参数分类', 'Category'),
  name: field(z.string(), '参数名称', 'Name'),
  key: field(z.string(), '参数键名', 'Key'),
  value: field(z.string(), '参数键值', 'Value'),
  valueType: field(labelled(z.enum(configTypes), 'configType'), '值类型', 'Type of value'),
  /** 1 built in, 2 user-defined (wire 1.7); true is built in on both sides. */
  type: field(RoleType, '系统内置', 'Built in'),
  visible: field(z.boolean(), '是否可见', 'Visible'),
  remark: field(z.string().nullable(), '备注', 'Remark'),
  /** English name and remark of a built-in setting, until a user edits them. */
  nameEn: field(z.string().nullable(), '英文名称', 'English name'),
  remarkEn: field(z.string().nullable(), '英文备注', 'English remark'),
  limits: field(ConfigLimits.nullable(), '取值限制', 'Limits'),
  ...auditFields,
})
export type ConfigRow = z.output<typeof ConfigRow>

export const ConfigDraft = ConfigRow.omit({
  ...generatedColumns,
  type: true,
  nameEn: true,
  remarkEn: true,
  limits: true,
}).extend({
  category: field(nameText(50), '参数分类', 'Category'),
  name: field(nameText(100), '参数名称', 'Name'),
  key: field(
    z
      .string()
      .max(100)
      .regex(
        pattern(
          /^[A-Za-z][A-Za-z0-9._-]*$/,
          '字母开头的字母、数字、.、- 或 _，例如 alarm.sound',
          'a letter followed by letters, digits, dots, - or _, such as alarm.sound',
        ),
      ),
    '参数键名',
    'Key',
  ),
  /** Null is the empty text, allowed for a STRING only: the client sends no empty texts (SPEC 5). */
  value: field(z.string().trim().max(2000).nullable(), '参数键值', 'Value'),
  remark: field(z.string().trim().max(500).nullable(), '备注', 'Remark'),
})
export const ConfigQuery = PageQuery.extend({
  category: field(z.string().max(50).optional(), '参数分类', 'Category'),
  name: field(z.string().max(100).optional(), '参数名称', 'Name'),
  key: field(z.string().max(100).optional(), '参数键名', 'Key'),
  /** 1 built in, 2 user-defined. */
  type: field(z.enum(['1', '2']).optional(), '系统内置', 'Built in'),
  createTime: field(queryRange.optional(), '创建时间', 'Created'),
  orderBy: sortable(['category', 'name', 'key', 'createTime']),
})
export type ConfigQuery = z.output<typeof ConfigQuery>

export const configs = {
  ...entityEndpoints({
    path: '/infra/config',
    permission: 'infra:config',
    scope: 'none',
    title: '参数',
    titleEn: 'setting',
    titlesEn: 'Settings',
    row: ConfigRow,
    draft: ConfigDraft,
    optional: { valueType: true, remark: true },
    query: ConfigQuery,
    verbs: ['export'],
  }),
  valueByKey: endpoint({
    kind: 'json',
    permission: 'token',
    scope: 'none',
    method: 'GET',
    path: '/infra/config/get-value-by-key',
    summary: '按键名取参数值',
    summaryEn: 'The value of a visible setting; null when there is none',
    query: z.strictObject({ key: field(z.string().max(100), '参数键名', 'Key') }),
    data: z.string().nullable(),
  }),
  refresh: endpoint({
    kind: 'json',
    permission: 'infra:config:refresh',
    scope: 'none',
    method: 'POST',
    path: '/infra/config/refresh',
    also: [{ method: 'PATCH', path: '/api/v1/config' }],
    summary: '刷新参数缓存',
    summaryEn: 'Make every node read its settings again',
    data: z.literal(true),
  }),
}
