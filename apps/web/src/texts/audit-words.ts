import type { ConfigType } from '@tocsin/contract/system/config'
import type { loginLogTypes } from '@tocsin/contract/system/log/login-log'

type Labels<W extends string> = Record<W, readonly [zh: string, en: string]>

const loginType: Labels<(typeof loginLogTypes)[number]> = {
  LOGIN: ['登录', 'Sign-in'],
  LOGOUT: ['退出', 'Sign-out'],
  REFRESH: ['续期', 'Renewal'],
  KICK: ['强制下线', 'Signed out by another'],
}

/** What the server writes; a result that came later is shown as it came. */
const loginResult: Labels<string> = {
  SUCCESS: ['成功', 'Succeeded'],
  UNKNOWN_USER: ['用户不存在', 'Unknown user'],
  BAD_PASSWORD: ['密码错误', 'Wrong password'],
  DISABLED: ['用户已停用', 'Disabled user'],
  CAPTCHA: ['验证码错误', 'Wrong verification code'],
  SLOWED: ['尝试过多', 'Too many attempts'],
  REUSED: ['令牌被重复使用', 'Token used twice'],
  SECOND_FACTOR: ['等待二次验证', 'Second factor wanted'],
  BAD_CODE: ['二次验证错误', 'Wrong second factor'],
}

const configType: Labels<ConfigType> = {
  STRING: ['文本', 'Text'],
  INT: ['整数', 'Whole number'],
  BOOLEAN: ['是否', 'Yes or no'],
  JSON: ['JSON', 'JSON'],
}

/** The last word of an audited action. */
const auditVerb: Labels<string> = {
  query: ['查看个人信息', 'Personal data read'],
  reveal: ['查看完整联系方式', 'Full contact data read'],
  create: ['新增', 'Create'],
  update: ['修改', 'Update'],
  delete: ['删除', 'Delete'],
  export: ['导出', 'Export'],
  import: ['导入', 'Import'],
  refresh: ['刷新缓存', 'Refresh'],
  publish: ['发布', 'Publish'],
  revoke: ['撤回', 'Revoke'],
  reuse: ['令牌被重复使用', 'Token used twice'],
  register: ['注册', 'Register'],
  approve: ['通过注册', 'Approve'],
  reject: ['拒绝注册', 'Reject'],
  'update-status': ['启用或停用', 'Enable or disable'],
  'update-password': ['重置密码', 'Reset password'],
  'update-profile': ['修改个人资料', 'Own data'],
  'update-avatar': ['更换头像', 'Own picture'],
  'forgotten-password': ['找回密码', 'Forgotten password'],
  'assign-user-role': ['分配角色', 'Assign roles'],
  'assign-role-menu': ['分配菜单权限', 'Assign menus'],
  'assign-role-data-scope': ['分配数据权限', 'Assign data scope'],
}

/** Tables, as people call what is in them. */
const auditSubject: Labels<string> = {
  users: ['用户', 'User'],
  role: ['角色', 'Role'],
  menu: ['菜单', 'Menu entry'],
  dept: ['部门', 'Department'],
  dict_type: ['字典类型', 'Dictionary'],
  dict_data: ['字典数据', 'Entry'],
  config: ['参数', 'Setting'],
  session: ['会话', 'Session'],
  notice: ['通知', 'Notice'],
  file: ['文件', 'File'],
  warn_rule: ['预警规则', 'Rule'],
}

/** Words of logs and settings. */
export const auditWords = { loginType, loginResult, configType, auditVerb, auditSubject }
