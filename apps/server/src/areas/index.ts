import { warnRecords } from '@tocsin/contract/alarm/records'
import type { Db } from '#db/db'
import type { Route } from '#http/route'
import type { TimerHandler } from '#timer/scheduler'
import { recordRoutes } from './alarm/record/routes.ts'
import { seedRules } from './alarm/rule-seed.ts'
import { ruleRoutes } from './alarm/rules.ts'
import { ruleTimerHandlers } from './alarm/timer/rule-timers.ts'
import { recordTimerHandlers } from './alarm/timer/record-timers.ts'
import { verbRoutes } from './alarm/verb/routes.ts'
import { buttonTestRoutes } from './device/button-test/routes.ts'
import { commandRoutes } from './device/command/command.ts'
import { deviceRoutes } from './device/device.ts'
import { installationRoutes } from './device/installation/routes.ts'
import { deviceVerbRoutes } from './device/lifecycle/device-verbs.ts'
import { deviceTimerHandlers } from './device/lifecycle/suspension.ts'
import { modelRoutes } from './device/model.ts'
import { registerDeviceRoutes } from './device/register/routes.ts'
import { schoolDeviceRoutes } from './device/school-device.ts'
import { homeRoutes } from './insight/home.ts'
import { visitRoutes } from './insight/visit.ts'
import { placeRoutes } from './school/place.ts'
import { schoolRoutes } from './school/school.ts'
import type { AuthDeps } from './access/sign-in/deps.ts'
import { authRoutes } from './access/sign-in/routes.ts'
import { codeRoutes } from './access/verification-code/routes.ts'
import { codegenRoutes } from './codegen/routes.ts'
import { deptRoutes } from './access/dept/routes.ts'
import { fileRoutes } from './files/routes.ts'
import { configRoutes } from './settings/routes.ts'
import { docsRoutes } from './demo/docs.ts'
import { demoRoutes } from './demo/routes.ts'
import { dictRoutes } from './settings/dict/routes.ts'
import { jobRoutes } from './files/export/job.ts'
import { lockRoutes } from './access/profile/lock.ts'
import { logRoutes } from './audit/log/routes.ts'
import { menuRoutes } from './access/menu/routes.ts'
import { noticeRoutes } from './notices/routes.ts'
import { onlineRoutes } from './access/profile/online.ts'
import { profileRoutes } from './access/profile/routes.ts'
import { ownSessionRoutes } from './access/profile/session.ts'
import { qrRoutes } from './access/qr/routes.ts'
import { registerRoutes } from './access/register/routes.ts'
import { roleRoutes } from './access/role/routes.ts'
import { secondFactorRoutes } from './access/second-factor/routes.ts'
import { seedSystem } from './access/seed/seed.ts'
import { socialRoutes } from './access/social/routes.ts'
import { userRoutes } from './access/user/routes.ts'
import { userImportRoutes } from './access/user-import/routes.ts'

/** Every call of the product, in area order, but the one that documents them. */
const documented = (deps: AuthDeps): Route[] =>
  [
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
    dictRoutes,
    configRoutes,
    codegenRoutes,
    logRoutes,
    onlineRoutes,
    fileRoutes,
    noticeRoutes,
    demoRoutes,
    schoolRoutes,
    placeRoutes,
    modelRoutes,
    deviceRoutes,
    registerDeviceRoutes,
    deviceVerbRoutes,
    commandRoutes,
    schoolDeviceRoutes,
    installationRoutes,
    buttonTestRoutes,
    ruleRoutes,
    recordRoutes,
    verbRoutes,
    homeRoutes,
    visitRoutes,
  ].flatMap((routes) => routes(deps))

/** Every call of the product. */
export const allRoutes = (deps: AuthDeps): Route[] => {
  const routes = documented(deps)
  return [
    ...routes,
    ...docsRoutes(
      deps,
      routes.map(({ endpoint }) => endpoint),
    ),
  ]
}

const { page: _page, export: _export, ...handling } = warnRecords
/** Calls that nobody's pace holds up: whoever handles an alarm is never told to wait. */
export const rateLimitExempt: ReadonlySet<string> = new Set(Object.values(handling).map(({ path }) => path))

/** What each kind of persisted timer does when it is due. */
export const timerHandlers: Record<string, TimerHandler> = {
  ...deviceTimerHandlers,
  ...recordTimerHandlers,
  ...ruleTimerHandlers,
}

/** Puts in place what every installation has. @returns the first administrator's password when one was made. */
export const seedAll = async (db: Db, adminPassword: string | undefined): Promise<string | undefined> => {
  const made = await seedSystem(db, adminPassword)
  await seedRules(db)
  return made
}
