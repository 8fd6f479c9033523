import type { Topic } from '../topic.ts'

export const ruleTrial = {
  limits: ['适用范围', 'Where and when'],
  open: ['试运行', 'Try'],
  title: ['试运行：{name}', 'Trial: {name}'],
  history: [
    '过去 90 天会产生 {alarms} 起，其中 {real} 起属实',
    'In 90 days: would have raised {alarms}, of which {real} were true',
  ],
  live: [
    '影子运行至今会产生 {alarms} 起，其中 {real} 起属实',
    'As shadow so far: would have raised {alarms}, of which {real} were true',
  ],
  signals: ['匹配信号 {n} 条，起算 {since}', '{n, plural(one: signal; other: signals)} matched since {since}'],
  cut: ['信号过多，只计算最近 {n} 条', 'Too many signals: only the latest {n} were counted'],
  none: ['没有会产生的警情', 'It would have raised no alarm'],
  versions: ['版本', 'Versions'],
  version: ['第 {n} 版 · {at} · {by}', 'Version {n} · {at} · {by}'],
  system: ['系统', 'System'],
  unchanged: ['没有字段变化', 'No field changed'],
  simulate: ['试一条信号', 'Try a signal'],
  run: ['试一下', 'Run'],
  raises: ['会产生{level}{class}警情', 'Raises an alarm: {level}, {class}'],
  byDefault: ['没有规则决定，按默认产生{level}{class}警情', 'No rule decides; raised by default: {level}, {class}'],
  raisesNone: ['不会产生警情', 'Raises no alarm'],
} satisfies Topic
