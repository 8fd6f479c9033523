import { z } from 'zod'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { Mobile, MobileOrMask } from '../access/user-contact.ts'
import { Day, Id, Millis, queryBool, queryId, queryIds, queryInt, queryList } from '../codecs.ts'
import { field, pattern } from '../field.ts'
import { PageQuery, sortable } from '../page.ts'
import { keywordText, nameText } from '../text-fields.ts'
import { employeeStatuses } from './employee-lifecycle.ts'

export const employeeKinds = [
  'TEACHER',
  'SAFETY_OFFICER',
  'GUARD',
  'POLICE',
  'AUX_POLICE',
  'OPERATOR',
  'MAINTAINER',
  'SUPERVISOR',
  'PARENT_VOLUNTEER',
] as const
export type EmployeeKind = (typeof employeeKinds)[number]
export const employeeGenders = ['MALE', 'FEMALE', 'UNKNOWN'] as const
/** How a person can be reached; deliveries use the same values. */
export const employeeChannels = ['INAPP', 'PUSH', 'SMS', 'VOICE', 'EMAIL', 'WECOM_APP'] as const
export type EmployeeChannel = (typeof employeeChannels)[number]

/** Permission to see mobile numbers of others unmasked. */
export const REVEAL_EMPLOYEES_PERMISSION = 'school:employee:reveal'
/** A certificate is warned about so many days before it expires. */
export const CERT_WARNING_DAYS = 30

const time = z
  .string()
  .regex(pattern(/^([01]\d|2[0-3]):[0-5]\d$/, '时间，例如 08:30', 'a time such as 08:30'))
  .nullable()

/** One way to reach somebody; quiet hours may pass midnight, and do not apply to an alarm of level 1. */
export const ReachChannel = z.strictObject({
  channel: field(z.enum(employeeChannels), '渠道', 'Channel'),
  quietFrom: field(time, '免打扰开始', 'Quiet from'),
  quietTo: field(time, '免打扰结束', 'Quiet until'),
})
export type ReachChannel = z.output<typeof ReachChannel>

export const Employee = z.strictObject({
  id: field(Id, '编号', 'Id'),
  deptId: field(Id, '单位', 'Organization'),
  schoolId: field(Id.nullable(), '学校', 'School'),
  employeeNo: field(z.string(), '工号', 'Employee number'),
  name: field(z.string(), '姓名', 'Name'),
  gender: field(z.enum(employeeGenders), '性别', 'Gender'),
  mobile: field(z.string().nullable(), '手机', 'Mobile'),
  mobileVerifiedAt: field(Millis.nullable(), '手机核实时间', 'Mobile verified'),
  kind: field(z.enum(employeeKinds), '类别', 'Kind'),
  post: field(z.string().nullable(), '岗位', 'Post'),
  certNo: field(z.string().nullable(), '证件号', 'Certificate number'),
  certExpiresOn: field(Day.nullable(), '证件到期', 'Certificate expires'),
  backgroundCheckedOn: field(Day.nullable(), '背景审查日期', 'Background checked'),
  status: field(z.enum(employeeStatuses), '状态', 'Status'),
  leftAt: field(Millis.nullable(), '离职时间', 'Left at'),
  userId: field(Id.nullable(), '账号', 'Account'),
  channels: field(z.array(ReachChannel), '通知渠道', 'Channels'),
  remark: field(z.string().nullable(), '备注', 'Remark'),
  ...auditFields,
})
export type Employee = z.output<typeof Employee>

const remark = field(z.string().trim().max(500).nullable(), '备注', 'Remark')

export const EmployeeDraft = Employee.omit({
  ...generatedColumns,
  mobileVerifiedAt: true,
  status: true,
  leftAt: true,
  userId: true,
}).extend({
  employeeNo: field(nameText(32), '工号', 'Employee number'),
  name: field(nameText(30), '姓名', 'Name'),
  mobile: field(Mobile.nullable(), '手机', 'Mobile'),
  post: field(z.string().trim().max(30).nullable(), '岗位', 'Post'),
  certNo: field(z.string().trim().max(40).nullable(), '证件号', 'Certificate number'),
  channels: field(z.array(ReachChannel).max(6), '通知渠道', 'Channels'),
  remark,
  /** Beside the employee's own. */
  schoolIds: field(z.array(Id).max(20), '兼任学校', 'Further schools'),
})
export type EmployeeDraft = z.output<typeof EmployeeDraft>

/** Of a new person; without a school and an organization, those of the user who enters the person. */
export const NewEmployee = EmployeeDraft.partial().required({ employeeNo: true, name: true, kind: true })
export type NewEmployee = z.output<typeof NewEmployee>

/** Absent: unchanged; null: cleared; the mask of the stored number: unchanged. */
export const EmployeeEdit = EmployeeDraft.extend({ mobile: field(MobileOrMask.nullable(), '手机', 'Mobile') })
  .partial()
  .extend({ id: field(Id, '编号', 'Id'), version: field(z.int(), '版本', 'Version') })
export type EmployeeEdit = z.output<typeof EmployeeEdit>

/** `mobile` is masked without `school:employee:reveal`, except for the own one. */
export const EmployeeRow = Employee.extend({
  schoolName: field(z.string().nullable(), '学校', 'School'),
  deptName: field(z.string(), '单位', 'Organization'),
  username: field(z.string().nullable(), '账号', 'Account'),
  /** Whether the account can sign in; null without one. */
  accountEnabled: field(z.boolean().nullable(), '账号启用', 'Account enabled'),
  schoolIds: field(z.array(Id), '兼任学校', 'Further schools'),
  /** Expired, or within thirty days, of a person who has not left. */
  certDue: field(z.boolean(), '证件临期', 'Certificate due'),
  /** When the notice about this expiry date was sent; null before. */
  certNoticedAt: field(Millis.nullable(), '到期提醒', 'Expiry notice sent'),
})
export type EmployeeRow = z.output<typeof EmployeeRow>

export const EmployeeQuery = PageQuery.extend({
  /** In the name, the number or the mobile as the reader sees it. */
  keyword: field(keywordText(30).optional(), '姓名、工号或手机', 'Name, number or mobile'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  kind: field(queryList(employeeKinds).optional(), '类别', 'Kind'),
  status: field(queryList(employeeStatuses).optional(), '状态', 'Status'),
  certDue: field(queryBool.optional(), '证件临期', 'Certificate due'),
  hasAccount: field(queryBool.optional(), '有账号', 'Has an account'),
  /** Without a choice people are listed by school, then by name. */
  orderBy: sortable(['name', 'employeeNo', 'deptName', 'certExpiresOn']),
})
export type EmployeeQuery = z.output<typeof EmployeeQuery>

/** For a select: employees who work there. */
export const EmployeeOptionQuery = z.strictObject({
  keyword: field(keywordText(30).optional(), '姓名或工号', 'Name or number'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  deptId: field(queryId.optional(), '单位', 'Organization'),
  kind: field(queryList(employeeKinds).optional(), '类别', 'Kind'),
  /** These employees, whatever their status, so that a selected one has a name. */
  ids: field(queryIds.optional(), '编号', 'Ids'),
  pageSize: field(queryInt(1, 200).optional(), '每页条数', 'Page size'),
})
export type EmployeeOptionQuery = z.output<typeof EmployeeOptionQuery>

export const EmployeeOption = z.strictObject({
  id: Id,
  name: z.string(),
  employeeNo: z.string(),
  kind: z.enum(employeeKinds),
  post: z.string().nullable(),
  schoolId: Id.nullable(),
  deptId: Id,
  userId: Id.nullable(),
})
export type EmployeeOption = z.output<typeof EmployeeOption>

/** The responsibilities of a person, to be handed over before leaving. */
export const nominations = [
  'PRINCIPAL',
  'SAFETY_OFFICER',
  'LEGAL_VICE_HEAD',
  'CONTACT',
  'DUTY_PHONE',
  'DEPT_LEADER',
  'RECIPIENT',
  'LAST_RECIPIENT',
  'UNIT',
  'POLICY',
  'SHIFT',
] as const
export const Nomination = z.strictObject({
  what: field(z.enum(nominations), '被指定为', 'Named as'),
  where: field(z.string(), '在', 'At'),
  schoolId: field(Id.nullable(), '学校', 'School'),
  /** Of shifts at one post: those that are not over, and when the first of them begins. */
  shifts: field(z.strictObject({ count: z.int(), fromAt: Millis }).optional(), '后续班次', 'Shifts ahead'),
})
export type Nomination = z.output<typeof Nomination>
