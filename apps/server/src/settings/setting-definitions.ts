import { ConfigDraft, type ConfigType } from '@tocsin/contract/settings/config'
import { type FieldError, issueText } from '@tocsin/contract/issue'
import { labelOf } from '@tocsin/contract/field'
import { ValidationError } from '#http/business-error'
import { LOG_DAYS_MIN } from './log-days.ts'
import { exchangeSettings } from './exchange-settings.ts'
import { notifySettings } from './notify-settings.ts'
import { signInSettings } from './sign-in-settings.ts'

/** Updates of devices over the air. */
const rolloutSettings = [
  {
    key: 'ota.public-key',
    category: 'ota',
    name: '升级公钥',
    nameEn: 'Public key of packages',
    value: '',
    valueType: 'STRING',
    visible: false,
    remark: 'Ed25519 公钥（32 字节，Base64）；为空时不能登记升级包',
    remarkEn: 'Ed25519 public key, 32 bytes in base64; without it no package can be added',
    fits: (text: string) => /^[A-Za-z0-9+/]{43}=$/.test(text),
  },
  {
    key: 'ota.freeze',
    category: 'ota',
    name: '暂停所有升级',
    nameEn: 'Freeze all updates',
    value: 'false',
    valueType: 'BOOLEAN',
    visible: false,
    remark: '打开后不再开始新的设备升级，例如考试期间；已开始的设备继续完成',
    remarkEn: 'While on, no device starts an update, for example during exams; devices that have begun go on',
  },
] as const

export type SettingDefinition = {
  key: string
  category: string
  name: string
  nameEn: string
  value: string
  valueType: ConfigType
  remark: string
  remarkEn: string
  /** Bounds of a number, in its unit. */
  min?: number
  max?: number
  /** An address that the console links to: http or https, or empty; with `path` also a path of this site. */
  url?: true
  path?: true
  /** Hidden from the public call that reads a setting by key. */
  visible?: boolean
  /** Stored encrypted; the row only shows that there is a value. */
  secret?: true
  /** A further check of a value that is not empty. */
  fits?: (value: string) => boolean
  /** The only accepted texts. */
  choices?: readonly string[]
}

/** Stands in the row of a secret setting. Sent back, it means "unchanged". */
export const MASK = '********'

/** The settings that the product itself reads: built in, not deletable, with these defaults. */
export const settingDefinitions = [
  {
    key: 'site.document-url',
    category: 'site',
    name: '帮助文档地址',
    nameEn: 'Address of the documentation',
    value: '',
    valueType: 'STRING',
    remark: '控制台“文档”所指向的地址',
    remarkEn: 'Where the console links to for its documentation',
    url: true,
    path: true,
  },
  {
    key: 'site.project-url',
    category: 'site',
    name: '项目主页地址',
    nameEn: 'Address of the project',
    value: '/',
    valueType: 'STRING',
    remark: '控制台“项目”所指向的地址，/ 为本系统首页',
    remarkEn: 'Where the console links to for the project; / is the start page of this system',
    url: true,
    path: true,
  },
  {
    key: 'site.demo',
    category: 'site',
    name: '演示页面',
    nameEn: 'Demo pages',
    value: 'false',
    valueType: 'BOOLEAN',
    remark: '是否提供演示菜单及其接口',
    remarkEn: 'Whether the menu of demo pages and their calls are there',
  },
  {
    key: 'register.enabled',
    category: 'register',
    name: '开放注册',
    nameEn: 'Registration',
    value: 'false',
    valueType: 'BOOLEAN',
    remark: '是否允许自行申请账号；需先填写注册用户所属部门编码（register.dept-code），并开通短信或邮件',
    remarkEn: 'Whether people may ask for an account; needs register.dept-code, and mail or text messages, first',
  },
  {
    key: 'log.login-days',
    category: 'log',
    name: '登录日志保留天数',
    nameEn: 'Days that sign-ins are kept',
    value: '1095',
    valueType: 'INT',
    remark: '登录日志保留的天数，不少于 180 天',
    remarkEn: 'At least 180',
    min: LOG_DAYS_MIN,
    max: 36_500,
  },
  {
    key: 'log.operate-days',
    category: 'log',
    name: '操作日志保留天数',
    nameEn: 'Days that operations are kept',
    value: '1095',
    valueType: 'INT',
    remark: '操作日志保留的天数，不少于 180 天；到期的记录连同其封存每天清除一次，清除本身也会记录',
    remarkEn: 'At least 180; older ones go once a day together with their seals, which is recorded itself',
    min: LOG_DAYS_MIN,
    max: 36_500,
  },
  {
    key: 'security.separate-roles',
    category: 'security',
    name: '三员分立',
    nameEn: 'Separation of roles',
    value: 'false',
    valueType: 'BOOLEAN',
    remark: '系统管理、安全管理、审计三种职责互相独立；开启后只能由安全管理员关闭',
    remarkEn: 'Administration, security and audit are apart; only a security administrator ends it',
  },
  {
    key: 'security.max-sessions',
    category: 'security',
    name: '每个用户的最多会话数',
    nameEn: 'Sessions of one user',
    value: '20',
    valueType: 'INT',
    remark: '同一用户同时登录的会话数上限，超出时最早登录的会话结束',
    remarkEn: 'At most so many at a time; with one more the oldest ends',
    min: 1,
    max: 1000,
  },
  {
    key: 'file.quota-mb',
    category: 'file',
    name: '每个用户的文件配额（MB）',
    nameEn: 'File quota of a user (MB)',
    value: '1024',
    valueType: 'INT',
    remark: '一个用户上传的文件合计大小上限',
    remarkEn: 'What one user may upload in all',
    min: 1,
    max: 1_000_000,
  },
  {
    key: 'file.min-free-mb',
    category: 'file',
    name: '停止上传的剩余磁盘空间（MB）',
    nameEn: 'Free disk space that ends uploads (MB)',
    value: '2048',
    valueType: 'INT',
    remark: '服务器磁盘剩余空间低于此值时不再接收上传，警情照常接收',
    remarkEn: 'Below it no file is uploaded; alarms go on',
    min: 0,
    max: 10_000_000,
  },
  ...signInSettings,
  ...exchangeSettings,
  ...notifySettings,
  ...rolloutSettings,
] as const satisfies SettingDefinition[]
export type SettingKey = (typeof settingDefinitions)[number]['key']

export const findSettingDefinition = (key: string): SettingDefinition | undefined =>
  settingDefinitions.find((definition) => definition.key === key)

const wrong = (rule: FieldError['rule'], bound?: number): ValidationError => {
  const label = labelOf(ConfigDraft.shape.value)
  const error = { field: 'value', rule, ...(bound !== undefined && { bound }), ...(label && { label }) }
  return new ValidationError([{ ...error, message: issueText(error, 'zh-cn') }])
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Begins with one slash: two would name another host. */
const isSitePath = (text: string): boolean => /^\/(?![/\\])[\w./?=&%~-]*$/.test(text)
const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const fits: Record<ConfigType, (value: string) => boolean> = {
  STRING: () => true,
  INT: (value) => /^-?\d{1,15}$/.test(value),
  BOOLEAN: (value) => value === 'true' || value === 'false',
  JSON: isJson,
}

/** Rejects a value that does not match its type or its definition. */
export const checkValue = (key: string, valueType: ConfigType, value: string): void => {
  const { secret, fits: suits } = findSettingDefinition(key) ?? {}
  if (secret && value === MASK) return
  if (suits && value !== '' && !suits(value)) throw wrong('format')
  if (value === '' && valueType !== 'STRING') throw wrong('required')
  if (!fits[valueType](value)) throw wrong('format')
  const { min, max, url, path, choices } = findSettingDefinition(key) ?? {}
  if (choices && !choices.includes(value)) throw wrong('format')
  if (url && value !== '' && !isWebAddress(value) && !(path && isSitePath(value))) throw wrong('format')
  if (min !== undefined && Number(value) < min) throw wrong('tooSmall', min)
  if (max !== undefined && Number(value) > max) throw wrong('tooBig', max)
}
