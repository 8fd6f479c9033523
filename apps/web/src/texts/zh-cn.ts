import { alarm } from './zh-cn/alarm.ts'
import { desk } from './zh-cn/desk.ts'
import { device } from './zh-cn/device.ts'
import { greeting } from './zh-cn/greeting.ts'
import { home } from './zh-cn/home.ts'
import { list } from './zh-cn/list.ts'
import { lock } from './zh-cn/lock.ts'
import { rich } from './zh-cn/rich.ts'
import { ruleHelp } from './zh-cn/rule-help.ts'
import { school } from './zh-cn/school.ts'
import { shell } from './zh-cn/shell.ts'
import { system } from './zh-cn/system/common.ts'
import { codegen } from './zh-cn/system/codegen.ts'
import { config } from './zh-cn/system/config.ts'
import { icon } from './zh-cn/icon.ts'
import { dict } from './zh-cn/system/dict.ts'
import { exporting, importing, job } from './zh-cn/system/import.ts'
import { file, upload } from './zh-cn/system/file.ts'
import { log, online } from './zh-cn/system/log.ts'
import { dept, menu } from './zh-cn/system/menu.ts'
import { merchant } from './zh-cn/system/merchant.ts'
import { notice } from './zh-cn/system/notice.ts'
import { profile } from './zh-cn/system/profile.ts'
import { role } from './zh-cn/system/role.ts'
import { user } from './zh-cn/system/user.ts'

export const zhCn = {
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
