import { Millis } from '@tocsin/contract/codecs'
import { Delivery } from '@tocsin/contract/notify/delivery'
import { NotifyPolicy } from '@tocsin/contract/notify/policy'
import { z } from 'zod'
import { editedFilled, table } from './table.ts'

export const notifyTables = {
  delivery: table(
    Delivery.extend({ planKey: z.string(), leaseUntil: Millis.nullable() }),
    ['id', 'step', 'attempts', 'createdAt', 'dueAt'],
    { school: 'school_id', dept: 'dept_id', user: 'user_id' },
  ),
  notifyPolicy: table(NotifyPolicy, [...editedFilled, 'enabled', 'loops'], 'open'),
}
