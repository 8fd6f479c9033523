import type { JobHandler } from '#jobs/run'
import { configExport } from './system/config/config.ts'
import { demoExport } from './system/demo/item-spreadsheet.ts'
import { dataExport } from './system/dict/data.ts'
import { typeExport } from './system/dict/type.ts'
import { exportJobs } from './system/export/export-jobs.ts'
import { auditLogExporter } from './system/log/audit-export.ts'
import { loginExport } from './system/log/login-log.ts'
import { builtInRegions, type RegionOf } from './system/log/region.ts'
import { roleExport } from './system/role/export.ts'
import { importJob } from './system/user-import/import.ts'
import { IMPORT_JOB } from './system/user-import/import-data.ts'
import { userExport } from './system/user/export.ts'
import { merchantExport } from './system/user/merchant.ts'

type Known = { regionOf?: RegionOf | undefined }

/** What the worker does for each kind of queued job. Apart from the calls, which it never answers: it reads half as much. */
export const jobHandlers = ({ regionOf = builtInRegions }: Known = {}): Record<string, JobHandler> => ({
  [IMPORT_JOB]: importJob,
  ...exportJobs(userExport),
  ...exportJobs(merchantExport),
  ...exportJobs(roleExport),
  ...exportJobs(typeExport),
  ...exportJobs(dataExport),
  ...exportJobs(configExport),
  ...exportJobs(loginExport(regionOf)),
  ...exportJobs(auditLogExporter(regionOf)),
  ...exportJobs(demoExport),
})
