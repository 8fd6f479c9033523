const string = { value: '', valueType: 'STRING', visible: false } as const

const isHttp = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** The key of a group robot is part of its address, so the whole address is a secret. */
const robotUrl = { ...string, category: 'notify', secret: true, fits: isHttp } as const
const robotSecret = { ...string, category: 'notify', secret: true } as const

/** Channels of alarm messages besides mail and the account of the text message provider. */
export const notifySettings = [
  {
    ...string,
    key: 'sms.template-alarm',
    category: 'sms',
    name: '警情短信模板',
    nameEn: 'SMS template of alarms',
    remark: '模板编号；阿里云变量为 title、body，腾讯云依次为标题、内容；为空时警情不发短信',
    remarkEn:
      'Its id; variables title and body (Aliyun) or in this order (Tencent Cloud); without it alarms send no SMS',
  },
  {
    ...string,
    key: 'voice.provider',
    category: 'voice',
    name: '语音电话服务商',
    nameEn: 'Provider of voice calls',
    remark: '与短信共用访问密钥；为空时不打电话；console 只写入日志，仅供开发',
    remarkEn: 'Uses the SMS access key; without one nobody is called; console only writes to the log, for development',
    choices: ['', 'aliyun', 'tencent', 'console'],
  },
  {
    ...string,
    key: 'voice.endpoint',
    category: 'voice',
    name: '语音接口地址',
    nameEn: 'Address of the voice interface',
    remark: '为空时用服务商的公开地址；专网代理时填写',
    remarkEn: "Without it the provider's public address; for proxies of closed networks",
    url: true,
  },
  {
    ...string,
    key: 'voice.template',
    category: 'voice',
    name: '语音模板',
    nameEn: 'Voice template',
    remark: '文本转语音模板编号；变量同警情短信模板',
    remarkEn: 'Id of a text-to-speech template, with the variables of the SMS template of alarms',
  },
  {
    ...string,
    key: 'voice.show-number',
    category: 'voice',
    name: '语音主叫号码',
    nameEn: 'Number that calls',
    remark: '仅阿里云专属号码需要',
    remarkEn: 'Only for dedicated numbers of Aliyun',
  },
  {
    ...string,
    key: 'voice.app-id',
    category: 'voice',
    name: '语音应用编号',
    nameEn: 'Voice application id',
    remark: '腾讯云 VoiceSdkAppid',
    remarkEn: 'VoiceSdkAppid of Tencent Cloud',
  },
  {
    ...robotUrl,
    key: 'notify.wecom-url',
    name: '企业微信群机器人地址',
    nameEn: 'Address of the WeCom robot',
    remark: '群机器人的 Webhook 地址；加密保存',
    remarkEn: 'Webhook address of the group robot; kept sealed',
  },
  {
    ...robotUrl,
    key: 'notify.dingtalk-url',
    name: '钉钉群机器人地址',
    nameEn: 'Address of the DingTalk robot',
    remark: '自定义机器人的 Webhook 地址；加密保存',
    remarkEn: 'Webhook address of the custom robot; kept sealed',
  },
  {
    ...robotSecret,
    key: 'notify.dingtalk-secret',
    name: '钉钉加签密钥',
    nameEn: 'Signing secret of DingTalk',
    remark: '安全设置为“加签”时填写；加密保存',
    remarkEn: 'When the robot wants signed calls; kept sealed',
  },
  {
    ...robotUrl,
    key: 'notify.feishu-url',
    name: '飞书群机器人地址',
    nameEn: 'Address of the Feishu robot',
    remark: '自定义机器人的 Webhook 地址；加密保存',
    remarkEn: 'Webhook address of the custom robot; kept sealed',
  },
  {
    ...robotSecret,
    key: 'notify.feishu-secret',
    name: '飞书签名密钥',
    nameEn: 'Signing secret of Feishu',
    remark: '安全设置为“签名校验”时填写；加密保存',
    remarkEn: 'When the robot verifies signatures; kept sealed',
  },
  {
    ...robotUrl,
    key: 'notify.webhook-url',
    name: '外部接口地址',
    nameEn: 'Address of the webhook',
    remark: '接收通知的外部系统；加密保存',
    remarkEn: 'The system that receives messages; kept sealed',
  },
  {
    ...robotSecret,
    key: 'notify.webhook-secret',
    name: '外部接口签名密钥',
    nameEn: 'Signing secret of the webhook',
    remark: '用于 HMAC-SHA256 签名，未填写时不发送；加密保存',
    remarkEn: 'For the HMAC-SHA256 signature; without it nothing is sent; kept sealed',
  },
] as const
