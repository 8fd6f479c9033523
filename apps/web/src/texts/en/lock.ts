import type { SameKeys } from '../same-keys.ts'
import type { lock as zh } from '../zh-cn/lock.ts'

export const lock: SameKeys<typeof zh> = {
  menu: 'Lock screen',
  title: 'Lock screen',
  own: 'Password of the lock (optional)',
  ownHelp: 'Without one, your own password unlocks; with one, either of them does.',
  lock: 'Lock',
  pageTitle: 'Locked - Tocsin',
  locked: 'This session is locked',
  unlock: 'Unlock',
  password: 'Lock password or your own',
  missing: 'Please enter the lock password',
  enter: 'Enter system',
  back: 'Back',
  open: 'Open alarms: {n}',
  due: 'Alarms to claim: {n}, open: {open}',
}
