import { assignments } from './alarm/assignment.ts'
import { tracks } from './alarm/track.ts'
import { warnLogs } from './alarm/log.ts'
import { outages } from './alarm/outage.ts'
import { evidencePacks } from './alarm/evidence-pack.ts'
import { warnRecords } from './alarm/records.ts'
import { ruleTrials } from './alarm/rule-trial.ts'
import { warnRules } from './alarm/rule.ts'
import { configsV1 } from './compat/config.ts'
import { deptsV1 } from './compat/dept.ts'
import { dictsV1 } from './compat/dict.ts'
import { dictDatasV1 } from './compat/dict-data.ts'
import { logsV1 } from './compat/log.ts'
import { menusV1 } from './compat/menu.ts'
import { messages } from './compat/message.ts'
import { noticesV1 } from './compat/notice.ts'
import { rolesV1 } from './compat/role.ts'
import { usersV1 } from './compat/user.ts'
import { userFormsV1 } from './compat/user-form.ts'
import { buttonTests } from './device/button-test.ts'
import { maintenanceOrders } from './device/maintenance-calls.ts'
import { rollouts } from './device/rollout/rollout-calls.ts'
import { checklists } from './alarm/checklist.ts'
import { procedureRuns, procedures } from './device/procedure/procedure-calls.ts'
import { deviceCommands } from './device/command.ts'
import { devices } from './device/device.ts'
import { deviceImports } from './device/device-import.ts'
import { deviceEdits, deviceVerbLists, deviceVerbs } from './device/device-verbs.ts'
import { deviceModels } from './device/model.ts'
import { schoolDevices } from './device/school-device.ts'
import { installationCalls } from './device/school-device-verbs.ts'
import type { Endpoint } from './endpoint.ts'
import { governs } from './insight/govern.ts'
import { readiness } from './insight/readiness.ts'
import { readinessWeights } from './insight/weights/readiness-weights.ts'
import { maps } from './insight/map.ts'
import { silence } from './insight/silence.ts'
import { homeCards } from './insight/home/home-cards.ts'
import { homeStart } from './insight/home/start-steps.ts'
import { homes } from './insight/home.ts'
import { visits } from './insight/visit.ts'
import { reports, reportSubscriptions } from './insight/report.ts'
import { wallFollows, wallLinks } from './insight/wall.ts'
import { handovers } from './security/handover.ts'
import { patrols } from './security/patrol.ts'
import { patrolRounds } from './security/patrol-rounds.ts'
import { headcounts } from './security/headcount.ts'
import { coverageGaps } from './security/gap.ts'
import { shifts } from './security/shift.ts'
import { shiftSwaps } from './security/swap.ts'
import { securityPosts } from './security/post.ts'
import { postImports } from './security/post-import.ts'
import { employeeImports, employees, employeeVerbs } from './school/employee-calls.ts'
import { situationTracks } from './police/situation-track.ts'
import { situationCalls, situations } from './police/situations.ts'
import { stations } from './police/station.ts'
import { units } from './police/unit.ts'
import { deliveries, myDeliveries } from './notify/delivery.ts'
import { notifyPolicies } from './notify/policy.ts'
import { placeEdits, placeImports } from './school/place-edits.ts'
import { floorPlans } from './school/plan/floor-plan.ts'
import { places } from './school/place.ts'
import { calendarImports, schoolCalendar } from './school/calendar.ts'
import { schoolEdits } from './school/school-edits.ts'
import { schoolImports } from './school/school-import.ts'
import { schools } from './school/school.ts'
import { orderVerbCalls, supervisionOrders } from './supervise/order-calls.ts'
import {
  announcementReceipts,
  announcements,
  announcementVerbCalls,
  myAnnouncements,
} from './announcement/announcement-calls.ts'
import { auth } from './access/auth.ts'
import { codegens } from './codegen/calls.ts'
import { depts } from './access/dept.ts'
import { configs } from './settings/config.ts'
import { dictDatas, dictTypes } from './settings/dict.ts'
import { apiDocs } from './demo/api-docs.ts'
import { demoItems } from './demo/item.ts'
import { demoSignatures } from './demo/signature.ts'
import { demoTalks } from './demo/talk.ts'
import { demoTexts } from './demo/text.ts'
import { demoUploads } from './demo/upload.ts'
import { files } from './files/file.ts'
import { jobs } from './files/job.ts'
import { auditLogs } from './audit/audit-log.ts'
import { loginLogs } from './audit/login-log.ts'
import { onlineSessions } from './access/online.ts'
import { menus } from './access/rights/menu.ts'
import { notices } from './notices/notice.ts'
import { permissions } from './access/rights/permission.ts'
import { preferences } from './access/preference.ts'
import { profile } from './access/profile.ts'
import { roles } from './access/rights/role.ts'
import { contactCalls } from './access/sign-in/contact.ts'
import { locks } from './access/sign-in/lock.ts'
import { signInOptions } from './access/sign-in/options.ts'
import { ownSessions } from './access/sign-in/own-session.ts'
import { qrCalls } from './access/sign-in/qr.ts'
import { registrations } from './access/sign-in/register.ts'
import { secondFactors } from './access/sign-in/second-factor.ts'
import { socials } from './access/sign-in/social.ts'
import { merchantUsers, users } from './access/user.ts'
import { userImports } from './access/user-import.ts'

/** Every call of the console, for OpenAPI and for tests; screens import the calls of their own entity. */
export const endpoints: readonly Endpoint[] = [
  auth,
  signInOptions,
  contactCalls,
  registrations,
  secondFactors,
  locks,
  ownSessions,
  qrCalls,
  socials,
  users,
  userImports,
  jobs,
  merchantUsers,
  profile,
  preferences,
  permissions,
  roles,
  menus,
  depts,
  usersV1,
  userFormsV1,
  menusV1,
  rolesV1,
  deptsV1,
  dictTypes,
  dictDatas,
  dictsV1,
  dictDatasV1,
  configs,
  configsV1,
  codegens,
  loginLogs,
  auditLogs,
  logsV1,
  onlineSessions,
  files,
  notices,
  noticesV1,
  demoItems,
  demoTexts,
  demoSignatures,
  demoTalks,
  demoUploads,
  apiDocs,
  messages,
  schools,
  schoolEdits,
  schoolCalendar,
  calendarImports,
  schoolImports,
  places,
  employees,
  employeeVerbs,
  employeeImports,
  placeEdits,
  placeImports,
  floorPlans,
  deviceModels,
  devices,
  deviceEdits,
  deviceImports,
  deviceVerbs,
  deviceVerbLists,
  deviceCommands,
  schoolDevices,
  installationCalls,
  buttonTests,
  maintenanceOrders,
  procedures,
  checklists,
  rollouts,
  procedureRuns,
  securityPosts,
  postImports,
  handovers,
  patrols,
  patrolRounds,
  headcounts,
  shifts,
  shiftSwaps,
  coverageGaps,
  deliveries,
  myDeliveries,
  notifyPolicies,
  warnRules,
  ruleTrials,
  outages,
  warnRecords,
  evidencePacks,
  warnLogs,
  assignments,
  tracks,
  governs,
  readiness,
  readinessWeights,
  silence,
  maps,
  stations,
  units,
  situations,
  situationCalls,
  situationTracks,
  supervisionOrders,
  orderVerbCalls,
  announcements,
  announcementReceipts,
  announcementVerbCalls,
  myAnnouncements,
  homeCards,
  homeStart,
  homes,
  visits,
  reports,
  reportSubscriptions,
  wallFollows,
  wallLinks,
].flatMap((set): Endpoint[] => Object.values(set))
