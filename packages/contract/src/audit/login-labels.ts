import type { EnumLabels } from '../field.ts'
import type { LoginMethod, loginLogTypes } from './login-log.ts'
import { LOOPBACK_REGION, INTRANET } from './region.ts'

const loginType: EnumLabels<(typeof loginLogTypes)[number]> = {
  LOGIN: ['登录', 'Sign-in'],
  LOGOUT: ['退出', 'Sign-out'],
  REFRESH: ['续期', 'Renewal'],
  KICK: ['强制下线', 'Signed out by another'],
}

const loginMethod: EnumLabels<LoginMethod> = {
  PASSWORD: ['密码', 'Password'],
  SMS: ['短信验证码', 'Code by text message'],
  QR: ['扫码', 'QR code'],
  SOCIAL: ['第三方账号', 'Account of a provider'],
  ACTIVATION: ['激活码', 'Activation code'],
}

/** Values that the server writes; an unknown newer value is shown unchanged. */
const loginResult: EnumLabels<string> = {
  SUCCESS: ['成功', 'Succeeded'],
  UNKNOWN_USER: ['用户不存在', 'Unknown user'],
  BAD_PASSWORD: ['密码错误', 'Wrong password'],
  DISABLED: ['用户已停用', 'Disabled user'],
  CAPTCHA: ['验证码错误', 'Wrong verification code'],
  SLOWED: ['尝试过多', 'Too many attempts'],
  REUSED: ['令牌被重复使用', 'Token used twice'],
  SECOND_FACTOR: ['等待二次验证', 'Second factor wanted'],
  BAD_SECOND_FACTOR: ['二次验证错误', 'Wrong second factor'],
  BAD_CODE: ['短信或激活码错误', 'Wrong code'],
  PENDING: ['等待审核', 'Waiting for approval'],
  NOT_BOUND: ['未绑定用户', 'Bound to no user'],
}

const configType: EnumLabels<'STRING' | 'INT' | 'BOOLEAN' | 'JSON'> = {
  STRING: ['文本', 'Text'],
  INT: ['整数', 'Whole number'],
  BOOLEAN: ['是否', 'Yes or no'],
  JSON: ['JSON', 'JSON'],
}

/** The remaining names were given by the operator. */
const region: EnumLabels<string> = {
  [LOOPBACK_REGION]: [LOOPBACK_REGION, 'This machine'],
  [INTRANET]: [INTRANET, 'Intranet'],
}

/** Labels of sign-ins and settings. */
export const loginLabels = { loginType, loginMethod, loginResult, configType, region }
