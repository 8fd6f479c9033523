import { z } from 'zod'
import { Id, Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { region } from '../audit/region.ts'

/** A signed-in browser whose session has not ended or expired. */
export const OnlineSessionRow = z.strictObject({
  id: field(Id, '会话编号', 'Session id'),
  userId: field(Id, '用户编号', 'User id'),
  username: field(z.string(), '用户名称', 'User name'),
  nickname: field(z.string(), '用户昵称', 'Name'),
  deptName: field(z.string(), '部门', 'Department'),
  userIp: field(z.string(), '登录地址', 'Address'),
  region,
  userAgent: field(z.string(), '浏览器', 'Browser'),
  createTime: field(Millis, '登录时间', 'Since'),
  /** When its tokens were last refreshed, about each half hour of use. */
  lastUsedTime: field(Millis, '最近活动时间', 'Last used'),
  locked: field(z.boolean(), '已锁定', 'Locked'),
  /** The caller's own session, which cannot be ended here. */
  current: field(z.boolean(), '当前会话', 'This session'),
})
export type OnlineSessionRow = z.output<typeof OnlineSessionRow>

export const OnlineSessionQuery = PageQuery.extend({
  username: field(z.string().max(100).optional(), '用户名称', 'User name'),
  userIp: field(z.string().max(45).optional(), '登录地址', 'Address'),
  orderBy: sortable(['username', 'createTime', 'lastUsedTime']),
})
export type OnlineSessionQuery = z.output<typeof OnlineSessionQuery>

export const onlineSessions = {
  page: endpoint({
    method: 'GET',
    path: '/system/online-session/page',
    kind: 'json',
    permission: 'system:online-session:query',
    scope: 'dept',
    summary: '在线会话分页',
    summaryEn: 'Who is signed in, by page, latest first',
    query: OnlineSessionQuery,
    data: page(OnlineSessionRow),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/system/online-session/delete',
    kind: 'json',
    permission: 'system:online-session:delete',
    scope: 'dept',
    summary: '强制下线',
    summaryEn: 'End a session; its browser is signed out on every node',
    query: ById,
    data: z.literal(true),
  }),
}
