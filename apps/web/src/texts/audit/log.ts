import type { Topic } from '../topic.ts'

export const log = {
  lastDays: [
    '显示最近 7 天；选择时间可查更早的，一次最多 92 天',
    'The last 7 days; choose a time for earlier ones, at most 92 days at once',
  ],
  period: ['时间', 'Time'],
  periodHint: ['不选时为最近 7 天，一次最多 92 天', 'The last 7 days unless chosen, at most 92 days at once'],
  noLogins: ['最近 7 天没有登录记录', 'No sign-ins in the last 7 days'],
  noOperations: ['最近 7 天没有操作记录', 'No operations in the last 7 days'],
  login: ['登录日志详情', 'Sign-in'],
  operation: ['操作日志详情', 'Operation'],
  done: ['成功', 'Done'],
  refused: ['拒绝 {code}', 'Refused {code}'],
  changes: ['修改内容', 'Changes'],
  content: ['内容', 'Content'],
  removed: ['被删除的内容', 'What was deleted'],
  field: ['字段', 'Field'],
  before: ['修改前', 'Before'],
  after: ['修改后', 'After'],
  value: ['值', 'Value'],
  nothing: ['（空）', '(empty)'],
  unchanged: ['另有 {n} 个字段没有变化', 'Fields that did not change: {n}'],
  sameOnes: ['另有 {n} 项相同', 'and {n} that both have'],
  withheld: ['修改的内容不在您的数据范围内，无法查看', 'What was changed lies outside what you may see'],
  sealed: [
    '已封存（第 {seal} 号封存），内容与封存时一致，与前一封存相连',
    'Sealed (seal {seal}): the content is what was sealed, and follows from the seal before',
  ],
  waiting: [
    '等待封存（约 10 秒），内容与写入时一致',
    'Waiting for its seal (about 10 s): the content is what was written',
  ],
  broken: [
    '校验失败：内容、封存或封存链与写入时不一致，请立即联系安全负责人',
    'Not what was written: content, seal or chain was changed. Tell whoever answers for security at once',
  ],
} satisfies Topic

export const online = {
  none: ['没有可见的在线会话', 'No sessions that you may see'],
  current: ['当前会话', 'This session'],
  locked: ['已锁定', 'Locked'],
  kick: ['强制下线', 'Sign out'],
  kickAsk: ['强制 {name} 下线？', 'Sign out {name}?'],
  kickEffect: [
    '该浏览器将立即退出登录，未保存的内容会丢失。',
    'That browser is signed out at once; what was not saved there is lost.',
  ],
  kicked: ['已强制下线', 'Signed out'],
  notOwn: ['不能强制下线自己正在使用的会话', 'You cannot end the session you are using'],
} satisfies Topic
