import type { Topic } from '../topic.ts'

export const workflow = {
  timeline: ['时间线', 'Timeline'],
  system: ['系统', 'System'],
  printedBy: ['{name} 打印于 {at}', 'Printed by {name}, {at}'],
  noEvents: ['还没有记录', 'Nothing recorded yet'],
  technical: ['技术信息', 'Technical details'],
  left: ['{label} 剩 {text}', '{label}: {text} left'],
  overdue: ['{label} 超时 {text}', '{label}: {text} overdue'],
  hours: ['{h} 时 {m} 分', '{h} h {m} min'],
  days: ['{d} 天 {h} 时', '{d} d {h} h'],
} satisfies Topic
