import type { z } from 'zod'
import { adminTables } from './tables/admin.ts'
import { alarmTables } from './tables/alarm.ts'
import { codegenTables, demoTables } from './tables/demo.ts'
import { deviceTables } from './tables/device.ts'
import { fileTables } from './tables/file.ts'
import { insightTables } from './tables/insight.ts'
import { policeTables } from './tables/police.ts'
import { notifyTables } from './tables/notify.ts'
import { schoolTables } from './tables/school.ts'
import { securityTables } from './tables/security.ts'
import { signInTables } from './tables/sign-in.ts'
import { announcementTables, superviseTables } from './tables/supervise.ts'
import { systemTables } from './tables/system.ts'
import type { Columns, TableRow } from './tables/table.ts'
import { jobTables } from './tables/job.ts'

/** Every table, once. Row types, generated columns and visibility derive from here; a test compares it with the SQL. */
export const tables = {
  ...systemTables,
  ...adminTables,
  ...signInTables,
  ...fileTables,
  ...jobTables,
  ...codegenTables,
  ...schoolTables,
  ...deviceTables,
  ...securityTables,
  ...notifyTables,
  ...alarmTables,
  ...policeTables,
  ...superviseTables,
  ...announcementTables,
  ...insightTables,
  ...demoTables,
} satisfies Record<string, TableRow>

type All = typeof tables
export type AllTables = { [K in keyof All]: Columns<All[K]> }
/** Tables without visibility columns: the only ones the default handle knows. */
export type OpenTables = { [K in keyof All as All[K]['sight'] extends 'open' ? K : never]: Columns<All[K]> }
export type Row<K extends keyof All> = z.output<All[K]['row']>
