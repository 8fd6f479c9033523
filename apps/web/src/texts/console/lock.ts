import type { Topic } from '../topic.ts'

export const lock = {
  menu: ['锁定屏幕', 'Lock screen'],
  title: ['锁定屏幕', 'Lock screen'],
  own: ['锁屏密码（选填）', 'Password of the lock (optional)'],
  ownHelp: [
    '留空则用登录密码解锁；设置后，两个密码都可以解锁。',
    'Without one, your own password unlocks; with one, either of them does.',
  ],
  lock: ['锁定', 'Lock'],
  pageTitle: ['已锁定 - 校警联', 'Locked - Tocsin'],
  locked: ['会话已锁定', 'This session is locked'],
  unlock: ['点击解锁', 'Unlock'],
  password: ['锁屏密码或登录密码', 'Lock password or your own'],
  missing: ['请输入锁屏密码', 'Please enter the lock password'],
  enter: ['进入系统', 'Enter system'],
  back: ['返回', 'Back'],
  open: ['{n} 起警情未结束', 'Open alarms: {n}'],
  due: ['{n} 起警情待接警，共 {open} 起未结束', 'Alarms to claim: {n}, open: {open}'],
} satisfies Topic
