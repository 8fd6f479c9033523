import { alarm } from './en/alarm.ts'
import { desk } from './en/desk.ts'
import { device } from './en/device.ts'
import { list } from './en/list.ts'
import { ruleHelp } from './en/rule-help.ts'
import { school } from './en/school.ts'
import { shell } from './en/shell.ts'
import { system } from './en/system/words.ts'
import { dept, menu } from './en/system/menu.ts'
import { profile } from './en/system/profile.ts'
import { role } from './en/system/role.ts'
import { user } from './en/system/user.ts'

export const en = { shell, list, school, device, alarm, desk, ruleHelp, system, user, role, dept, menu, profile }
