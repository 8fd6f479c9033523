import type { Topic } from '../topic.ts'

export const silence = {
  panicNone: ['今天收到紧急报警 {received} 次，隐藏 0 次', 'Panic signals received today: {received}; hidden: 0'],
  panicHidden: [
    '今天收到紧急报警 {received} 次，其中 {hidden} 次没有成为警情。请立即核实。',
    'Panic signals received today: {received}; {hidden} made no alarm. Check at once.',
  ],
  summary: ['今天 {n} 条未响', 'Not sounded today: {n}'],
  part: ['{kind} {n}', '{kind} {n}'],
  none: ['今天没有隐藏任何警情', 'Nothing was hidden today'],
  toRecord: ['查看警情', 'See the alarm'],
  toDeliveries: ['去重发', 'Send again'],
  undo: ['取消搁置', 'Unshelve'],
  undone: ['已取消搁置，立即响铃', 'Unshelved; it sounds now'],
  cut: ['每类只列最近 {n} 条', 'Only the latest {n} of each kind are listed'],
} satisfies Topic
