import { Id, Millis } from '@tocsin/contract/codecs'
import { auditFields } from '@tocsin/contract/audit-fields'
import { CodegenColumn, CodegenTable } from '@tocsin/contract/codegen/codegen'
import { z } from 'zod'
import { editedFilled, table } from './table.ts'

const text = z.string()
const maybe = text.nullable()

/** Tables of the demo pages. */
export const demoTables = {
  demoItem: table(
    z.strictObject({
      id: Id,
      deptId: Id,
      name: text,
      kind: text,
      tags: z.array(text),
      imageId: Id.nullable(),
      url: maybe,
      price: z.int(),
      progress: z.int(),
      icon: maybe,
      sort: z.int(),
      enabled: z.boolean(),
      startAt: Millis.nullable(),
      remark: maybe,
      ...auditFields,
    }),
    [...editedFilled, 'tags', 'price', 'progress', 'sort', 'enabled'],
    { dept: 'dept_id', user: 'creator' },
  ),
  demoText: table(
    z.strictObject({ userId: Id, content: text, version: z.int(), createTime: Millis, updateTime: Millis }),
    ['version', 'createTime', 'updateTime'],
    { user: 'user_id' },
  ),
  demoSeat: table(z.strictObject({ userId: Id, seenAt: Millis }), ['seenAt'], 'open'),
  demoMessage: table(
    z.strictObject({
      id: Id,
      fromUserId: Id,
      fromName: text,
      toUserId: Id.nullable(),
      toName: maybe,
      text,
      at: Millis,
    }),
    ['id', 'at'],
    'open',
  ),
}

/** Tables of the code generator. */
export const codegenTables = {
  codegenTable: table(CodegenTable, [...editedFilled], 'open'),
  codegenColumn: table(CodegenColumn.extend({ tableId: Id }), ['id'], 'open'),
}
