import { Id, Millis } from '@tocsin/contract/codecs'
import { auditFields } from '@tocsin/contract/audit-fields'
import { configTypes } from '@tocsin/contract/settings/config'
import { colorTypes } from '@tocsin/contract/settings/dict'
import { noticeLevels, noticeStates, noticeTargets } from '@tocsin/contract/notices/notice'
import { z } from 'zod'
import { Bytes, editedFilled, Jsonb, table } from './table.ts'

const text = z.string()
const maybe = text.nullable()

export const adminTables = {
  userPreference: table(z.strictObject({ userId: Id, kept: Jsonb, updateTime: Millis }), ['updateTime'], {
    user: 'user_id',
  }),
  dictType: table(
    z.strictObject({
      id: Id,
      name: text,
      nameEn: maybe,
      type: text,
      enabled: z.boolean(),
      remark: maybe,
      ...auditFields,
    }),
    [...editedFilled, 'enabled'],
    'open',
  ),
  dictData: table(
    z.strictObject({
      id: Id,
      dictType: text,
      label: text,
      labelEn: maybe,
      value: text,
      sort: z.int(),
      enabled: z.boolean(),
      colorType: z.enum(colorTypes).nullable(),
      cssClass: maybe,
      remark: maybe,
      ...auditFields,
    }),
    [...editedFilled, 'sort', 'enabled'],
    'open',
  ),
  config: table(
    z.strictObject({
      id: Id,
      category: text,
      name: text,
      key: text,
      value: text,
      valueType: z.enum(configTypes),
      builtIn: z.boolean(),
      visible: z.boolean(),
      remark: maybe,
      ...auditFields,
    }),
    [...editedFilled, 'valueType', 'builtIn', 'visible'],
    'open',
  ),
  seal: table(
    z.strictObject({
      seq: Id,
      kind: text,
      at: Millis,
      rowIds: z.custom<number[]>(Array.isArray),
      root: Bytes,
      prevHash: Bytes,
      hash: Bytes,
    }),
    [],
    'open',
  ),
  auditUnsealed: table(z.strictObject({ id: Id }), [], 'open'),
  notice: table(
    z.strictObject({
      id: Id,
      /** Belongs to an administrator; null for an event about a job. */
      deptId: Id.nullable(),
      jobId: Id.nullable(),
      title: text,
      type: text,
      level: z.enum(noticeLevels),
      content: text,
      target: z.enum(noticeTargets),
      state: z.enum(noticeStates),
      publisherId: Id.nullable(),
      publisherName: maybe,
      publishedAt: Millis.nullable(),
      revokedAt: Millis.nullable(),
      remark: maybe,
      ...auditFields,
    }),
    [...editedFilled, 'level', 'state'],
    { dept: 'dept_id', user: 'creator' },
  ),
  noticeDept: table(z.strictObject({ noticeId: Id, deptId: Id }), [], 'open'),
  noticeUser: table(z.strictObject({ noticeId: Id, userId: Id }), [], 'open'),
  noticeReceipt: table(z.strictObject({ noticeId: Id, userId: Id, readAt: Millis }), ['readAt'], 'open'),
}
