import { Day, Id } from '@tocsin/contract/codecs'
import { z } from 'zod'
import { Bytes, table } from './table.ts'

export const insightTables = {
  visit: table(
    z.strictObject({ day: Day, hour: z.int(), userId: Id, deptId: Id, ipHash: Bytes, views: z.int() }),
    ['views'],
    { dept: 'dept_id', user: 'user_id' },
  ),
}
