import { z } from 'zod'
import { Id, Millis } from './codecs.ts'
import { field } from './field.ts'

/** Columns of every row that people edit. `version` counts what a person decided (DESIGN 5). */
export const auditFields = {
  version: field(z.int(), '版本', 'Version'),
  createTime: field(Millis, '创建时间', 'Created'),
  creator: field(Id.nullable(), '创建人', 'Created by'),
  updateTime: field(Millis, '更新时间', 'Updated'),
  updater: field(Id.nullable(), '更新人', 'Updated by'),
}

/** Names of the edited columns together with the key: what no draft may carry. */
export const generatedColumns = {
  id: true,
  version: true,
  createTime: true,
  creator: true,
  updateTime: true,
  updater: true,
} as const
