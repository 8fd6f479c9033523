import { describe, expect, it } from 'vitest'
import { statusTexts } from '#api/error-display.ts'
import { showStatus } from './server-messages.ts'
import { texts } from './texts.ts'

describe('the sign-in page says word for word (SPEC 5 and 8, wire 12.2)', () => {
  it.each([
    ['usernameMissing', '请输入用户名', 'Please enter Username'],
    ['passwordMissing', '请输入密码', 'Please enter Password'],
    ['passwordShort', '密码不能少于6位', 'The password can not be less than 6 digits'],
    ['captchaMissing', '请输入验证码', 'Please enter Verify Code'],
    ['policyMissing', '勾选后才能注册', 'Register after checking'],
    ['repeatDiffers', '两次输入密码不一致', 'The two passwords are inconsistent'],
    ['capsLock', '大写锁定已打开', 'Caps Lock is On'],
    ['otherWays', '其他登录方式', 'Other login methods'],
    ['forgot', '忘记密码', 'Forget Password'],
    ['rememberMe', '记住我', 'Remember Me'],
    ['languageSwitched', '切换语言成功！', 'Switch Language Successful!'],
    ['expired', '您的会话已过期，请重新登录', 'Your session has expired, please sign in again'],
    ['offline', '网络异常，请检查您的网络连接是否正常!', 'Network anomaly, please check your connection'],
  ] as const)('%s: %s', (key, zh, en) => {
    expect([texts['zh-cn'][key], texts.en[key]]).toEqual([zh, en])
  })

  it.each(Object.entries(statusTexts))('of status %s what the console says', (status, said) => {
    for (const language of ['zh-cn', 'en'] as const) expect(showStatus(Number(status), language)).toBe(said[language])
  })
})
