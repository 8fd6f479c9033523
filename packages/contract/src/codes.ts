import { alarmCodes, deviceCodes } from './codes/business-codes.ts'
import { dutyCodes } from './codes/duty-codes.ts'
import { type Code, code, type Params, errorMessage } from './codes/code.ts'
import { notifyCodes } from './codes/notify-codes.ts'
import { employeeCodes } from './codes/employee-codes.ts'
import { passwordCodes } from './codes/password-codes.ts'
import { policeCodes } from './codes/police-codes.ts'
import { superviseCodes } from './codes/oversight-codes.ts'
import { codegenCodes, configCodes, fileCodes } from './codes/file-codes.ts'
import { schoolCodes } from './codes/school-codes.ts'

export type { Code, Params } from './codes/code.ts'
export { fillTemplate } from './codes/code.ts'

/** Every code that the server sends, once. The four matched messages of SPEC 8 and wire 12.1 must never change. */
export const codes = {
  invalid: code(400, '请求参数不正确', 'The request is not valid'),
  invalidRefresh: code(400, '无效的刷新令牌', 'Invalid refresh token'),
  tenant: code(400, '租户编号不正确', 'Unknown tenant'),
  tooDeep: code(400, '查询参数过多或嵌套过深', 'Too many or too deeply nested query parameters'),
  tooFar: code(400, '页码过大，请缩小查询范围', 'Too far: narrow the filter'),
  timeWindow: code(400, '时间范围不能超过 {days} 天', 'The time range may not exceed {days} days'),
  unauthenticated: code(401, '账号未登录', 'Not signed in'),
  refreshExpired: code(401, '刷新令牌已过期', 'Refresh token expired'),
  forbidden: code(403, '没有该操作权限', 'You are not permitted to do this'),
  noUrl: code(404, '请求未找到', 'Resource not found'),
  notFound: code(404, '{what}不存在', '{what} does not exist'),
  method: code(405, '请求方法不正确', 'Method not allowed'),
  stale: code(409, '数据已被他人修改，请刷新后重试', 'Somebody else changed this meanwhile; reload and try again'),
  tooLarge: code(413, '请求内容过大', 'The request is too large'),
  tooMany: code(429, '请求过于频繁，请稍后重试', 'Too many requests, please try again later'),
  broken: code(500, '系统异常', 'Server error'),
  unavailable: code(503, '服务暂不可用，请稍后重试', 'The service is not available at the moment, please try again'),
  filesAway: code(503, '文件存储暂不可用，请稍后重试', 'File storage is not available at the moment, please try again'),
  noDiskSpace: code(
    503,
    '服务器磁盘空间不足，暂不能上传文件',
    'The server has too little disk space left: files cannot be uploaded at the moment',
  ),
  demo: code(901, '演示模式，禁止写操作', 'Demo mode: write operations are not possible'),
  referred: code(1002, '{what}正在被使用，不能删除', '{what} is in use and cannot be deleted'),
  duplicate: code(1003, '{field}已存在', '{field} already exists'),

  badLogin: code(1_002_000_000, '登录失败，账号密码不正确', 'Sign-in failed: user name or password is wrong'),
  captchaWrong: code(1_002_000_004, '验证码不正确', 'The verification code is wrong'),
  mustChangePassword: code(1_002_000_012, '首次登录请先修改密码', 'Change your password first'),
  slowDown: code(1_002_000_013, '尝试次数过多，请在 {seconds} 秒后重试', 'Too many attempts, try again in {seconds} s'),
  secondFactor: code(1_002_000_020, '请完成二次验证', 'A second factor is required'),
  locked: code(1_002_000_021, '会话已锁定，请先解锁', 'The session is locked'),
  lockPassword: code(1_002_000_022, '锁屏密码错误', 'Lock screen password error'),
  secondFactorWrong: code(1_002_000_023, '二次验证码不正确', 'The second-factor code is wrong'),
  ticketGone: code(1_002_000_024, '验证已失效，请重新登录', 'This step has expired; sign in again'),
  accountDisabled: code(1_002_000_001, '登录失败，账号被禁用', 'Sign-in failed: the account is disabled'),
  socialUnbound: code(
    1_002_000_005,
    '该账号尚未绑定本系统用户，请先用其他方式登录，再到个人中心绑定',
    'This account is not bound to a user yet: sign in another way and bind it under “My account”',
  ),
  accountPending: code(1_002_000_006, '账号正在等待审核', 'The account is waiting for approval'),
  registerOff: code(1_002_000_030, '未开放注册', 'Registration is not open'),
  qrGone: code(1_002_000_040, '二维码已失效，请刷新后重试', 'The QR code is no longer valid; show a new one'),
  activationWrong: code(
    1_002_000_050,
    '用户名或激活码不正确，或激活码已失效',
    'The user name or the activation code is wrong, or the code is no longer valid',
  ),
  captchaGone: code(1_002_014_000, '验证码不存在', 'The verification code does not exist'),
  captchaExpired: code(1_002_014_001, '验证码已过期', 'The verification code has expired'),
  captchaUsed: code(1_002_014_002, '验证码已使用', 'The verification code was already used'),
  codeDaily: code(
    1_002_014_004,
    '该联系方式今日获取验证码的次数已达上限',
    'No more codes are sent to this contact today',
  ),
  codeTooOften: code(
    1_002_014_005,
    '验证码获取过于频繁，请在 {seconds} 秒后重试',
    'Ask for another code in {seconds} s',
  ),
  codeWrong: code(1_002_014_006, '验证码错误或已失效', 'The code is wrong or no longer valid'),
  channelOff: code(1_002_014_010, '系统未开通该方式，请联系管理员', 'Not available here; ask your administrator'),
  userExists: code(1_002_003_000, '用户账号已经存在', 'User account already exists'),
  mobileExists: code(1_002_003_001, '手机号已经存在', 'Mobile already exists'),
  emailExists: code(1_002_003_002, '邮箱已经存在', 'E-mail already exists'),
  userPending: code(1_002_003_050, '该用户正在等待审核', 'The user is waiting for approval'),
  userNotPending: code(1_002_003_051, '该用户不在等待审核', 'The user is not waiting for approval'),
  factorOn: code(1_002_003_052, '已启用二次验证', 'The second factor is on already'),
  factorOff: code(1_002_003_053, '未启用二次验证', 'The second factor is not on'),
  contactNeedsCode: code(
    1_002_003_054,
    '请通过验证码绑定新的手机号码或邮箱',
    'A new mobile or e-mail is bound by a verification code',
  ),
  socialUnknown: code(1_002_018_000, '未配置该登录方式', 'This way to sign in is not configured'),
  socialFailed: code(1_002_018_001, '第三方登录未完成，请重试', 'The provider did not confirm the sign-in; try again'),
  socialTaken: code(1_002_018_002, '该第三方账号已绑定其他用户', 'This account is bound to another user'),
  socialBound: code(1_002_018_003, '已绑定该登录方式，请先解除绑定', 'You are bound there already; unbind first'),
  socialMissing: code(1_002_018_004, '未绑定该登录方式', 'You are not bound there'),

  menuName: code(1_002_001_000, '已经存在该名字的菜单', 'A menu entry of this name exists here already'),
  menuParentMissing: code(1_002_001_001, '父菜单不存在', 'The parent menu entry does not exist'),
  menuParentSelf: code(1_002_001_002, '不能设置自己为父菜单', 'A menu entry cannot be its own parent'),
  menuMissing: code(1_002_001_003, '菜单不存在', 'The menu entry does not exist'),
  menuChildren: code(1_002_001_004, '存在子菜单，无法删除', 'It has entries below and cannot be deleted'),
  menuParentButton: code(
    1_002_001_005,
    '父菜单的类型必须是目录或者菜单',
    'The parent must be a directory or a menu entry',
  ),
  menuPath: code(1_002_001_020, '地址 {path} 已被另一个菜单使用', 'Another menu entry has the address {path}'),
  menuComponentName: code(1_002_001_006, '已经存在该组件名的菜单', 'A menu entry with this screen name exists already'),
  menuParentBelow: code(
    1_002_001_007,
    '不能设置自己的子菜单为父菜单',
    'A menu entry cannot move below one of its own entries',
  ),
  menuNeeded: code(
    1_002_001_008,
    '菜单管理自身的权限不能移除：{permission}',
    'The menu screen cannot lose its own permission: {permission}',
  ),
  menuScreen: code(
    1_002_001_009,
    '菜单管理须保持可用，否则无人能再恢复菜单',
    'The menu screen must stay in use, or nobody could put entries back',
  ),
  menuBuiltIn: code(
    1_002_001_010,
    '系统内置角色使用该菜单，只能停用，不能删除或更改权限标识：{roles}',
    'Built-in roles have this entry: it can be disabled, but not deleted or given another permission: {roles}',
  ),
  roleMissing: code(1_002_002_000, '角色不存在', 'The role does not exist'),
  roleName: code(1_002_002_001, '角色名称已经存在', 'A role of this name exists already'),
  roleCode: code(1_002_002_002, '角色标识已经存在', 'A role with this code exists already'),
  roleBuiltIn: code(1_002_002_003, '不能操作类型为系统内置的角色', 'A built-in role cannot be changed'),
  roleDisabled: code(1_002_002_004, '名字为【{name}】的角色已被禁用', 'The role {name} is disabled'),
  roleReserved: code(1_002_002_005, '角色标识【{code}】不能使用', 'The role code {code} is reserved'),
  beyondPermission: code(
    1_002_002_010,
    '不能授予或修改本人没有的权限：{permission}',
    'You do not hold the permission {permission} yourself',
  ),
  beyondScope: code(
    1_002_002_011,
    '不能授予或修改超出本人数据范围的权限',
    'This reaches further than what you may see yourself',
  ),
  beyondAdmin: code(
    1_002_002_012,
    '只有系统管理员可以授予或修改系统管理员角色',
    'Only a system administrator may give or change that role',
  ),
  officesApart: code(
    1_002_002_020,
    '三员分立已开启：{username} 不能同时担任系统管理、安全管理、审计中的两种职责',
    'Roles are separated: {username} cannot hold two of administration, security and audit',
  ),
  officesHeld: code(
    1_002_002_021,
    '三员分立要求系统管理、安全管理、审计各至少有一名启用的用户',
    'Separated roles need an enabled user each for administration, security and audit',
  ),
  officesNotYourself: code(
    1_002_002_022,
    '三员分立已开启：不能为自己分配角色，也不能修改自己持有的角色',
    'Roles are separated: you cannot assign roles to yourself, nor change one that you hold',
  ),
  officesSecurity: code(
    1_002_002_023,
    '三员分立只能由安全管理员关闭',
    'Only a security administrator can end the separation of roles',
  ),
  userMissing: code(1_002_003_003, '用户不存在', 'The user does not exist'),
  notYourself: code(1_002_003_020, '不能对自己的账号执行该操作', 'You cannot do this to your own account'),
  lastAdmin: code(
    1_002_003_021,
    '必须至少保留一名启用的系统管理员',
    'At least one enabled system administrator must remain',
  ),
  moreRights: code(1_002_003_022, '该用户的权限超出本人，不能执行该操作', 'This user has rights that you do not have'),
  importHasBad: code(
    1_002_003_043,
    '仍有 {bad} 行错误，请修正后再提交，或只导入正确的行',
    '{bad} rows are still wrong: correct them, or import the good ones only',
  ),
  importState: code(1_002_003_044, '导入任务的当前状态不允许该操作', 'Not possible in the present state of the import'),
  importTwice: code(1_002_003_045, '与第 {line} 行重复', 'The same as in line {line}'),
  importRole: code(1_002_003_046, '角色【{name}】不存在', 'There is no role {name}'),
  importDeptName: code(
    1_002_003_047,
    '部门【{name}】不唯一，请填写部门编号',
    'There is more than one department {name}: give its id',
  ),
  importUntold: code(
    1_002_003_049,
    '联系方式未全部核对，请只导入正确的行',
    'Not all contacts were compared: import the good rows',
  ),
  contactsUntold: code(
    1_002_003_055,
    '今天填写的手机号或邮箱多次与他人重复，请明天再试，或请有权查看联系方式的管理员填写',
    'Mobiles or e-mails given today were those of others too often: try again tomorrow, or ask somebody who may see contacts',
  ),
  userHeld: code(
    1_002_003_056,
    '正在修改该用户（可能是批量导入），请稍后重试',
    'This user is being changed just now, maybe by an import: please try again in a moment',
  ),
  deptName: code(1_002_004_000, '已经存在该名字的部门', 'A department of this name exists here already'),
  deptParentMissing: code(1_002_004_001, '父级部门不存在', 'The parent department does not exist'),
  deptMissing: code(1_002_004_002, '当前部门不存在', 'The department does not exist'),
  deptChildren: code(1_002_004_003, '存在子部门，无法删除', 'It has departments below and cannot be deleted'),
  deptParentSelf: code(1_002_004_004, '不能设置自己为父部门', 'A department cannot be its own parent'),
  deptCode: code(1_002_004_008, '已经存在该编码的部门', 'A department with this code exists already'),
  deptDisabled: code(1_002_004_006, '部门【{name}】不处于开启状态，不允许选择', 'The department {name} is disabled'),
  deptParentBelow: code(
    1_002_004_007,
    '不能设置自己的子部门为父部门',
    'A department cannot move below one of its own departments',
  ),
  deptNewcomers: code(
    1_002_004_020,
    '注册用户归入该部门（register.dept-code），请先关闭注册或更换部门',
    'People who register belong to this department (register.dept-code): close registration or choose another first',
  ),

  ownSession: code(1_002_003_030, '不能强制下线当前会话', 'You cannot end the session you are using'),

  dictTypeMissing: code(1_002_006_001, '当前字典类型不存在', 'The dictionary does not exist'),
  dictTypeDisabled: code(1_002_006_002, '字典类型不处于开启状态，不允许选择', 'The dictionary is disabled'),
  dictTypeName: code(1_002_006_003, '已经存在该名字的字典类型', 'A dictionary of this name exists already'),
  dictTypeType: code(1_002_006_004, '已经存在该类型的字典类型', 'A dictionary of this type exists already'),
  dictTypeEntries: code(
    1_002_006_005,
    '无法删除，该字典类型还有字典数据',
    'The dictionary still has entries and cannot be deleted',
  ),
  dictTypeFixed: code(1_002_006_010, '字典类型创建后不能修改', 'The type of a dictionary cannot be changed'),
  dictDataMissing: code(1_002_007_001, '当前字典数据不存在', 'The entry does not exist'),
  dictDataValue: code(1_002_007_003, '已经存在该值的字典数据', 'The dictionary has an entry of this value already'),

  noticeMissing: code(1_002_008_001, '当前通知公告不存在', 'The notice does not exist'),
  noticeState: code(1_002_008_010, '通知的当前状态不允许该操作', 'Not possible in the present state of the notice'),
  noticeBeyond: code(
    1_002_008_011,
    '只有可查看全部部门的用户可以通知全体',
    'Only who sees every department may write to everybody',
  ),

  demoMissing: code(1_001_900_000, '示例数据不存在', 'The demo item does not exist'),
  demoAway: code(1_001_900_001, '对方不在测试页面', 'This person is not on the test page'),
  ...passwordCodes,
  ...alarmCodes,
  ...policeCodes,
  ...notifyCodes,
  ...deviceCodes,
  ...dutyCodes,
  ...employeeCodes,
  ...schoolCodes,
  ...superviseCodes,
  ...codegenCodes,
  ...configCodes,
  ...fileCodes,
} satisfies Record<string, Code>

/** The matched message of a killed session (HTTP 401), SPEC 8. */
export const SESSION_KILLED = 'A0230'

/** The reason: `data.reason` of that response, and the close reason of a socket. */
export const killReasons = ['KICKED', 'PASSWORD', 'DISABLED', 'REUSED', 'LIMIT'] as const
export type KillReason = (typeof killReasons)[number]

export const killReason = (given: unknown): KillReason | undefined =>
  killReasons.find((killReason) => killReason === given)

const byCode = new Map<number, Code[]>()
for (const c of Object.values(codes)) byCode.set(c.code, [...(byCode.get(c.code) ?? []), c])

/** The message for a response code; the wire is Chinese, so that the matched messages stay exact. */
export const codeMessage = (answer: { code: number; msg: string; params?: Params }, lang: 'zh-cn' | 'en'): string => {
  if (lang === 'zh-cn') return answer.msg
  const known = byCode.get(answer.code) ?? []
  const exact = known.find((c) => errorMessage(c, answer.params, 'zh-cn') === answer.msg)
  return exact ? errorMessage(exact, answer.params, 'en') : answer.msg
}
