import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { EmergencyContacts } from '../school/contact.ts'
import { exportOptions } from '../export.ts'
import { field, pattern } from '../field.ts'
import { attachmentDrafts, attachmentList } from '../files/attachment.ts'
import { ById, page } from '../page.ts'
import { nameText, phoneText } from '../text-fields.ts'
import { WarnLog } from './log.ts'
import { falseDispositions, stateMachine, resolveDispositions, type Verb } from './state-machine.ts'
import { DeskRow, Occurrence, RecordQuery, DisplayReceipt, WarnRecordRow } from './record.ts'

const id = field(Id, '编号', 'Id')
const version = field(z.int(), '版本', 'Version')
const note = field(z.string().trim().min(1).max(500), '说明', 'Note')
const reason = field(z.string().trim().min(1).max(200), '理由', 'Reason')
const maybeNote = field(z.string().trim().max(500).nullable().optional(), '说明', 'Note')
const cause = field(
  z
    .string()
    .regex(/^[A-Z0-9_]{2,30}$/)
    .nullable()
    .optional(),
  '原因',
  'Cause',
)

const responderIds = field(z.array(Id).min(1).max(20), '派出人员', 'Sent')

/** Somebody who is not in the system and was called: both, or neither. */
const told = {
  toldName: field(nameText(30).nullable().optional(), '电话告知（姓名）', 'Told by telephone (name)'),
  toldPhone: field(
    phoneText()
      .regex(pattern(/^\+?\d{3,18}$/, '电话号码，例如 13800138000', 'a telephone number such as 13800138000'))
      .nullable()
      .optional(),
    '联系电话',
    'Telephone number',
  ),
}

const read = { kind: 'json', permission: 'warn:record:query', scope: 'school' } as const

/** A business verb: `POST warn/record/<verb>` with the id, the version seen, and its arguments; returns the record. */
const verb = <const P extends `/warn/record/${string}`, const S extends z.ZodRawShape>(
  name: Verb,
  path: P,
  shape: S,
  words: { zh: string; en: string },
) =>
  endpoint({
    method: 'POST',
    path,
    kind: 'json',
    permission: stateMachine[name].permission,
    scope: 'school',
    summary: words.zh,
    summaryEn: words.en,
    body: z.strictObject({ id, ...shape }),
    data: WarnRecordRow,
  })

const Other = z.strictObject({ id: Id, no: z.string() })

/** Of the school of a record, for every user who sees the record. */
export const RecordSchool = z.strictObject({
  address: field(z.string().nullable(), '地址', 'Address'),
  stationName: field(z.string().nullable(), '辖区派出所', 'Police station'),
  studentCount: field(z.int(), '学生数', 'Pupils'),
  boarderCount: field(z.int(), '寄宿生数', 'Boarders'),
})
export type RecordSchool = z.output<typeof RecordSchool>

export const RecordDetail = z.strictObject({
  record: WarnRecordRow,
  school: RecordSchool.nullable(),
  occurrences: z.array(Occurrence),
  /** More occurrences exist than the response has (the newest 200). */
  occurrencesCut: z.boolean(),
  log: z.array(WarnLog),
  /** Attachments of notes, of the resolution and of the review; a log entry names its files. */
  attachments: attachmentList,
  sightings: z.array(DisplayReceipt),
  /** The records merged into it, and the record it was merged into. */
  merged: z.array(Other),
  mergedInto: Other.nullable(),
  /** The closed record that it continues, or the open one of its device at another place; and the records that name it so. */
  linked: Other.nullable(),
  linkedFrom: z.array(Other),
})
export type RecordDetail = z.output<typeof RecordDetail>

/** The contacts at the school of a record, in calling order, with numbers as the reader may see them. */
export const RecordContacts = z.strictObject({ dutyPhone: z.string().nullable(), contacts: EmergencyContacts })
export type RecordContacts = z.output<typeof RecordContacts>

/**
 * All open records that the caller can see; the desk refetches them on every change. `now` is the server's clock;
 * `moreDue`: unowned ones among `more`; `lateSec`: by how many seconds reminders and escalations of any record are
 * overdue; null: they run on time.
 */
export const DeskQueue = z.strictObject({
  now: Millis,
  list: z.array(DeskRow),
  more: z.int(),
  moreDue: z.int(),
  lateSec: z.int().nullable(),
})
export type DeskQueue = z.output<typeof DeskQueue>
/** At most this many rows, the reader's own first and then the most urgent; the rest is counted in `more`. */
export const DESK_LIMIT = 500

export const warnRecords = {
  page: endpoint({
    ...read,
    method: 'GET',
    path: '/warn/record/page',
    summary: '警情记录分页',
    summaryEn: 'Alarm records, by page',
    query: RecordQuery,
    data: page(WarnRecordRow),
  }),
  get: endpoint({
    ...read,
    method: 'GET',
    path: '/warn/record/get',
    summary: '警情记录详情',
    summaryEn: 'One alarm with signals, log and display receipts',
    query: ById,
    data: RecordDetail,
  }),
  contacts: endpoint({
    ...read,
    method: 'GET',
    path: '/warn/record/contacts',
    summary: '警情学校的联系人',
    summaryEn: 'Contacts of the school of an alarm',
    query: ById,
    data: RecordContacts,
  }),
  desk: endpoint({
    ...read,
    method: 'GET',
    path: '/warn/record/desk',
    summary: '接警台队列',
    summaryEn: 'Open alarms of the desk',
    data: DeskQueue,
  }),
  export: endpoint({
    method: 'GET',
    path: '/warn/record/export',
    kind: 'file',
    permission: 'warn:record:export',
    scope: 'school',
    summary: '导出警情记录',
    summaryEn: 'Export alarm records',
    query: RecordQuery.extend(exportOptions),
    data: z.null(),
  }),
  cap: endpoint({
    method: 'GET',
    path: '/warn/record/cap',
    kind: 'file',
    permission: 'warn:record:export',
    scope: 'school',
    summary: '导出一条警情（CAP 1.2）',
    summaryEn: 'Export one alarm as a CAP 1.2 message',
    query: ById,
    data: z.null(),
  }),
  /** Users who can receive a record: enabled, may claim, and see its school. For users who may hand it over. */
  assignees: endpoint({
    ...read,
    permission: stateMachine.reassign.permission,
    method: 'GET',
    path: '/warn/record/assignees',
    summary: '可转交人员',
    summaryEn: 'People an alarm can be reassigned to',
    query: ById,
    data: z.array(z.strictObject({ id: Id, name: z.string() })),
  }),
  claim: verb('claim', '/warn/record/claim', {}, { zh: '接警', en: 'Claim' }),
  take: verb('take', '/warn/record/take', {}, { zh: '接手', en: 'Take over' }),
  release: verb('release', '/warn/record/release', {}, { zh: '退回队列', en: 'Release' }),
  reassign: verb(
    'reassign',
    '/warn/record/reassign',
    { version, userId: field(Id, '转交给', 'Give to'), reason: reason.optional() },
    { zh: '转交', en: 'Reassign' },
  ),
  verify: verb(
    'verify',
    '/warn/record/verify',
    { version, validation: field(z.int().min(0).max(4), '核实', 'Verification'), note: maybeNote },
    { zh: '核实', en: 'Verify' },
  ),
  dispatch: verb(
    'dispatch',
    '/warn/record/dispatch',
    {
      version,
      /** Recipients of the notification. At least they, somebody told by telephone, or `guards` must be given. */
      responderIds: responderIds.optional(),
      ...told,
      /** For other systems: free text. */
      guards: field(z.string().trim().min(1).max(100).optional(), '派出人员', 'Sent'),
      note: maybeNote,
    },
    { zh: '派人', en: 'Send' },
  ),
  sendMore: verb(
    'sendMore',
    '/warn/record/send-more',
    { version, responderIds: responderIds.optional(), ...told, note: maybeNote },
    { zh: '增派', en: 'Send more' },
  ),
  arrive: verb('arrive', '/warn/record/arrive', { version, note: maybeNote }, { zh: '到场', en: 'Arrive' }),
  note: verb('note', '/warn/record/note', { version, note, attachments: attachmentDrafts }, { zh: '备注', en: 'Note' }),
  escalate: verb('escalate', '/warn/record/escalate', { version, reason }, { zh: '转警方', en: 'Hand to police' }),
  returned: verb('returned', '/warn/record/returned', { version, reason }, { zh: '退回学校', en: 'Return to school' }),
  resolve: verb(
    'resolve',
    '/warn/record/resolve',
    {
      version,
      disposition: field(z.enum(resolveDispositions), '处置结果', 'Disposition'),
      causeCode: cause,
      note,
      attachments: attachmentDrafts,
      /** In place of the device's manual reset: the reason of a shift lead (DESIGN 7). */
      overrideReason: reason.nullable().optional(),
    },
    { zh: '处置完成', en: 'Resolve' },
  ),
  false: verb(
    'false',
    '/warn/record/false',
    { version, disposition: field(z.enum(falseDispositions), '处置结果', 'Disposition'), causeCode: cause, note },
    { zh: '标记误报', en: 'Mark as false alarm' },
  ),
  confirmFalse: verb(
    'confirmFalse',
    '/warn/record/confirm-false',
    { version },
    { zh: '确认误报', en: 'Confirm a false alarm' },
  ),
  refuseFalse: verb(
    'refuseFalse',
    '/warn/record/refuse-false',
    { version, reason },
    { zh: '不认可误报', en: 'Reject a false alarm' },
  ),
  merge: verb(
    'merge',
    '/warn/record/merge',
    { version, intoId: field(Id, '并入', 'Merge into') },
    { zh: '合并', en: 'Merge' },
  ),
  close: verb(
    'close',
    '/warn/record/close',
    { version, note: maybeNote, attachments: attachmentDrafts },
    { zh: '结案', en: 'Close' },
  ),
  reject: verb('reject', '/warn/record/reject', { version, reason }, { zh: '退回重办', en: 'Send back' }),
  reopen: verb('reopen', '/warn/record/reopen', { version, reason }, { zh: '重新打开', en: 'Reopen' }),
  shelve: verb(
    'shelve',
    '/warn/record/shelve',
    { version, until: field(Millis, '搁置至', 'Shelved until'), reason },
    { zh: '搁置', en: 'Shelve' },
  ),
  unshelve: verb('unshelve', '/warn/record/unshelve', { version }, { zh: '取消搁置', en: 'Unshelve' }),
}
