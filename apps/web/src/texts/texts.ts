import { dept, menu } from './access/menu.ts'
import { exporting, importing, job } from './access/import.ts'
import { merchant } from './access/merchant.ts'
import { profile } from './access/profile.ts'
import { role } from './access/role.ts'
import { user } from './access/user.ts'
import { alarm } from './alarm/alarm.ts'
import { desk } from './alarm/desk.ts'
import { ruleHelp } from './alarm/rule-help.ts'
import { log, online } from './audit/log.ts'
import { codegen } from './codegen/codegen.ts'
import { system } from './console/administration.ts'
import { greeting } from './console/greeting.ts'
import { icon } from './console/icon.ts'
import { list } from './console/list.ts'
import { lock } from './console/lock.ts'
import { rich } from './console/rich.ts'
import { shell } from './console/shell.ts'
import { device } from './device/device.ts'
import { file, upload } from './files/file.ts'
import { home } from './insight/home.ts'
import { notice } from './notices/notice.ts'
import { school } from './school/school.ts'
import { config } from './settings/config.ts'
import { dict } from './settings/dict.ts'

/** Every topic that the console loads; the build makes one module of each language (split-texts.ts). */
export const texts = {
  shell,
  greeting,
  home,
  list,
  lock,
  school,
  device,
  alarm,
  desk,
  ruleHelp,
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
  notice,
  merchant,
}
