import { z } from 'zod'
import { Id, Millis, queryBool, queryList, queryRange } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { PageQuery, page, sortable } from '../page.ts'
import { region } from './region.ts'

export const loginLogTypes = ['LOGIN', 'LOGOUT', 'REFRESH', 'KICK'] as const
/** The method by which a user was verified. */
export const loginMethods = ['PASSWORD', 'SMS', 'QR', 'SOCIAL', 'ACTIVATION'] as const
export type LoginMethod = (typeof loginMethods)[number]

export const LoginLogRow = z.strictObject({
  id: field(Id, '日志编号', 'Id'),
  logType: field(z.enum(loginLogTypes), '操作类型', 'Type'),
  /** Null for entries that are no sign-in, and for those from before methods were stored. */
  method: field(z.enum(loginMethods).nullable(), '登录方式', 'Method'),
  userId: field(Id.nullable(), '用户编号', 'User id'),
  username: field(z.string(), '用户名称', 'User name'),
  /** SUCCESS, or the reason of the failure. */
  result: field(z.string(), '登录结果', 'Result'),
  userIp: field(z.string(), '登录地址', 'Address'),
  region,
  userAgent: field(z.string(), '浏览器', 'Browser'),
  traceId: field(z.string(), '链路追踪编号', 'Trace id'),
  createTime: field(Millis, '登录日期', 'Time'),
})
export type LoginLogRow = z.output<typeof LoginLogRow>

export const LoginLogQuery = PageQuery.extend({
  username: field(z.string().max(100).optional(), '用户名称', 'User name'),
  userIp: field(z.string().max(45).optional(), '登录地址', 'Address'),
  logType: field(queryList(loginLogTypes).optional(), '操作类型', 'Type'),
  status: field(queryBool.optional(), '是否成功', 'Succeeded'),
  createTime: field(queryRange.optional(), '登录日期', 'Time'),
  orderBy: sortable(['createTime']),
})
export type LoginLogQuery = z.output<typeof LoginLogQuery>

export const loginLogs = {
  page: endpoint({
    method: 'GET',
    path: '/system/login-log/page',
    kind: 'json',
    permission: 'system:login-log:query',
    scope: 'dept',
    summary: '登录日志分页',
    summaryEn: 'Sign-ins, by page, of the last 7 days unless a time is given',
    query: LoginLogQuery,
    data: page(LoginLogRow),
  }),
  ...exportEndpoints({
    permission: 'system:login-log:export',
    scope: 'dept',
    path: '/system/login-log',
    title: '登录日志',
    titleEn: 'Sign-ins',
    query: LoginLogQuery,
  }),
}
