import type * as zhCn from '../zh-cn/greeting.ts'
import type { SameKeys } from '../same-keys.ts'

export const greeting: SameKeys<typeof zhCn.greeting> = {
  night: 'It is late, {name}',
  morning: 'Good morning, {name}',
  forenoon: 'Good morning, {name}',
  afternoon: 'Good afternoon, {name}',
  evening: 'Good evening, {name}',
}

export const ahead: SameKeys<typeof zhCn.ahead> = {
  missing: 'The page did not come whole: the line is cut, or the system was updated.',
  reload: 'Reload',
}
