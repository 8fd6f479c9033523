import { assignments } from '@tocsin/contract/alarm/assignment'
import { tracks } from '@tocsin/contract/alarm/track'
import { maps } from '@tocsin/contract/insight/map'
import { warnRecords } from '@tocsin/contract/alarm/records'
import type { Db } from '#db/db'
import type { Route } from '#http/route'
import type { TimerHandler } from '#timer/scheduler'
import { assignmentTimerHandlers } from './alarm/assignment/assignment-timers.ts'
import { assignmentRoutes } from './alarm/assignment/routes.ts'
import { trackRoutes } from './alarm/track/routes.ts'
import { checklistRoutes } from './alarm/checklist/routes.ts'
import { outageRoutes } from './alarm/outage/routes.ts'
import { evidencePackRoutes } from './alarm/evidence/make-pack.ts'
import { recordRoutes } from './alarm/record/routes.ts'
import { notificationTimerHandlers } from './alarm/notification/notification-timers.ts'
import { deliveryRoutes } from './notify/delivery-list.ts'
import { policyRoutes } from './notify/policy/routes.ts'
import { seedPolicies } from './notify/policy/policy-seed.ts'
import { seedRules } from './alarm/rule-seed.ts'
import { ruleTrialRoutes } from './alarm/rule/routes.ts'
import { ruleRoutes } from './alarm/rules.ts'
import { ruleTimerHandlers } from './alarm/timer/rule-timers.ts'
import { recordTimerHandlers } from './alarm/timer/record-timers.ts'
import { verbRoutes } from './alarm/verb/routes.ts'
import { buttonTestRoutes } from './device/button-test/routes.ts'
import { buttonTestTimerHandlers } from './device/button-test/test-timer.ts'
import { audioRoutes, audioTimerHandlers } from './device/command/audio.ts'
import { commandRoutes } from './device/command/command.ts'
import { deviceRoutes } from './device/device.ts'
import { installationRoutes } from './device/installation/routes.ts'
import { deviceVerbRoutes } from './device/lifecycle/device-verbs.ts'
import { deviceTimerHandlers } from './device/lifecycle/suspension.ts'
import { maintenanceTimerHandlers, scheduleSearch } from './device/maintenance/auto-orders.ts'
import { maintenanceRoutes } from './device/maintenance/routes.ts'
import { rolloutTimerHandlers } from './device/rollout/advance.ts'
import { rolloutRoutes } from './device/rollout/routes.ts'
import { procedureRoutes } from './device/procedure/routes.ts'
import { registerDeviceRoutes } from './device/register/routes.ts'
import { schoolDeviceRoutes } from './device/school-device.ts'
import { coverageTimerHandlers, gapRoutes, seedCoverageTimer } from './security/gap/gap-notices.ts'
import { handoverRoutes } from './security/handover/routes.ts'
import { patrolTimerHandlers, seedPatrolTimer } from './security/patrol/patrol-runs.ts'
import { patrolRoutes } from './security/patrol/routes.ts'
import { shiftRoutes } from './security/shift/routes.ts'
import { shiftTimerHandlers } from './security/shift/shift-timers.ts'
import { postRoutes } from './security/post/routes.ts'
import { governRoutes } from './insight/govern.ts'
import { readinessTimerHandlers, seedReadinessTimer } from './insight/readiness/readiness-timer.ts'
import { readinessRoutes } from './insight/readiness/routes.ts'
import { reportRoutes } from './insight/report/routes.ts'
import { reportTimerHandlers, seedReportTimer } from './insight/report/subscription/report-timer.ts'
import { subscriptionRoutes } from './insight/report/subscription/subscriptions.ts'
import { rollupTimerHandlers, seedRollupTimer } from './insight/rollup/rollup-timer.ts'
import { silenceRoutes } from './insight/silence/silence.ts'
import { orderTimerHandlers } from './supervise/order-timers.ts'
import { orderSearchHandlers, seedOrderSearch } from './supervise/order-triggers.ts'
import { superviseRoutes } from './supervise/routes.ts'
import { announcementTimerHandlers } from './announcement/publication.ts'
import { announcementRoutes } from './announcement/routes.ts'
import { mapRoutes } from './insight/map/routes.ts'
import { homeRoutes } from './insight/home.ts'
import { homeCardRoutes } from './insight/home/routes.ts'
import { visitRoutes } from './insight/visit.ts'
import { wallRoutes } from './insight/wall/routes.ts'
import { certificateTimerHandlers, seedCertificateTimer } from './school/employee/certificate-notices.ts'
import { employeeRoutes } from './school/employee/routes.ts'
import { situationRoutes } from './police/situation/routes.ts'
import { situationTimerHandlers } from './police/situation/timers.ts'
import { stationRoutes } from './police/station.ts'
import { unitRoutes } from './police/unit.ts'
import { placeRoutes } from './school/place.ts'
import { floorPlanRoutes } from './school/plan/floor-plan.ts'
import { seedOfficialDays } from './school/calendar/calendar-edit.ts'
import { calendarRoutes } from './school/calendar/calendar.ts'
import { contactVerificationRoutes } from './school/contact/verify-contact.ts'
import { schoolRoutes } from './school/school.ts'
import type { AuthDeps } from './access/sign-in/deps.ts'
import { authRoutes } from './access/sign-in/routes.ts'
import { codeRoutes } from './access/sign-in/verification-code/routes.ts'
import { codegenRoutes } from './codegen/routes.ts'
import { deptRoutes } from './access/roles/dept/routes.ts'
import { fileRoutes } from './files/routes.ts'
import { entities } from './entities.ts'
import { docsRoutes } from './demo/docs.ts'
import { demoRoutes } from './demo/routes.ts'
import { jobRoutes } from './files/export/job.ts'
import { lockRoutes } from './access/people/profile/lock.ts'
import { logRoutes } from './audit/log/routes.ts'
import { menuRoutes } from './access/roles/menu/routes.ts'
import { onlineRoutes } from './access/people/profile/online.ts'
import { profileRoutes } from './access/people/profile/routes.ts'
import { ownSessionRoutes } from './access/people/profile/session.ts'
import { qrRoutes } from './access/sign-in/qr/routes.ts'
import { registerRoutes } from './access/sign-in/register/routes.ts'
import { roleRoutes } from './access/roles/routes.ts'
import { secondFactorRoutes } from './access/sign-in/second-factor/routes.ts'
import { seedSystem } from './access/seed/seed.ts'
import { socialRoutes } from './access/sign-in/social/routes.ts'
import { userRoutes } from './access/people/routes.ts'
import { userImportRoutes } from './access/user-import/routes.ts'

/** The calls of all areas, in area order, without the one that documents them. */
const routeGroups: readonly ((deps: AuthDeps) => Route[])[] = [
  authRoutes,
  codeRoutes,
  secondFactorRoutes,
  lockRoutes,
  qrRoutes,
  socialRoutes,
  registerRoutes,
  userRoutes,
  userImportRoutes,
  jobRoutes,
  profileRoutes,
  ownSessionRoutes,
  roleRoutes,
  menuRoutes,
  deptRoutes,
  ...entities.map(({ routes }) => routes),
  codegenRoutes,
  logRoutes,
  onlineRoutes,
  fileRoutes,
  demoRoutes,
  schoolRoutes,
  contactVerificationRoutes,
  calendarRoutes,
  placeRoutes,
  floorPlanRoutes,
  employeeRoutes,
  deviceRoutes,
  registerDeviceRoutes,
  deviceVerbRoutes,
  commandRoutes,
  audioRoutes,
  schoolDeviceRoutes,
  installationRoutes,
  buttonTestRoutes,
  maintenanceRoutes,
  procedureRoutes,
  rolloutRoutes,
  postRoutes,
  shiftRoutes,
  handoverRoutes,
  patrolRoutes,
  gapRoutes,
  deliveryRoutes,
  policyRoutes,
  ruleRoutes,
  ruleTrialRoutes,
  recordRoutes,
  evidencePackRoutes,
  verbRoutes,
  assignmentRoutes,
  trackRoutes,
  checklistRoutes,
  outageRoutes,
  governRoutes,
  readinessRoutes,
  silenceRoutes,
  stationRoutes,
  unitRoutes,
  situationRoutes,
  superviseRoutes,
  announcementRoutes,
  homeRoutes,
  homeCardRoutes,
  mapRoutes,
  visitRoutes,
  reportRoutes,
  subscriptionRoutes,
  wallRoutes,
]

/** Routes of all areas. */
export const allRoutes = (deps: AuthDeps): Route[] => {
  const routes = routeGroups.flatMap((routes) => routes(deps))
  return [
    ...routes,
    ...docsRoutes(
      deps,
      routes.map(({ endpoint }) => endpoint),
    ),
  ]
}

const { page: _page, export: _export, ...handling } = warnRecords
/** Calls without a rate limit: handling an alarm never waits, and a map asks for many tiles at once. */
export const rateLimitExempt: ReadonlySet<string> = new Set(
  [...Object.values(handling), ...Object.values(assignments), ...Object.values(tracks), maps.tile].map(
    ({ path }) => path,
  ),
)

/** The handlers of timers with a subject of their own, by kind: one alarm, task, shift, order. */
export const timerHandlers: Record<string, TimerHandler> = {
  ...deviceTimerHandlers,
  ...buttonTestTimerHandlers,
  ...audioTimerHandlers,
  ...shiftTimerHandlers,
  ...recordTimerHandlers,
  ...assignmentTimerHandlers,
  ...notificationTimerHandlers,
  ...ruleTimerHandlers,
  ...situationTimerHandlers,
  ...orderTimerHandlers,
  ...announcementTimerHandlers,
}

/**
 * The handlers of timers that search the whole installation or step through a whole rollout. They may take seconds, so no
 * alarm shares their workers.
 */
export const sweepHandlers: Record<string, TimerHandler> = {
  ...coverageTimerHandlers,
  ...patrolTimerHandlers,
  ...maintenanceTimerHandlers,
  ...rolloutTimerHandlers,
  ...certificateTimerHandlers,
  ...readinessTimerHandlers,
  ...rollupTimerHandlers,
  ...orderSearchHandlers,
  ...reportTimerHandlers,
}

/** Creates the data of every installation. @returns the first administrator's password when one was created */
export const seedAll = async (db: Db, adminPassword: string | undefined): Promise<string | undefined> => {
  const made = await seedSystem(db, adminPassword)
  await seedRules(db)
  await seedCertificateTimer(db)
  await seedCoverageTimer(db)
  await seedPatrolTimer(db)
  await seedPolicies(db)
  await scheduleSearch(db)
  await seedReadinessTimer(db)
  await seedRollupTimer(db)
  await seedOrderSearch(db)
  await seedReportTimer(db)
  await seedOfficialDays(db)
  return made
}
