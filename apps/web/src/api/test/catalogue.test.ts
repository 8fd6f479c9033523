import { codes } from '@tocsin/contract/codes'
import { field, type Lang } from '@tocsin/contract/field'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { demo } from '#texts/demo/demo.ts'
import { texts } from '#texts/texts.ts'
import { pickLanguage } from '#texts/topic.ts'
import { fieldErrorTexts } from '#ui/form.ts'
import { fault } from '../error.ts'
import { setMessageUi, showSessionExpired } from '../messages.ts'
import {
  type ErrorPlacement,
  type DisplayedError,
  isSessionOver,
  toDisplayedError,
  inlineErrorText,
  errorTexts,
} from '../error-display.ts'
import { openEnvelope } from '../wire/envelope.ts'

const [zhCn, en] = [pickLanguage(texts, 'zh-cn'), pickLanguage(texts, 'en')]

/** The error of an answer as received. */
const errorOf = (status: number, body: unknown): unknown => {
  try {
    openEnvelope(status, typeof body === 'string' ? body : JSON.stringify(body))
  } catch (error) {
    return error
  }
  return undefined
}
const inBoth = (error: unknown) => (['zh-cn', 'en'] as const).map((lang: Lang) => toDisplayedError(error, lang))

/** The text beneath a required field that is empty. */
const missing = (lang: Lang) =>
  fieldErrorTexts(z.strictObject({ name: field(z.string().min(1), '名称', 'Name') }), 'name', undefined, lang).join()

type Row = [what: string, status: number, body: unknown, place: ErrorPlacement, zh: string, en: string]

const html = '<html><body>gateway</body></html>'
const known = (code: { code: number; zh: string }) => ({ code: code.code, msg: code.zh, data: null })

/** The error table of SPEC 8 in its order; messages of the server are Chinese. */
const rows: Row[] = [
  ['an invalid refresh token', 200, known(codes.invalidRefresh), 'silent', '无效的刷新令牌', 'Invalid refresh token'],
  ['an expired refresh token', 200, known(codes.refreshExpired), 'silent', '刷新令牌已过期', 'Refresh token expired'],
  ['401, which the dialog speaks of', 200, known(codes.unauthenticated), 'silent', '账号未登录', 'Not signed in'],
  [
    '500',
    200,
    { code: 500, msg: 'NullPointer' },
    'toast',
    '服务器错误,请联系管理员!',
    'Server error, please contact the administrator',
  ],
  [
    '901',
    200,
    { code: 901, msg: '' },
    'info',
    '演示模式，不能进行写操作!',
    'Demo mode, write operations are not possible',
  ],
  ['another code', 200, { code: 1003, msg: '学校名称已存在' }, 'notification', '学校名称已存在', '学校名称已存在'],
  ['an account that exists', 200, known(codes.userExists), 'toast', '用户账号已经存在', codes.userExists.en],
  ['a captcha that was used', 200, known(codes.captchaUsed), 'toast', '验证码已使用', codes.captchaUsed.en],
  ['a mobile that exists', 200, known(codes.mobileExists), 'toast', '手机号已经存在', codes.mobileExists.en],
  ['a captcha that is gone', 200, known(codes.captchaGone), 'toast', '验证码不存在', codes.captchaGone.en],
  [
    'A0230',
    401,
    { code: 'A0230', msg: '您的会话已过期，请重新登录' },
    'silent',
    '您的会话已过期，请重新登录',
    'Your session has expired, please sign in again',
  ],
  ['an HTTP error with a message', 409, known(codes.stale), 'toast', codes.stale.zh, codes.stale.en],
  ['an HTTP error without one', 418, html, 'toast', '系统出错', 'System error'],
  ['401 without a message', 200, { code: 401 }, 'silent', '认证失败，无法访问系统资源', 'Authentication failed'],
  ['403 without a message', 200, { code: 403 }, 'notification', '当前操作没有权限', 'No permission'],
  ['404 without a message', 200, { code: 404 }, 'notification', '访问资源不存在', 'Resource not found'],
  [
    'another code without a message',
    200,
    { code: 1003 },
    'notification',
    '系统未知错误，请反馈给管理员',
    'Unknown system error, please tell the administrator',
  ],
  ['B0001', 200, { code: 'B0001', msg: 'x' }, 'toast', '系统出错', 'System error'],
  ['B0001 of an HTTP error', 503, { code: 'B0001', msg: '维护中' }, 'toast', '维护中', '维护中'],
  [
    'HTTP 401, which the dialog speaks of',
    401,
    html,
    'silent',
    '用户没有权限（令牌、用户名、密码错误）!',
    'No permission (token, user name or password error)',
  ],
  ['HTTP 403', 403, html, 'toast', '用户得到授权，但是访问是被禁止的!', 'Access forbidden'],
  ['HTTP 404', 404, html, 'toast', '请求的资源不存在!', 'Resource not found'],
  ['HTTP 405', 405, html, 'toast', '请求方法不允许!', 'Method not allowed'],
  ['HTTP 408', 408, html, 'toast', '请求超时!', 'Request timed out'],
  ['HTTP 500', 500, html, 'toast', '服务器错误,请联系管理员!', 'Server error, please contact the administrator'],
  ['HTTP 501', 501, html, 'toast', '服务未实现!', 'Not implemented'],
  ['HTTP 502', 502, html, 'toast', '网络错误!', 'Network error'],
  [
    'HTTP 503',
    503,
    html,
    'toast',
    '服务不可用，服务器暂时过载或维护!',
    'Service unavailable, overloaded or under maintenance',
  ],
  ['HTTP 504', 504, html, 'toast', '网络超时!', 'Network timeout'],
  ['HTTP 505', 505, html, 'toast', 'HTTP版本不受支持!', 'HTTP version not supported'],
]

describe('the display of SPEC 8', () => {
  it.each(rows)('shows %s where and as it says', (...row) => {
    const [, status, body, place, zh, english] = row
    const [chinese, other] = inBoth(errorOf(status, body))
    expect(chinese).toMatchObject({ place, text: zh })
    expect(other).toMatchObject({ place, text: english })
  })
})

describe('a session that is over', () => {
  it.each([codes.invalidRefresh, codes.refreshExpired, codes.unauthenticated])(
    'is what the dialog says it is, wherever the answer should stand: $zh',
    (code) => {
      const error = errorOf(200, known(code))
      expect(isSessionOver(error)).toBe(true)
      expect(inlineErrorText(error, 'zh-cn')).toBe('登录超时,请重新登录!')
    },
  )

  it('is shown by A0230 as a notice, before the sign-in page', () => {
    const shown: DisplayedError[] = []
    for (const lang of ['zh-cn', 'en'] as const) {
      setMessageUi({ lang: () => lang, show: (value) => void shown.push(value), ask: async () => false })
      showSessionExpired()
    }
    expect(shown).toEqual([
      { place: 'info', text: '您的会话已过期，请重新登录' },
      { place: 'info', text: 'Your session has expired, please sign in again' },
    ])
  })

  it('is not confused with another rejection', () => {
    const error = errorOf(200, { code: 1003, msg: '学校名称已存在' })
    expect(isSessionOver(error)).toBe(false)
    expect(inlineErrorText(error, 'zh-cn')).toBe('学校名称已存在')
  })
})

describe('no answer', () => {
  it.each([
    ['OFFLINE', '网络异常，请检查您的网络连接是否正常!', 'Network anomaly, please check your connection'],
    ['TIMEOUT', '接口请求超时,请刷新页面重试!', 'The request timed out, please refresh the page and try again'],
  ] as const)('%s is a toast', (code, zh, english) => {
    expect(inBoth(fault(code))).toMatchObject([
      { place: 'toast', text: zh },
      { place: 'toast', text: english },
    ])
  })

  it('shows an error of the page as a failed operation', () => {
    expect(inBoth(new TypeError('x of undefined'))).toMatchObject([
      { text: '操作失败,系统异常!' },
      { text: 'The operation failed, the system is abnormal' },
    ])
  })
})

describe('the texts', () => {
  it.each([
    [
      'the timed-out login',
      errorTexts.relogin['zh-cn'],
      errorTexts.relogin.en,
      '登录超时,请重新登录!',
      'Login timed out, please log in again!',
    ],
    ['its first button', errorTexts.reloginYes['zh-cn'], errorTexts.reloginYes.en, '重新登录', 'Log in again'],
    ['its second button', errorTexts.reloginNo['zh-cn'], errorTexts.reloginNo.en, '取消', 'Cancel'],
    ['the lock screen', codes.lockPassword.zh, codes.lockPassword.en, '锁屏密码错误', 'Lock screen password error'],
    [
      'the page that is not there',
      zhCn.shell.notFoundTitle,
      en.shell.notFoundTitle,
      '抱歉，您访问的页面不存在。',
      'Sorry, the page you visited does not exist.',
    ],
    [
      'the page that one may not open',
      zhCn.shell.forbiddenTitle,
      en.shell.forbiddenTitle,
      '抱歉，您无权访问此页面。',
      'Sorry, you may not open this page.',
    ],
    [
      'the page that broke',
      zhCn.shell.serverErrorTitle,
      en.shell.serverErrorTitle,
      '抱歉，服务器报告错误。',
      'Sorry, the server reported an error.',
    ],
    [
      'the page without data',
      zhCn.shell.emptyTitle,
      en.shell.emptyTitle,
      '当前页无数据',
      'There is nothing on this page',
    ],
    [
      'another language',
      zhCn.shell.languageSwitched,
      en.shell.languageSwitched,
      '切换语言成功！',
      'Switch Language Successful!',
    ],
    [
      'another size',
      zhCn.shell.sizeSwitched,
      en.shell.sizeSwitched,
      '切换布局大小成功！',
      'Switch Layout Size Successful!',
    ],
    ['leaving', zhCn.shell.logoutAsk, en.shell.logoutAsk, '是否退出本系统？', 'Exit the system?'],
    ['deleting', zhCn.list.deleteAsk, en.list.deleteAsk, '是否删除数据？', 'Delete the data?'],
    ['deleting several', zhCn.list.pickedAsk, en.list.pickedAsk, '是否删除所选中数据？', 'Delete the selected data?'],
    ['none chosen', zhCn.list.pickFirst, en.list.pickFirst, '请选择需要删除的数据', 'Please select the data to delete'],
    [
      'exporting',
      zhCn.list.exportAsk,
      en.list.exportAsk,
      '是否确认导出数据项？',
      'Whether to confirm export data item?',
    ],
    ['importing', ...demo.importAsk, '是否确认导入数据项？', 'Whether to confirm import data item?'],
    ['what was made', zhCn.list.created, en.list.created, '新增成功', 'Create Success'],
    ['what was changed', zhCn.list.saved, en.list.saved, '修改成功', 'Update Success'],
    ['what was deleted', zhCn.list.deleted, en.list.deleted, '删除成功', 'Deleted successfully'],
    ['what was not copied', zhCn.icon.copyFailed, en.icon.copyFailed, '复制失败', 'Copy Error'],
    ['what was copied', zhCn.icon.copied, en.icon.copied, '复制成功', 'Copy Success'],
    ['what is required', missing('zh-cn'), missing('en'), '该项为必填项', 'This is required'],
    ['a prompt', zhCn.list.badInput, en.list.badInput, '输入的数据不合法!', 'This input is not valid!'],
  ])('of %s are those of the specification', (...row) => {
    const [, chinese, english, zh, sentence] = row
    expect(chinese).toBe(zh)
    expect(english).toBe(sentence)
  })
})

it('of the actions of a tag are those of wire 3.3', () => {
  const { reload, closeTag, closeLeft, closeRight, closeOther, closeAll } = zhCn.shell
  expect([reload, closeTag, closeLeft, closeRight, closeOther, closeAll]).toEqual([
    '重新加载',
    '关闭标签页',
    '关闭左侧标签页',
    '关闭右侧标签页',
    '关闭其他标签页',
    '关闭全部标签页',
  ])
})
