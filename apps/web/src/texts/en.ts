import { alarm } from './en/alarm.ts'
import { desk } from './en/desk.ts'
import { device } from './en/device.ts'
import { greeting } from './en/greeting.ts'
import { home } from './en/home.ts'
import { list } from './en/list.ts'
import { lock } from './en/lock.ts'
import { rich } from './en/rich.ts'
import { ruleHelp } from './en/rule-help.ts'
import { school } from './en/school.ts'
import { shell } from './en/shell.ts'
import { system } from './en/system/common.ts'
import { codegen } from './en/system/codegen.ts'
import { config } from './en/system/config.ts'
import { icon } from './en/icon.ts'
import { dict } from './en/system/dict.ts'
import { exporting, importing, job } from './en/system/import.ts'
import { file, upload } from './en/system/file.ts'
import { log, online } from './en/system/log.ts'
import { dept, menu } from './en/system/menu.ts'
import { merchant } from './en/system/merchant.ts'
import { notice } from './en/system/notice.ts'
import { profile } from './en/system/profile.ts'
import { role } from './en/system/role.ts'
import { user } from './en/system/user.ts'

export const en = {
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
