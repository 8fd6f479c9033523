import { dept, menu } from './access/menu.ts'
import { exporting, importing, job } from './access/import.ts'
import { merchant } from './access/merchant.ts'
import { profile } from './access/profile.ts'
import { role } from './access/role.ts'
import { user } from './access/user.ts'
import { alarm } from './alarm/alarm.ts'
import { desk } from './alarm/desk.ts'
import { outage } from './alarm/outage.ts'
import { task } from './alarm/task.ts'
import { ruleTrial } from './alarm/rule-trial.ts'
import { track } from './alarm/track.ts'
import { replay } from './alarm/replay.ts'
import { ruleHelp } from './alarm/rule-help.ts'
import { log, online } from './audit/log.ts'
import { codegen } from './codegen/codegen.ts'
import { system } from './console/administration.ts'
import { chart } from './console/chart.ts'
import { greeting } from './console/greeting.ts'
import { icon } from './console/icon.ts'
import { list } from './console/list.ts'
import { lock } from './console/lock.ts'
import { rich } from './console/rich.ts'
import { shell } from './console/shell.ts'
import { workflow } from './console/workflow.ts'
import { device } from './device/device.ts'
import { maintenance } from './device/maintenance.ts'
import { checklist } from './alarm/checklist.ts'
import { procedure } from './device/procedure.ts'
import { rollout } from './device/rollout.ts'
import { file, upload } from './files/file.ts'
import { govern } from './insight/govern.ts'
import { readiness } from './insight/readiness.ts'
import { weights } from './insight/weights.ts'
import { map } from './insight/map.ts'
import { report } from './insight/report.ts'
import { silence } from './insight/silence.ts'
import { wall } from './insight/wall.ts'
import { home } from './insight/home.ts'
import { notice } from './notices/notice.ts'
import { employee } from './school/employee.ts'
import { police } from './police/police.ts'
import { delivery, policy } from './notify/notify.ts'
import { calendar } from './school/calendar.ts'
import { plan } from './school/plan.ts'
import { school } from './school/school.ts'
import { duty } from './security/duty.ts'
import { handover } from './security/handover.ts'
import { patrol } from './security/patrol.ts'
import { order } from './supervise/order.ts'
import { announcement } from './announcement/announcement.ts'
import { config } from './settings/config.ts'
import { dict } from './settings/dict.ts'

/** Every topic that the console loads; the build makes one module of each language (split-texts.ts). */
export const texts = {
  shell,
  greeting,
  govern,
  home,
  outage,
  list,
  lock,
  police,
  school,
  plan,
  calendar,
  employee,
  device,
  maintenance,
  procedure,
  rollout,
  checklist,
  readiness,
  weights,
  report,
  silence,
  wall,
  map,
  duty,
  handover,
  patrol,
  alarm,
  desk,
  task,
  track,
  replay,
  ruleHelp,
  ruleTrial,
  delivery,
  policy,
  system,
  user,
  importing,
  exporting,
  job,
  role,
  dept,
  menu,
  dict,
  icon,
  config,
  codegen,
  log,
  online,
  file,
  upload,
  profile,
  rich,
  workflow,
  chart,
  order,
  announcement,
  notice,
  merchant,
}
