import { WarnRule } from '@tocsin/contract/alarm/rule'
import { DeptRow } from '@tocsin/contract/access/dept'
import { CodegenTable } from '@tocsin/contract/codegen/codegen'
import { ConfigRow } from '@tocsin/contract/settings/config'
import { DictDataRow, DictTypeRow } from '@tocsin/contract/settings/dict'
import { type Lang, labelIn } from '@tocsin/contract/field'
import { FileRow } from '@tocsin/contract/files/file'
import { OnlineSessionRow } from '@tocsin/contract/access/online'
import { MenuDraft } from '@tocsin/contract/access/rights/menu'
import { Notice } from '@tocsin/contract/notices/notice'
import { RoleRow } from '@tocsin/contract/access/rights/role'
import { UserRow } from '@tocsin/contract/access/user'
import type { z } from 'zod'
import type { EnumKind } from '#texts/enum-labels.ts'

/** The entity of each table that the administration knows. */
const schemas: Record<string, z.ZodObject> = {
  users: UserRow,
  role: RoleRow,
  menu: MenuDraft,
  dept: DeptRow,
  dict_type: DictTypeRow,
  dict_data: DictDataRow,
  config: ConfigRow,
  session: OnlineSessionRow,
  notice: Notice,
  file: FileRow,
  warn_rule: WarnRule,
  codegen_table: CodegenTable,
}

/** Columns with another name in the entity or none, and the fields of a read. */
const others: Record<string, readonly [zh: string, en: string]> = {
  id: ['编号', 'Id'],
  enabled: ['状态（启用）', 'Enabled'],
  builtIn: ['系统内置', 'Built in'],
  userId: ['用户编号', 'User id'],
  deptId: ['部门编号', 'Department id'],
  roleIds: ['角色编号', 'Role ids'],
  menuIds: ['菜单编号', 'Menu ids'],
  dataScopeDeptIds: ['指定部门编号', 'Chosen department ids'],
  secondFactor: ['二次验证', 'Second factor'],
  mustChangePassword: ['须修改密码', 'Must change password'],
  loginIp: ['最后登录地址', 'Last address'],
  loginAt: ['最后登录时间', 'Last sign-in'],
  ip: ['地址', 'Address'],
  call: ['接口', 'Call'],
  filter: ['查询条件', 'Filter'],
  count: ['条数', 'Rows'],
  ids: ['编号', 'Ids'],
  rows: ['条数', 'Rows'],
  type: ['类型', 'Type'],
  pending: ['待审核', 'Waiting for approval'],
  avatarId: ['头像文件', 'Picture'],
  publisherId: ['发布人编号', 'Publisher id'],
  regionCode: ['行政区划代码', 'Region code'],
  importJobId: ['导入任务编号', 'Import job'],
  onlyGood: ['只导入正确的行', 'Good rows only'],
  updateSupport: ['更新已存在的', 'Existing ones are updated'],
  create: ['新增', 'New'],
  update: ['更新', 'Changed'],
  same: ['无变化', 'The same'],
  bad: ['错误', 'Wrong'],
  image: ['是否图片', 'A picture'],
  sha256: ['内容摘要（SHA-256）', 'Digest (SHA-256)'],
  ownerId: ['上传人编号', 'Owner id'],
  state: ['状态', 'State'],
  userAgent: ['浏览器标识', 'Browser'],
  provider: ['提供方', 'Provider'],
  account: ['账号', 'Account'],
}

/** Enum columns, by table. */
const kinds: Record<string, Record<string, EnumKind>> = {
  users: { sex: 'sex', type: 'userType' },
  role: { dataScope: 'dataScope' },
  menu: { type: 'menuType' },
  dept: { kind: 'deptKind' },
  config: { valueType: 'configType' },
  notice: { level: 'noticeLevel', target: 'noticeTarget', state: 'noticeState' },
  file: { purpose: 'filePurpose' },
  job: { state: 'jobState' },
  warn_rule: { class: 'warnClass', level: 'level', condition: 'ruleCondition', dedupBy: 'dedup' },
}

/** The enum labels of a column; undefined for other columns. */
export const enumKindOf = (subject: string | null, key: string): EnumKind | undefined => kinds[subject ?? '']?.[key]

/** The label of a column; a column without a label is shown unchanged. */
export const fieldName = (subject: string | null, key: string, lang: Lang): string => {
  const schema = schemas[subject ?? '']?.shape[key]
  // See ui/form.ts fieldIssues for the type of a shape.
  const label = schema && labelIn(lang, schema as z.ZodType)
  return label || others[key]?.[lang === 'en' ? 1 : 0] || key
}
