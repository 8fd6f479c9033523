const string = { value: '', valueType: 'STRING', visible: false } as const

const isJsonOf = (text: string, fits: (value: unknown) => boolean): boolean => {
  try {
    return fits(JSON.parse(text))
  } catch {
    return false
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const webAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** An address that names its server: `smtp:` alone is none. */
const isMailServer = (text: string) => {
  const { protocol = '', hostname = '' } = URL.parse(text) ?? {}
  return /^smtps?:$/.test(protocol) && hostname !== ''
}

const isProvider = (value: unknown): boolean => {
  if (!isRecord(value)) return false
  const { key, name, issuer, clientId } = value
  return (
    typeof key === 'string' &&
    /^[a-z][a-z0-9-]{0,19}$/.test(key) &&
    typeof name === 'string' &&
    typeof clientId === 'string' &&
    typeof issuer === 'string' &&
    webAddress(issuer)
  )
}

/** Mail, text messages and providers: what the ways to sign in besides the password need. */
export const signInSettings = [
  {
    ...string,
    key: 'site.title',
    category: 'site',
    name: '站点名称',
    nameEn: 'Title of the site',
    value: 'Tocsin 校警联',
    visible: true,
    remark: '显示在登录页和消息中的名称',
    remarkEn: 'The name on the sign-in page and in messages',
  },
  {
    ...string,
    key: 'register.dept-code',
    category: 'register',
    name: '注册用户所属部门编码',
    nameEn: 'Department of newcomers',
    remark: '自行注册的用户归入该编码的部门（须已启用），为空时不能注册',
    remarkEn: 'Code of the enabled department that people who register belong to; without it nobody can register',
  },
  {
    ...string,
    key: 'sign-in.qr',
    category: 'sign-in',
    name: '扫码登录',
    nameEn: 'Signing in by QR code',
    value: 'true',
    valueType: 'BOOLEAN',
    remark: '是否允许用已登录的手机扫码登录',
    remarkEn: 'Whether a signed-in phone may sign another browser in',
  },
  {
    ...string,
    key: 'mail.smtp-url',
    category: 'mail',
    name: '邮件服务器',
    nameEn: 'Mail server',
    remark: '如 smtps://用户:密码@主机:465；加密保存，为空时不发邮件',
    remarkEn: 'Like smtps://user:password@host:465; kept sealed; without it no mail is sent',
    secret: true,
    fits: isMailServer,
  },
  {
    ...string,
    key: 'mail.from',
    category: 'mail',
    name: '发件人地址',
    nameEn: 'Sender of mail',
    remark: '如 noreply@example.cn',
    remarkEn: 'Like noreply@example.cn',
    fits: (text: string) => /^[^\s@<>]+@[^\s@<>]+$/.test(text),
  },
  {
    ...string,
    key: 'sms.provider',
    category: 'sms',
    name: '短信服务商',
    nameEn: 'Provider of text messages',
    remark: '为空时不发短信；console 只写入日志，仅供开发',
    remarkEn: 'Without one no text messages are sent; console only writes them to the log, for development',
    choices: ['', 'aliyun', 'tencent', 'console'],
  },
  {
    ...string,
    key: 'sms.endpoint',
    category: 'sms',
    name: '短信接口地址',
    nameEn: 'Address of the SMS interface',
    remark: '为空时用服务商的公开地址；专网代理时填写',
    remarkEn: "Without it the provider's public address; for proxies of closed networks",
    url: true,
  },
  {
    ...string,
    key: 'sms.region',
    category: 'sms',
    name: '短信服务地域',
    nameEn: 'Region of the SMS service',
    value: 'ap-guangzhou',
    remark: '仅腾讯云需要',
    remarkEn: 'Needed by Tencent Cloud only',
  },
  {
    ...string,
    key: 'sms.access-key-id',
    category: 'sms',
    name: '短信访问密钥编号',
    nameEn: 'SMS access key id',
    remark: '阿里云 AccessKey ID 或腾讯云 SecretId',
    remarkEn: 'AccessKey ID (Aliyun) or SecretId (Tencent Cloud)',
  },
  {
    ...string,
    key: 'sms.access-key-secret',
    category: 'sms',
    name: '短信访问密钥',
    nameEn: 'SMS access key',
    remark: '阿里云 AccessKey Secret 或腾讯云 SecretKey；加密保存',
    remarkEn: 'AccessKey Secret (Aliyun) or SecretKey (Tencent Cloud); kept sealed',
    secret: true,
  },
  {
    ...string,
    key: 'sms.app-id',
    category: 'sms',
    name: '短信应用编号',
    nameEn: 'SMS application id',
    remark: '腾讯云 SmsSdkAppId',
    remarkEn: 'SmsSdkAppId of Tencent Cloud',
  },
  {
    ...string,
    key: 'sms.sign-name',
    category: 'sms',
    name: '短信签名',
    nameEn: 'SMS signature',
    remark: '在服务商处审核通过的签名',
    remarkEn: 'The signature that the provider has approved',
  },
  {
    ...string,
    key: 'sms.template',
    category: 'sms',
    name: '验证码短信模板',
    nameEn: 'SMS template of codes',
    remark: '模板编号；阿里云模板变量为 code，腾讯云模板的第一个变量为验证码',
    remarkEn: 'Its id; the variable is code (Aliyun) or the first one (Tencent Cloud)',
  },
  {
    ...string,
    key: 'sms.template-application',
    category: 'sms',
    name: '账号审核结果短信模板',
    nameEn: 'SMS template of applications',
    remark: '模板编号，变量同上，内容为“已通过”或“未通过”；为空时不发',
    remarkEn: 'Its id, with the same variable, which says how it ended; without it nothing is sent',
  },
  {
    ...string,
    key: 'social.providers',
    category: 'social',
    name: '第三方登录',
    nameEn: 'Sign-in providers',
    value: '[]',
    valueType: 'JSON',
    remark: 'OpenID Connect：[{"key","name","nameEn","icon","issuer","clientId"}]',
    remarkEn: 'OpenID Connect: [{"key","name","nameEn","icon","issuer","clientId"}]',
    fits: (text: string) => isJsonOf(text, (value) => Array.isArray(value) && value.every(isProvider)),
  },
  {
    ...string,
    key: 'social.secrets',
    category: 'social',
    name: '第三方登录密钥',
    nameEn: 'Secrets of the providers',
    remark: '{"key":"客户端密钥"}；加密保存',
    remarkEn: '{"key":"client secret"}; kept sealed',
    secret: true,
    fits: (text: string) =>
      isJsonOf(text, (value) => isRecord(value) && Object.values(value).every((item) => typeof item === 'string')),
  },
] as const
