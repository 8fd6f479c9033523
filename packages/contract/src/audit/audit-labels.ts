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

/** What the server writes; a result that came later is shown as it came. */
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

/** The last word of an audited action. */
const auditVerb: EnumLabels<string> = {
  query: ['查看个人信息', 'Personal data read'],
  list: ['查看列表', 'List read'],
  reveal: ['查看完整联系方式', 'Full contact data read'],
  create: ['新增', 'Create'],
  update: ['修改', 'Update'],
  delete: ['删除', 'Delete'],
  export: ['导出', 'Export'],
  import: ['导入', 'Import'],
  refresh: ['刷新缓存', 'Refresh'],
  publish: ['发布', 'Publish'],
  push: ['推送', 'Push'],
  revoke: ['撤回', 'Revoke'],
  send: ['发送', 'Send'],
  reuse: ['令牌被重复使用', 'Token used twice'],
  register: ['注册', 'Register'],
  approve: ['通过注册', 'Approve'],
  reject: ['拒绝注册', 'Reject'],
  'update-status': ['启用或停用', 'Enable or disable'],
  'update-password': ['重置密码', 'Reset password'],
  'change-password': ['修改本人密码', 'Own password changed'],
  'update-profile': ['修改个人资料', 'Own data'],
  'update-preferences': ['修改界面偏好', 'Own preferences'],
  'update-avatar': ['更换头像', 'Own picture'],
  'forgotten-password': ['找回密码', 'Forgotten password'],
  activate: ['激活账号', 'Activate'],
  'bind-mobile': ['绑定手机号', 'Bind mobile'],
  'bind-email': ['绑定邮箱', 'Bind e-mail'],
  'bind-social': ['绑定第三方账号', 'Bind an account'],
  'unbind-social': ['解绑第三方账号', 'Unbind an account'],
  'send-code': ['发送验证码', 'Code sent'],
  'enrol-second-factor': ['申请二次验证', 'Second factor asked for'],
  'enable-second-factor': ['启用二次验证', 'Second factor on'],
  'disable-second-factor': ['停用二次验证', 'Second factor off'],
  'reset-second-factor': ['移除二次验证', 'Second factor removed'],
  cancel: ['取消', 'Cancel'],
  lock: ['锁定会话', 'Lock'],
  unlock: ['解锁会话', 'Unlock'],
  'confirm-qr': ['确认扫码登录', 'Confirm a QR sign-in'],
  'assign-user-role': ['分配角色', 'Assign roles'],
  'assign-role-menu': ['分配菜单权限', 'Assign menus'],
  'assign-role-data-scope': ['分配数据权限', 'Assign data scope'],
  kick: ['强制下线', 'Signed out by another'],
  'delete-own': ['退出自己的其他设备', 'Own device signed out'],
  'import-rows': ['查看导入内容', 'Rows of an import'],
  'import-result': ['下载导入结果', 'Result of an import'],
  download: ['下载代码', 'Download of code'],
  age: ['到期清除', 'Removed by age'],
  // What a record's trace has; here where somebody was refused it.
  claim: ['认领', 'Claim'],
  release: ['释放', 'Release'],
  reassign: ['转交', 'Reassign'],
  verify: ['核实', 'Verify'],
  dispatch: ['派出', 'Dispatch'],
  escalate: ['升级', 'Escalate'],
  resolve: ['处置完成', 'Resolve'],
  false: ['标记误报', 'Mark as false'],
  merge: ['合并', 'Merge'],
  close: ['审核关闭', 'Close'],
  reopen: ['重新打开', 'Reopen'],
  shelve: ['搁置', 'Shelve'],
}

/** The first two parts of an audited action, named as the page where it is done. */
const auditModule: EnumLabels<string> = {
  'system:user': ['用户管理', 'Users'],
  'system:role': ['角色管理', 'Roles'],
  'system:permission': ['权限分配', 'Assignment of rights'],
  'system:menu': ['菜单管理', 'Menus'],
  'system:dept': ['部门管理', 'Departments'],
  'system:dict': ['字典管理', 'Dictionaries'],
  'infra:config': ['参数配置', 'Settings'],
  'system:notice': ['通知管理', 'Notices'],
  'system:login-log': ['登录日志', 'Sign-ins'],
  'system:operate-log': ['操作日志', 'Operations'],
  'system:online-session': ['在线会话', 'Online sessions'],
  'system:session': ['登录会话', 'Sessions'],
  'system:job': ['后台任务', 'Jobs'],
  'infra:file': ['文件管理', 'Files'],
  'infra:codegen': ['代码生成', 'Code generator'],
  'bully:merchant-user': ['学校账号', 'School accounts'],
  'school:school': ['学校', 'Schools'],
  'warn:record': ['预警记录', 'Alarm records'],
  'warn:rule': ['预警规则', 'Alarm rules'],
  'warn:log': ['预警日志', 'Alarm log'],
  'demo:item': ['示例', 'Demo items'],
  'demo:text': ['富文本示例', 'Demo text'],
  'demo:signature': ['签名示例', 'Demo signature'],
  'demo:talk': ['消息示例', 'Demo messages'],
  'demo:upload': ['上传示例', 'Demo upload'],
}

/** Tables, as people call what is in them. */
const auditSubject: EnumLabels<string> = {
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
  job: ['后台任务', 'Job'],
  audit_log: ['操作日志', 'Operation log'],
  login_log: ['登录日志', 'Sign-in log'],
  codegen_table: ['代码生成的表', 'Table of the generator'],
  school: ['学校', 'School'],
  warn_record: ['预警记录', 'Alarm record'],
  warn_log: ['预警日志', 'Alarm log'],
  warn_rule: ['预警规则', 'Rule'],
  demo_item: ['示例', 'Demo item'],
  demo_text: ['富文本示例', 'Demo text'],
  demo_signature: ['签名示例', 'Demo signature'],
  demo_message: ['测试消息', 'Test message'],
}

/** The rest are names that the operator gave. */
const region: EnumLabels<string> = {
  [LOOPBACK_REGION]: [LOOPBACK_REGION, 'This machine'],
  [INTRANET]: [INTRANET, 'Intranet'],
}

/** Words of logs and settings, on screens and in sheets. */
export const auditLabels = {
  loginType,
  loginMethod,
  loginResult,
  configType,
  auditVerb,
  auditModule,
  auditSubject,
  region,
}
