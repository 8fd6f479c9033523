import { alarm } from './zh-cn/alarm.ts'
import { desk } from './zh-cn/desk.ts'
import { device } from './zh-cn/device.ts'
import { list } from './zh-cn/list.ts'
import { ruleHelp } from './zh-cn/rule-help.ts'
import { school } from './zh-cn/school.ts'
import { shell } from './zh-cn/shell.ts'

export const zhCn = { shell, list, school, device, alarm, desk, ruleHelp }
