import { z } from 'zod'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { Id, Millis, queryBool, queryId, queryList } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { keywordText, nameText } from '../text-fields.ts'

export const postTypes = ['GATE', 'PATROL', 'SCHOOL_RUN', 'DORM', 'MONITOR_ROOM', 'SEAT'] as const
export type PostType = (typeof postTypes)[number]

export const MAX_EQUIPMENT = 20

export const Equipment = z.strictObject({
  name: field(nameText(32), '装备', 'Equipment'),
  required: field(z.int().min(0).max(999), '应有', 'Required'),
  present: field(z.int().min(0).max(999), '实有', 'Present'),
})
export type Equipment = z.output<typeof Equipment>

/** A post of a school, or of a department such as the seats of a command centre. */
export const SecurityPost = z.strictObject({
  id: field(Id, '编号', 'Id'),
  schoolId: field(Id.nullable(), '学校', 'School'),
  deptId: field(Id.nullable(), '部门', 'Department'),
  placeId: field(Id.nullable(), '位置', 'Place'),
  name: field(z.string(), '岗位', 'Post'),
  type: field(z.enum(postTypes), '类型', 'Type'),
  weekdays: field(z.int(), '星期', 'Weekdays'),
  fromMin: field(z.int(), '上岗时间', 'From'),
  toMin: field(z.int(), '下班时间', 'To'),
  headcount: field(z.int(), '应到人数', 'Required people'),
  equipment: field(z.array(Equipment), '装备', 'Equipment'),
  /** The content of the QR code at the post. */
  checkCode: field(z.string(), '签到码', 'Check-in code'),
  enabled: field(z.boolean(), '启用', 'In use'),
  remark: field(z.string().nullable(), '备注', 'Remark'),
  ...auditFields,
})
export type SecurityPost = z.output<typeof SecurityPost>

/** For the fields of `create` and `update`; exactly one of `schoolId` and `deptId` is given. */
export const SecurityPostDraft = SecurityPost.omit({ ...generatedColumns, checkCode: true }).extend({
  name: field(nameText(64), '岗位', 'Post'),
  weekdays: field(z.int().min(1).max(127), '星期', 'Weekdays'),
  fromMin: field(z.int().min(0).max(1439), '上岗时间', 'From'),
  toMin: field(z.int().min(0).max(1440), '下班时间', 'To'),
  headcount: field(z.int().min(1).max(200), '应到人数', 'Required people'),
  equipment: field(z.array(Equipment).max(MAX_EQUIPMENT), '装备', 'Equipment'),
  remark: field(z.string().trim().max(200).nullable(), '备注', 'Remark'),
})
export type SecurityPostDraft = z.output<typeof SecurityPostDraft>

export const SecurityPostEdit = SecurityPostDraft.partial().extend({
  id: field(Id, '编号', 'Id'),
  version: field(z.int().optional(), '版本', 'Version'),
})
export type SecurityPostEdit = z.output<typeof SecurityPostEdit>

export const SecurityPostRow = SecurityPost.omit({ checkCode: true }).extend({
  ownerName: field(z.string(), '单位', 'Unit'),
  placeName: field(z.string().nullable(), '位置', 'Place'),
  planned: field(z.int(), '排班', 'Planned'),
  present: field(z.int(), '在岗', 'On duty'),
  missing: field(z.int(), '缺少装备', 'Equipment missing'),
  equipmentCheckedAt: field(Millis.nullable(), '上次检查', 'Last check'),
})
export type SecurityPostRow = z.output<typeof SecurityPostRow>

export const SecurityPostQuery = PageQuery.extend({
  keyword: field(keywordText(64).optional(), '岗位', 'Post'),
  type: field(queryList(postTypes).optional(), '类型', 'Type'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  short: field(queryBool.optional(), '缺人', 'Short of people'),
  lacking: field(queryBool.optional(), '缺装备', 'Equipment missing'),
  enabled: field(queryBool.optional(), '启用', 'In use'),
  orderBy: sortable(['name', 'ownerName', 'headcount', 'createTime']),
})
export type SecurityPostQuery = z.output<typeof SecurityPostQuery>

const call = (verb: string) => ({ kind: 'json', permission: `security:post:${verb}`, scope: 'school' }) as const

export const securityPosts = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/security/post/page',
    summary: '岗位分页',
    summaryEn: 'Posts, by page',
    query: SecurityPostQuery,
    data: page(SecurityPostRow),
  }),
  get: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/security/post/get',
    summary: '岗位详情',
    summaryEn: 'One post',
    query: ById,
    data: SecurityPostRow,
  }),
  simpleList: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/security/post/simple-list',
    summary: '岗位选项',
    summaryEn: 'Posts to choose from',
    query: z.strictObject({ schoolId: field(queryId.optional(), '学校', 'School') }),
    data: z.array(z.strictObject({ id: Id, name: z.string(), ownerName: z.string(), type: z.enum(postTypes) })),
  }),
  checkCode: endpoint({
    ...call('update'),
    method: 'GET',
    path: '/security/post/check-code',
    summary: '岗位签到码',
    summaryEn: 'Check-in code of a post, to print',
    query: ById,
    data: z.strictObject({ checkCode: z.string() }),
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/security/post/create',
    summary: '新增岗位',
    summaryEn: 'Create a post',
    body: SecurityPostDraft,
    data: Id,
  }),
  /** The gate posts that a school lacks by its rule. */
  generate: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/security/post/generate',
    summary: '按标准生成岗位',
    summaryEn: 'Create the posts that the rule asks for',
    body: z.strictObject({ schoolId: field(Id, '学校', 'School') }),
    data: z.int(),
  }),
  update: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/security/post/update',
    summary: '修改岗位',
    summaryEn: 'Change a post',
    body: SecurityPostEdit,
    data: z.literal(true),
  }),
  delete: endpoint({
    ...call('delete'),
    method: 'DELETE',
    path: '/security/post/delete',
    summary: '删除岗位',
    summaryEn: 'Delete a post without shifts',
    query: ById,
    data: z.literal(true),
  }),
  ...exportEndpoints({
    permission: 'security:post:export',
    scope: 'school',
    path: '/security/post',
    title: '岗位',
    titleEn: 'Posts',
    query: SecurityPostQuery,
  }),
}
