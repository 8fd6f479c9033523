import { z } from 'zod'
import { code } from '../access/sign-in/contact.ts'
import { Id } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ById } from '../page.ts'
import { SchoolCreateDraft, SchoolDraft, SchoolQuery } from './school.ts'
import { schoolMachine, type SchoolVerb } from './school-status.ts'

const id = field(Id, '编号', 'Id')
const version = field(z.int(), '版本', 'Version')
const position = field(z.int().min(1).max(10), '联系人序号', 'Position of the contact')
const reason = field(z.string().trim().min(1).max(200), '原因', 'Reason')

const call = (verb: string) => ({ kind: 'json', permission: `school:school:${verb}`, scope: 'school' }) as const

const transition = <B extends z.ZodObject>(verb: SchoolVerb, body: B, [summary, summaryEn]: [string, string]) =>
  endpoint({
    method: 'POST',
    path: `/school/school/${verb}`,
    kind: 'json',
    permission: schoolMachine[verb].permission,
    scope: 'school',
    summary,
    summaryEn,
    body,
    data: z.literal(true),
  })

const One = z.strictObject({ id, version })

const Option = z.strictObject({ id: Id, name: z.string() })

export const schoolEdits = {
  /** Departments that a form offers. All stations are public; districts are limited to visible ones. */
  options: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/school/school/form-options',
    summary: '可选的教育部门与派出所',
    summaryEn: 'Education departments and police stations to choose from',
    data: z.strictObject({ districts: z.array(Option), stations: z.array(Option) }),
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/school/school/create',
    summary: '新增学校，部门一并建立',
    summaryEn: 'Create a school together with its department',
    body: SchoolCreateDraft,
    data: Id,
  }),
  update: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/school/school/update',
    summary: '修改学校',
    summaryEn: 'Change a school',
    body: SchoolDraft.partial().extend({ id, version }),
    data: z.literal(true),
  }),
  delete: endpoint({
    ...call('delete'),
    method: 'DELETE',
    path: '/school/school/delete',
    summary: '删除没有任何数据的学校及其部门',
    summaryEn: 'Delete a school that nothing refers to, with its department',
    query: ById,
    data: z.literal(true),
  }),
  /** To the mobile number of a contact, who reads the code back on the phone. */
  sendContactCode: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/school/school/send-contact-code',
    summary: '向应急联系人的手机发送验证码',
    summaryEn: 'Send a code to the mobile number of an emergency contact',
    body: z.strictObject({ id, position }),
    data: z.literal(true),
  }),
  verifyContact: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/school/school/verify-contact',
    summary: '核验应急联系人的号码：凭验证码，或由本人通话确认',
    summaryEn: 'Verify the number of an emergency contact, by a code or by having spoken',
    body: One.extend({ position, code: code.optional() }),
    data: z.literal(true),
  }),
  activate: transition('activate', One, ['启用学校', 'Activate a school']),
  suspend: transition('suspend', One.extend({ reason }), ['停用学校', 'Suspend a school']),
  resume: transition('resume', One, ['恢复使用', 'Resume a school']),
  close: transition('close', One.extend({ reason }), ['关闭学校', 'Close a school']),
  ...exportEndpoints({
    path: '/school/school',
    permission: 'school:school:export',
    scope: 'school',
    title: '学校',
    titleEn: 'Schools',
    query: SchoolQuery,
  }),
}
