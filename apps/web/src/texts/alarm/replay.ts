import type { Topic } from '../topic.ts'

export const replay = {
  open: ['回放', 'Replay'],
  title: ['回放 {no}', 'Replay of {no}'],
  events: ['到此刻的事件 {n}', 'Events until this moment: {n}'],
  milestones: ['关键时刻', 'Milestones'],
  keys: [
    '空格 播放或暂停 · ← → 5 秒 · Home End 首尾 · + − 速度',
    'Space plays or pauses · ← → 5 s · Home End first and last · + − speed',
  ],
  sentAt: ['已发出', 'sent'],
  deliveredAt: ['已送达', 'delivered'],
  readAt: ['已读', 'read'],
  displayed: ['席位显示了警情', 'seat displayed the alarm'],
  sounded: ['席位响铃', 'seat sounded the alarm'],
  seats: ['此刻的席位', 'Seats at this moment'],
  seatShown: ['{name} 已显示', '{name}: displayed'],
  seatBoth: ['{name} 已显示并响铃', '{name}: displayed and sounded'],
  seatSounded: ['{name} 已响铃', '{name}: sounded'],
  seatNothing: ['{name} 尚未显示', '{name}: not displayed yet'],
  incomplete: ['部分数据未读到，回放不完整', 'The replay is incomplete because some data could not be read'],
  messagesCut: ['只回放最近 {n} 条消息', 'Only the newest {n} messages are played back'],
} satisfies Topic
