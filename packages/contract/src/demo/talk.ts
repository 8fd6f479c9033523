import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'

/** A user who has not reported for so long has left the page. */
export const TALK_SECONDS = 30

export const TalkPerson = z.strictObject({
  userId: field(Id, '用户编号', 'User id'),
  nickname: field(z.string(), '用户昵称', 'Name'),
})
export type TalkPerson = z.output<typeof TalkPerson>

export const TalkMessage = z.strictObject({
  id: field(Id, '消息编号', 'Message id'),
  fromUserId: field(Id, '发送人', 'From'),
  fromName: field(z.string(), '发送人', 'From'),
  /** Null: to all users on the page. */
  toUserId: field(Id.nullable(), '接收人', 'To'),
  toName: field(z.string().nullable(), '接收人', 'To'),
  text: field(z.string(), '消息内容', 'Message'),
  at: field(Millis, '时间', 'Time'),
})
export type TalkMessage = z.output<typeof TalkMessage>

const TalkDraft = z.strictObject({
  text: field(z.string().trim().min(1).max(500), '消息内容', 'Message'),
  /** A visible user on the page; absent: all users on the page. */
  toUserId: field(Id.optional(), '接收人', 'To'),
})
export type TalkDraft = z.output<typeof TalkDraft>

const talk = (verb: string) => ({ kind: 'json', permission: `demo:talk:${verb}`, scope: 'dept' }) as const

/** The websocket demo: messages are rows, its topic only announces new ones. */
export const demoTalks = {
  list: endpoint({
    ...talk('query'),
    method: 'GET',
    path: '/demo/talk/list',
    summary: '测试消息',
    summaryEn: 'The last hundred messages to everybody, from me or to me, oldest first',
    data: z.array(TalkMessage),
  }),
  people: endpoint({
    ...talk('query'),
    method: 'GET',
    path: '/demo/talk/people',
    summary: '测试页面上的用户',
    summaryEn: 'Who is on the test page, as far as in sight, but not oneself',
    data: z.array(TalkPerson),
  }),
  here: endpoint({
    ...talk('query'),
    method: 'POST',
    path: '/demo/talk/here',
    summary: '进入测试页面',
    summaryEn: `Say that one is on the test page, for the next ${TALK_SECONDS} s`,
    data: z.literal(true),
  }),
  gone: endpoint({
    ...talk('query'),
    method: 'POST',
    path: '/demo/talk/gone',
    summary: '离开测试页面',
    summaryEn: 'Say that one has left the test page',
    data: z.literal(true),
  }),
  send: endpoint({
    ...talk('send'),
    method: 'POST',
    path: '/demo/talk/send',
    summary: '发送测试消息',
    summaryEn: 'Send a message to everybody on the test page, or to one of them',
    body: TalkDraft,
    data: Id,
  }),
}
