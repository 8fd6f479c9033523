import { z } from 'zod'
import { modes } from '../alarm/state-machine.ts'
import { field } from '../field.ts'
import { situationDispositions } from './situation.ts'
import { situationStates } from './situation-machine.ts'

/** The message set of ASAP-to-PSAP (domain 2.9). A late alarm is never rejected. */
export const exchangeTypes = [
  'ALARM',
  'UPDATE',
  'CANCEL_REQUEST',
  'QUERY',
  'ACCEPTED',
  'REJECTED',
  'DISPATCHED',
  'ARRIVED',
  'CLOSED',
] as const
export type ExchangeType = (typeof exchangeTypes)[number]

export const rejectReasons = ['BAD_PLACE', 'BAD_TYPE', 'OTHER'] as const

/** No white space, comma, `<` or `&`, as in CAP: identifiers are named in references. */
export const identifierPattern = /^[^\s,<&]{1,100}$/
/** CAP 1.2: seconds and an offset, no `Z`. */
export const capTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[-+]\d\d:\d\d$/

const Identifier = z.string().regex(identifierPattern)

/** One message of the JSON interchange, in both directions. */
export const ExchangeMessage = z.strictObject({
  identifier: field(Identifier, '消息编号', 'Message id'),
  sender: field(Identifier, '发送方', 'Sender'),
  sent: field(z.iso.datetime({ offset: true }), '发送时间', 'Sent'),
  type: field(z.enum(exchangeTypes), '消息类型', 'Type'),
  mode: field(z.enum(modes), '模式', 'Mode'),
  /** Earlier messages of the same matter; every type but `ALARM` needs one, or `caseNo`. */
  references: field(
    z
      .array(z.strictObject({ sender: Identifier, identifier: Identifier }))
      .max(200)
      .optional(),
    '引用消息',
    'References',
  ),
  caseNo: field(z.string().max(20).optional(), '警单编号', 'Incident no.'),
  externalNo: field(z.string().trim().min(1).max(40).optional(), '外部编号', 'External no.'),
  category: field(z.string().min(1).max(30).optional(), '类别', 'Category'),
  grade: field(z.int().min(1).max(4).optional(), '等级', 'Grade'),
  schoolCode: field(z.string().min(1).max(40).optional(), '学校代码', 'School code'),
  place: field(z.string().trim().min(1).max(300).optional(), '地点', 'Place'),
  lng: field(z.number().min(-180).max(180).optional(), '经度', 'Longitude'),
  lat: field(z.number().min(-90).max(90).optional(), '纬度', 'Latitude'),
  summary: field(z.string().trim().min(1).max(1000).optional(), '简要案情', 'Summary'),
  state: field(z.enum(situationStates).optional(), '状态', 'State'),
  disposition: field(z.enum(situationDispositions).optional(), '处置结果', 'Result'),
  reason: field(z.enum(rejectReasons).optional(), '退回原因', 'Reason of the rejection'),
  text: field(z.string().trim().min(1).max(500).optional(), '说明', 'Text'),
})
export type ExchangeMessage = z.output<typeof ExchangeMessage>

/** What a type needs beside the fields of every message. */
export const requiredFields: Partial<Record<ExchangeType, readonly (keyof ExchangeMessage)[]>> = {
  ALARM: ['grade', 'summary'],
  REJECTED: ['reason'],
  CLOSED: ['disposition'],
}

export const exchangeStates = ['RECEIVED', 'EXPORTED', 'QUEUED', 'SENDING', 'SENT', 'FAILED'] as const
