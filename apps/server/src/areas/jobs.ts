import type { JobHandler } from '#jobs/run'
import { demoExport } from './demo/item-spreadsheet.ts'
import { entities } from './entities.ts'
import { exportJobs } from './files/export/export-jobs.ts'
import { auditLogExporter } from './audit/log/audit-export.ts'
import { reportJobs } from './insight/report/subscription/report-job.ts'
import { loginExport } from './audit/log/login-log.ts'
import { installationExport } from './device/installation/export.ts'
import { maintenanceExport } from './device/maintenance/order-reads.ts'
import { employeeExport } from './school/employee/export.ts'
import { employeeImporter } from './school/employee/employee-importer.ts'
import { deliveryExport } from './notify/delivery-list.ts'
import { deviceImporter } from './device/register/device-importer.ts'
import { deviceExport } from './device/register/export.ts'
import { handoverExport } from './security/handover/handover-rows.ts'
import { patrolRoundExport } from './security/patrol/patrol-export.ts'
import { shiftExport } from './security/shift/shift-reads.ts'
import { complianceExport } from './security/headcount-export.ts'
import { postImporter } from './security/post/post-importer.ts'
import { postExport } from './security/post/post-reads.ts'
import { situationExport } from './police/situation/export.ts'
import { stationExport } from './police/station.ts'
import { orderExport } from './supervise/order-export.ts'
import { announcementExport } from './announcement/announcement-reads.ts'
import { receiptExport } from './announcement/receipts.ts'
import { builtInRegions, type RegionOf } from './audit/log/region.ts'
import { roleExport } from './access/roles/export.ts'
import { importJobs } from './files/import/job.ts'
import { schoolExport } from './school/school-export.ts'
import { calendarImporter } from './school/calendar/calendar-importer.ts'
import { placeImporter } from './school/place-importer.ts'
import { schoolImporter } from './school/school-importer.ts'
import { userImporter } from './access/user-import/user-importer.ts'
import { userExport } from './access/people/export.ts'
import { merchantExport } from './access/people/merchant.ts'

const entityExportJobs = (): Record<string, JobHandler> =>
  Object.assign({}, ...entities.map(({ exporter }) => (exporter ? exportJobs(exporter) : {})))

type Known = {
  regionOf?: RegionOf | undefined
  /** The address of the console, for links in mails. */
  origin?: string | undefined
}

/** The job handlers of the worker. Separate from the calls, which it never serves: it loads half as many modules. */
export const jobHandlers = ({ regionOf = builtInRegions, origin }: Known = {}): Record<string, JobHandler> => ({
  ...importJobs(userImporter),
  ...importJobs(deviceImporter),
  ...importJobs(employeeImporter),
  ...importJobs(schoolImporter),
  ...importJobs(placeImporter),
  ...importJobs(calendarImporter),
  ...importJobs(postImporter),
  ...exportJobs(userExport),
  ...exportJobs(merchantExport),
  ...exportJobs(roleExport),
  ...entityExportJobs(),
  ...exportJobs(loginExport(regionOf)),
  ...exportJobs(auditLogExporter(regionOf)),
  ...exportJobs(demoExport),
  ...exportJobs(schoolExport),
  ...exportJobs(employeeExport),
  ...exportJobs(deviceExport),
  ...exportJobs(installationExport),
  ...exportJobs(maintenanceExport),
  ...exportJobs(postExport),
  ...exportJobs(complianceExport),
  ...exportJobs(shiftExport),
  ...exportJobs(handoverExport),
  ...exportJobs(patrolRoundExport),
  ...exportJobs(stationExport),
  ...exportJobs(situationExport),
  ...exportJobs(deliveryExport),
  ...exportJobs(orderExport),
  ...exportJobs(announcementExport),
  ...exportJobs(receiptExport),
  ...reportJobs(origin),
})
