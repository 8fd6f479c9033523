import { codes, fillTemplate } from '@tocsin/contract/codes'
import type { Language } from './texts.ts'

/** Sentences of a server of another version; those of this one are the contract's. */
const others: [string, string][] = [
  ['登录失败，账号被禁用', 'Sign-in failed: the account is disabled'],
  ['用户密码校验失败', 'The current password is wrong'],
  ['请求失败，请稍后重试', 'The request failed, please try again later'],
  ['重复请求，请稍后重试', 'Repeated request, please try again later'],
]

const known = new Map([...Object.values(codes).map(({ zh, en }): [string, string] => [zh, en]), ...others])

/** '请在 {seconds} 秒后' becomes a pattern with a group `seconds`, the same in every occurrence; the rest is literal. */
const pattern = (sentence: string) => {
  const parts = sentence.split(/\{(\w+)\}/)
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const group = (name: string, at: number) => (parts.indexOf(name) < at ? `\\k<${name}>` : `(?<${name}>.+)`)
  return new RegExp(`^${parts.map((part, at) => (at % 2 === 1 ? group(part, at) : literal(part))).join('')}$`)
}

/**
 * The server answers in Chinese and its sentences are the keys; they are translated when shown. An unknown sentence is
 * shown as it came.
 */
export const showServerMessage = (message: string, language: Language) => {
  if (language !== 'en') return message
  const exact = known.get(message)
  if (exact !== undefined) return exact
  // A sentence that is mostly placeholders ('{what}不存在') would match others: the longest match wins.
  const fitting = [...known].filter(([chinese]) => pattern(chinese).test(message))
  const [best] = fitting.sort(([item], [other]) => other.length - item.length)
  return best ? fillTemplate(best[1], { ...pattern(best[0]).exec(message)?.groups }) : message
}

/** Messages by HTTP status, for answers without a sentence [spec 8]. */
const byStatus: Record<number, Record<Language, string>> = {
  401: { 'zh-cn': '用户没有权限（令牌、用户名、密码错误）!', en: 'No permission (token, user name or password error)' },
  403: { 'zh-cn': '用户得到授权，但是访问是被禁止的!', en: 'Access forbidden' },
  404: { 'zh-cn': '请求的资源不存在!', en: 'Resource not found' },
  405: { 'zh-cn': '请求方法不允许!', en: 'Method not allowed' },
  408: { 'zh-cn': '请求超时!', en: 'Request timed out' },
  500: { 'zh-cn': '服务器错误,请联系管理员!', en: 'Server error, please contact the administrator' },
  501: { 'zh-cn': '服务未实现!', en: 'Not implemented' },
  502: { 'zh-cn': '网络错误!', en: 'Network error' },
  503: { 'zh-cn': '服务不可用，服务器暂时过载或维护!', en: 'Service unavailable, overloaded or under maintenance' },
  504: { 'zh-cn': '网络超时!', en: 'Network timeout' },
  505: { 'zh-cn': 'HTTP版本不受支持!', en: 'HTTP version not supported' },
  901: { 'zh-cn': '演示模式，不能进行写操作!', en: 'Demo mode, write operations are not possible' },
}

/** Message of the specification for an HTTP status or body code; undefined without one. */
export const showStatus = (status: number, language: Language) => byStatus[status]?.[language]
