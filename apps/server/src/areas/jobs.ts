import type { JobHandler } from '#jobs/run'
import { configExport } from './settings/config.ts'
import { demoExport } from './demo/item-spreadsheet.ts'
import { dataExport } from './settings/dict/data.ts'
import { typeExport } from './settings/dict/type.ts'
import { exportJobs } from './files/export/export-jobs.ts'
import { auditLogExporter } from './audit/log/audit-export.ts'
import { loginExport } from './audit/log/login-log.ts'
import { installationExport } from './device/installation/export.ts'
import { modelExport } from './device/model.ts'
import { deviceImporter } from './device/register/device-importer.ts'
import { deviceExport } from './device/register/export.ts'
import { builtInRegions, type RegionOf } from './audit/log/region.ts'
import { roleExport } from './access/role/export.ts'
import { importJobs } from './files/import/job.ts'
import { userImporter } from './access/user-import/user-importer.ts'
import { userExport } from './access/user/export.ts'
import { merchantExport } from './access/user/merchant.ts'

type Known = { regionOf?: RegionOf | undefined }

/** What the worker does for each kind of queued job. Apart from the calls, which it never answers: it reads half as much. */
export const jobHandlers = ({ regionOf = builtInRegions }: Known = {}): Record<string, JobHandler> => ({
  ...importJobs(userImporter),
  ...importJobs(deviceImporter),
  ...exportJobs(userExport),
  ...exportJobs(merchantExport),
  ...exportJobs(roleExport),
  ...exportJobs(typeExport),
  ...exportJobs(dataExport),
  ...exportJobs(configExport),
  ...exportJobs(loginExport(regionOf)),
  ...exportJobs(auditLogExporter(regionOf)),
  ...exportJobs(demoExport),
  ...exportJobs(modelExport),
  ...exportJobs(deviceExport),
  ...exportJobs(installationExport),
})
