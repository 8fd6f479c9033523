import type { Topic } from '../topic.ts'

export const outage = {
  title: ['离线的设备', 'Devices offline'],
  count: ['{offline} / {total} 台仍离线', '{offline} of {total} devices still offline'],
  cut: ['只列前 {n} 台', 'Only the first {n} devices are listed'],
  raise: ['单独报警', 'Raise an alarm'],
  raised: ['已单独产生警情，立即响铃', 'Its own alarm was raised; it sounds now'],
  gone: ['这些设备已不在可见范围内', 'These devices are no longer visible to you'],
} satisfies Topic
