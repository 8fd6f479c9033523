import type * as zhCn from '../zh-cn/greeting.ts'
import type { Same } from '../same.ts'

export const greeting: Same<typeof zhCn.greeting> = {
  night: 'It is late, {name}',
  morning: 'Good morning, {name}',
  forenoon: 'Good morning, {name}',
  afternoon: 'Good afternoon, {name}',
  evening: 'Good evening, {name}',
}

export const ahead: Same<typeof zhCn.ahead> = {
  missing: 'The page did not come whole: the line is cut, or the system was updated.',
  reload: 'Reload',
}
