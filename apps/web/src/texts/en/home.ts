import type { SameKeys } from '../same-keys.ts'
import type { home as zh } from '../zh-cn/home.ts'

export const home: SameKeys<typeof zh> = {
  open: 'Open alarms',
  due: '{n} unattended',
  exercises: 'And {n} in tests and drills',
  oldest: 'Waiting longest',
  noneWaiting: 'No alarm is unattended',
  noPlace: 'Place unknown',
  today: 'Alarms today',
  raised: 'Raised',
  ended: 'Ended',
  false: 'False',
  devices: 'Devices',
  notices: 'My notices',
  more: 'Show all',
  visits: 'Visits',
  lastDays: 'Last {n} days',
  png: 'Download picture',
  pv: 'Page views',
  uv: 'Visitors',
  ip: 'Addresses',
  inAll: '{n} in all',
  grew: '{n} against the same hours yesterday',
  noYesterday: 'No visits in the same hours yesterday',
  chart: '{from} to {to}: page views {pv}, visitors a day {uv}',
}
