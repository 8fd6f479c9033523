import { z } from 'zod'
import { code } from '../access/sign-in/contact.ts'
import { newPassword, username } from '../access/user.ts'
import { Id, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { importEndpoints, ImportQuery } from '../files/import.ts'
import { ById, page } from '../page.ts'
import { keywordText } from '../text-fields.ts'
import {
  EmployeeDraft,
  EmployeeEdit,
  EmployeeOption,
  EmployeeOptionQuery,
  EmployeeQuery,
  EmployeeRow,
  NewEmployee,
  Nomination,
} from './employee.ts'
import { employeeMachine, type EmployeeVerb } from './employee-lifecycle.ts'

const id = field(Id, '编号', 'Id')
const version = field(z.int(), '版本', 'Version')
const reason = field(z.string().trim().min(1).max(200), '原因', 'Reason')
const One = z.strictObject({ id, version })

const call = (verb: string) => ({ kind: 'json', permission: `school:employee:${verb}`, scope: 'school' }) as const

/** Creates an account for an employee; the kind decides the role, if the caller may assign roles. */
export const EmployeeAccountDraft = One.extend({ username, password: newPassword })
export type EmployeeAccountDraft = z.output<typeof EmployeeAccountDraft>

/** Links an existing account, or none. */
export const EmployeeLink = One.extend({ userId: field(Id.nullable(), '账号', 'Account') })

export const EmployeeAccountQuery = z.strictObject({
  id: field(queryId, '编号', 'Id'),
  keyword: field(keywordText(30).optional(), '用户名或姓名', 'User name or name'),
})
export type EmployeeAccountQuery = z.output<typeof EmployeeAccountQuery>

const LinkableAccount = z.strictObject({ id: Id, username: z.string(), nickname: z.string() })
export type LinkableAccount = z.output<typeof LinkableAccount>

export const employees = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/school/employee/page',
    summary: '人员分页',
    summaryEn: 'People, by page',
    query: EmployeeQuery,
    data: page(EmployeeRow),
  }),
  get: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/school/employee/get',
    summary: '人员详情',
    summaryEn: 'One person',
    query: ById,
    data: EmployeeRow,
  }),
  simpleList: endpoint({
    ...call('query'),
    permission: 'token',
    method: 'GET',
    path: '/school/employee/simple-list',
    summary: '人员选项',
    summaryEn: 'People to choose from, by name; those who have left only by their ids',
    query: EmployeeOptionQuery,
    data: z.array(EmployeeOption),
  }),
  namedAs: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/school/employee/named-as',
    summary: '被指定为',
    summaryEn: 'Where a person is named, such as a contact or a recipient',
    query: z.strictObject({ id: field(queryId, '编号', 'Id') }),
    data: z.array(Nomination),
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/school/employee/create',
    summary: '新增人员',
    summaryEn: 'Create a person',
    body: NewEmployee,
    data: Id,
  }),
  update: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/school/employee/update',
    summary: '修改人员',
    summaryEn: 'Change a person',
    body: EmployeeEdit,
    data: z.literal(true),
  }),
  delete: endpoint({
    ...call('delete'),
    method: 'DELETE',
    path: '/school/employee/delete',
    summary: '删除没有账号的人员',
    summaryEn: 'Delete a person without an account whom nothing names',
    query: ById,
    data: z.literal(true),
  }),
  createAccount: endpoint({
    ...call('account'),
    method: 'POST',
    path: '/school/employee/create-account',
    summary: '开通账号，首次登录须改密码',
    summaryEn: 'Create an account for a person, who changes the password at the first sign-in',
    body: EmployeeAccountDraft,
    data: Id,
  }),
  linkAccount: endpoint({
    ...call('account'),
    method: 'PUT',
    path: '/school/employee/link-account',
    summary: '关联已有账号，或取消关联',
    summaryEn: 'Link an existing account to a person, or none',
    body: EmployeeLink,
    data: z.literal(true),
  }),
  accounts: endpoint({
    ...call('account'),
    method: 'GET',
    path: '/school/employee/accounts',
    summary: '可关联的账号',
    summaryEn: 'Enabled accounts of the organization that no person has, 50 at most; those of the same name first',
    query: EmployeeAccountQuery,
    data: z.array(LinkableAccount),
  }),
  sendMobileCode: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/school/employee/send-mobile-code',
    summary: '向人员的手机发送验证码',
    summaryEn: 'Send a code to the mobile number of a person',
    body: z.strictObject({ id }),
    data: z.literal(true),
  }),
  verifyMobile: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/school/employee/verify-mobile',
    summary: '凭验证码核实人员的手机',
    summaryEn: 'Verify the mobile number of a person by a code',
    body: One.extend({ code }),
    data: z.literal(true),
  }),
  ...exportEndpoints({
    path: '/school/employee',
    permission: 'school:employee:export',
    scope: 'school',
    title: '人员',
    titleEn: 'People',
    query: EmployeeQuery,
  }),
}

const verb = (name: EmployeeVerb) =>
  ({
    method: 'POST',
    path: `/school/employee/${name}`,
    kind: 'json',
    permission: employeeMachine[name].permission,
    scope: 'school',
    data: z.literal(true),
  }) as const

/** The verbs of `employeeMachine`. */
export const employeeVerbs = {
  absent: endpoint({ ...verb('absent'), summary: '休假', summaryEn: 'Put on leave', body: One }),
  back: endpoint({ ...verb('back'), summary: '销假', summaryEn: 'Back from leave', body: One }),
  leave: endpoint({
    ...verb('leave'),
    summary: '离职，账号同时停用',
    summaryEn: 'Mark as left; the account is disabled at once',
    body: One.extend({ reason }),
  }),
  rejoin: endpoint({ ...verb('rejoin'), summary: '复职', summaryEn: 'Employ again', body: One }),
}

/** The columns of the employee spreadsheet. */
export const EmployeeImportDraft = EmployeeDraft.omit({ deptId: true, channels: true, schoolIds: true })
  .partial()
  .required({ employeeNo: true, name: true, kind: true })
export type EmployeeImportDraft = z.output<typeof EmployeeImportDraft>

export const EmployeeSheetRow = z.strictObject({
  employeeNo: field(z.string(), '工号', 'Employee number'),
  name: field(z.string(), '姓名', 'Name'),
  kind: field(z.string(), '类别', 'Kind'),
  schoolId: field(z.string(), '学校', 'School'),
  gender: field(z.string(), '性别', 'Gender'),
  mobile: field(z.string(), '手机', 'Mobile'),
  post: field(z.string(), '岗位', 'Post'),
  certNo: field(z.string(), '证件号', 'Certificate number'),
  certExpiresOn: field(z.string(), '证件到期', 'Certificate expires'),
  backgroundCheckedOn: field(z.string(), '背景审查日期', 'Background checked'),
  remark: field(z.string(), '备注', 'Remark'),
})

export const employeeImports = importEndpoints({
  permission: 'school:employee:import',
  scope: 'school',
  path: '/school/employee',
  title: '人员',
  titleEn: 'People',
  query: ImportQuery,
})
