import type { greeting as zhCn } from '../zh-cn/greeting.ts'
import type { Same } from '../same.ts'

export const greeting: Same<typeof zhCn> = {
  night: 'It is late, {name}',
  morning: 'Good morning, {name}',
  forenoon: 'Good morning, {name}',
  afternoon: 'Good afternoon, {name}',
  evening: 'Good evening, {name}',
}
