import { codes, type Params, SESSION_KILLED, codeMessage } from '@tocsin/contract/codes'
import type { Lang } from '@tocsin/contract/field'
import { issueText } from '@tocsin/contract/issue'
import { ApiError } from './error.ts'

/** Where an error is shown (SPEC 8). `silent`: nowhere, or already by its own dialog. */
export type ErrorPlacement = 'silent' | 'toast' | 'notification' | 'info'
export type DisplayedError = { place: ErrorPlacement; text: string; traceId?: string | undefined }

type Both = Record<Lang, string>
const both = (zh: string, en: string): Both => ({ 'zh-cn': zh, en })

/** The sentences of SPEC 8 by HTTP status, for 500 and 901 by code too, as wire 12.2 spells them. */
export const statusTexts: Record<number, Both> = {
  401: both('用户没有权限（令牌、用户名、密码错误）!', 'No permission (token, user name or password error)'),
  403: both('用户得到授权，但是访问是被禁止的!', 'Access forbidden'),
  404: both('请求的资源不存在!', 'Resource not found'),
  405: both('请求方法不允许!', 'Method not allowed'),
  408: both('请求超时!', 'Request timed out'),
  500: both('服务器错误,请联系管理员!', 'Server error, please contact the administrator'),
  501: both('服务未实现!', 'Not implemented'),
  502: both('网络错误!', 'Network error'),
  503: both('服务不可用，服务器暂时过载或维护!', 'Service unavailable, overloaded or under maintenance'),
  504: both('网络超时!', 'Network timeout'),
  505: both('HTTP版本不受支持!', 'HTTP version not supported'),
  901: both('演示模式，不能进行写操作!', 'Demo mode, write operations are not possible'),
}

/** The defaults of SPEC 8 for an envelope with a code and without a sentence. */
const codeTexts: Record<number, Both> = {
  401: both('认证失败，无法访问系统资源', 'Authentication failed'),
  403: both('当前操作没有权限', 'No permission'),
  404: both('访问资源不存在', 'Resource not found'),
}

export const errorTexts = {
  system: both('系统出错', 'System error'),
  unknown: both('系统未知错误，请反馈给管理员', 'Unknown system error, please tell the administrator'),
  /** An error of the page itself. */
  broken: both('操作失败,系统异常!', 'The operation failed, the system is abnormal'),
  OFFLINE: both('网络异常，请检查您的网络连接是否正常!', 'Network anomaly, please check your connection'),
  TIMEOUT: both('接口请求超时,请刷新页面重试!', 'The request timed out, please refresh the page and try again'),
  MALFORMED: both(
    '服务器的回答无法识别，页面可能已过期，请刷新页面',
    'The answer could not be read; this page may be out of date, please reload it',
  ),
  expired: both('您的会话已过期，请重新登录', 'Your session has expired, please sign in again'),
  relogin: both('登录超时,请重新登录!', 'Login timed out, please log in again!'),
  reloginTitle: both('系统提示', 'System notice'),
  reloginYes: both('重新登录', 'Log in again'),
  reloginNo: both('取消', 'Cancel'),
}

const isFault = (code: unknown): code is 'OFFLINE' | 'TIMEOUT' | 'MALFORMED' =>
  code === 'OFFLINE' || code === 'TIMEOUT' || code === 'MALFORMED'

type ErrorFields = { code: number | string; msg: string; status?: number | undefined; params?: Params | undefined }

/** Message in the language of the user; the server answers in Chinese (DESIGN 5). */
export const errorText = (error: unknown, lang: Lang): string => {
  if (!(error instanceof ApiError)) return errorTexts.broken[lang]
  const { code, msg, status, params }: ErrorFields = error
  if (isFault(code)) return errorTexts[code][lang]
  if (code === SESSION_KILLED) return errorTexts.expired[lang]
  if (code === 500 || code === 901) return statusTexts[code]?.[lang] ?? errorTexts.system[lang]
  const [first] = error.errors
  if (first && lang === 'en') return issueText(first, lang)
  if (msg && typeof code === 'number') return codeMessage({ code, msg, ...(params && { params }) }, lang)
  // The server's own message of an HTTP error is shown, also with the code of a system error.
  if (msg && (code !== 'B0001' || (status !== undefined && status >= 400))) return msg
  if (status !== undefined && status >= 400) return (statusTexts[status] ?? errorTexts.system)[lang]
  return (code === 'B0001' ? errorTexts.system : (codeTexts[Number(code)] ?? errorTexts.unknown))[lang]
}

/** The sentences of SPEC 8 that are shown as a toast instead of a notification. */
const toasted: ReadonlySet<string> = new Set(
  [codes.userExists, codes.captchaUsed, codes.mobileExists, codes.captchaGone].map((c) => c.zh),
)
const silenced: ReadonlySet<string> = new Set([codes.invalidRefresh.zh, codes.refreshExpired.zh])

/** Whether a call failed because the session is over, which only the dialog reports. */
export const isSessionOver = (error: unknown): boolean =>
  error instanceof ApiError && (silenced.has(error.msg) || error.code === 401)

/** The text at the place that failed; for a session that is over it is that of the dialog. */
export const inlineErrorText = (error: unknown, lang: Lang): string =>
  isSessionOver(error) ? errorTexts.relogin[lang] : errorText(error, lang)

const placementOf = (error: ApiError): ErrorPlacement => {
  if (isSessionOver(error)) return 'silent'
  // A session that was ended, and a required password change, lead to another page; the lock covers this one.
  if (error.code === SESSION_KILLED || error.code === codes.mustChangePassword.code) return 'silent'
  if (error.code === codes.locked.code) return 'silent'
  if (isFault(error.code) || error.code === 500 || error.code === 'B0001') return 'toast'
  if (error.code === 901) return 'info'
  if (error.status !== undefined && error.status >= 400) return 'toast'
  return toasted.has(error.msg) ? 'toast' : 'notification'
}

/** Where and how an error is shown. Anything that is not an ApiError is an error of the page and says so. */
export const toDisplayedError = (error: unknown, lang: Lang): DisplayedError => {
  const text = errorText(error, lang)
  if (!(error instanceof ApiError)) return { place: 'toast', text }
  return { place: placementOf(error), text, traceId: error.traceId }
}
