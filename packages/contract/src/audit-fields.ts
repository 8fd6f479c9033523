import { z } from 'zod'
import { Id, Millis } from './codecs.ts'
import { field } from './field.ts'

/** Columns of every editable row. `version` counts changes by users (DESIGN 5). */
export const auditFields = {
  version: field(z.int(), '版本', 'Version'),
  createTime: field(Millis, '创建时间', 'Created'),
  creator: field(Id.nullable(), '创建人', 'Created by'),
  updateTime: field(Millis, '更新时间', 'Updated'),
  updater: field(Id.nullable(), '更新人', 'Updated by'),
}

/** The audit columns and the key, which no draft may contain. */
export const generatedColumns = {
  id: true,
  version: true,
  createTime: true,
  creator: true,
  updateTime: true,
  updater: true,
} as const
