import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { type EnumLabels, field } from '../field.ts'
import { warnClasses } from '../alarm/rule.ts'

/** Suppressed or unsent items. */
export const silenceKinds = ['OUTAGE', 'REPEAT', 'RULE', 'SHELVED', 'MERGED', 'FLAPPING', 'DELIVERY'] as const
export type SilenceKind = (typeof silenceKinds)[number]

export const silenceReasons = [
  'OUTAGE',
  'OCCURRENCE',
  'NO_RULE',
  'SHADOW',
  'BELOW_REPEAT',
  'WAITING',
  'OUT_OF_HOURS',
  'SHELVED',
  'MERGED',
  'FLAPPING',
  'FAILED',
  'EXPIRED',
  'NO_RECIPIENT',
  'NO_ADDRESS',
  'NOT_CONFIGURED',
  'REVOKED',
  'RECIPIENT_DISABLED',
] as const
export type SilenceReason = (typeof silenceReasons)[number]

/** Rows of one kind at most, the latest first; `counts` are complete. */
export const MAX_SILENCE_ROWS = 200

export const SilenceRow = z.strictObject({
  key: z.string(),
  at: field(Millis, '时间', 'Time'),
  kind: field(z.enum(silenceKinds), '类别', 'Kind'),
  /** Record number, serial number or recipient. */
  subject: field(z.string(), '对象', 'Subject'),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  class: field(z.enum(warnClasses).nullable(), '警情类别', 'Class'),
  code: field(z.string().nullable(), '信号', 'Signal'),
  reason: field(z.enum(silenceReasons), '原因', 'Reason'),
  count: field(z.int(), '次数', 'Times'),
  /** The rule, the channel or the record that decided. */
  basis: field(z.string().nullable(), '依据', 'Basis'),
  until: field(Millis.nullable(), '到期', 'Until'),
  recordId: Id.nullable(),
  recordVersion: z.int().nullable(),
  /** The outage whose devices the row opens to. */
  outageId: Id.nullable(),
})
export type SilenceRow = z.output<typeof SilenceRow>

export const Silence = z.strictObject({
  total: z.int(),
  counts: z.array(z.strictObject({ kind: z.enum(silenceKinds), n: z.int() })),
  /** Panic signals of today, and how many of them made no alarm or were shelved. */
  panic: z.strictObject({ received: z.int(), hidden: z.int() }),
  rows: z.array(SilenceRow),
})
export type Silence = z.output<typeof Silence>

const silenceKind: EnumLabels<SilenceKind> = {
  OUTAGE: ['大面积离线', 'Outage'],
  REPEAT: ['重复', 'Repeats'],
  RULE: ['规则未触发', 'Not raised by a rule'],
  SHELVED: ['搁置', 'Shelved'],
  MERGED: ['已合并', 'Merged'],
  FLAPPING: ['时断时续', 'Flapping'],
  DELIVERY: ['通知未送达', 'Not delivered'],
}

const silenceReason: EnumLabels<SilenceReason> = {
  OUTAGE: ['与其他设备同时离线', 'Offline together with others'],
  OCCURRENCE: ['并入未结警情', 'Counted in an open alarm'],
  NO_RULE: ['没有适用规则', 'No rule applies'],
  SHADOW: ['影子规则只记录', 'Shadow rule: recorded only'],
  BELOW_REPEAT: ['未达重复次数', 'Fewer repeats than the rule asks for'],
  WAITING: ['等待规则的时长', 'Waiting for the duration of the rule'],
  OUT_OF_HOURS: ['不在规则的适用时间', 'Outside the hours of the rule'],
  SHELVED: ['有人搁置', 'Shelved by a person'],
  MERGED: ['有人合并', 'Merged by a person'],
  FLAPPING: ['设备频繁上下线', 'The device keeps connecting and disconnecting'],
  FAILED: ['发送失败', 'Sending failed'],
  EXPIRED: ['超过有效期', 'Expired before it was sent'],
  NO_RECIPIENT: ['无可通知的人', 'No recipient'],
  NO_ADDRESS: ['账号未填联系方式', 'The account has no such contact'],
  NOT_CONFIGURED: ['渠道未配置', 'Channel not configured'],
  REVOKED: ['已撤回', 'Revoked'],
  RECIPIENT_DISABLED: ['账号已停用', 'The account is disabled'],
}

export const silenceLabels = { silenceKind, silenceReason }

export const silence = {
  today: endpoint({
    method: 'GET',
    path: '/notify/silence/today',
    kind: 'json',
    permission: 'notify:silence:query',
    scope: 'school',
    summary: '今天隐藏与未发的内容',
    summaryEn: 'Everything hidden or not sent today, with its reason',
    data: Silence,
  }),
}
