import { alarm } from './zh-cn/alarm.ts'
import { device } from './zh-cn/device.ts'
import { list } from './zh-cn/list.ts'
import { ruleHelp } from './zh-cn/rule-help.ts'
import { school } from './zh-cn/school.ts'
import { shell } from './zh-cn/shell.ts'

export const zhCn = { shell, list, school, device, alarm, ruleHelp }
