import { LOG_DAYS_MIN } from './log-days.ts'

const secret = { value: '', valueType: 'STRING', visible: false, category: 'exchange', secret: true } as const

const isHttp = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** The exchange of incidents with the dispatch system of the police. */
export const exchangeSettings = [
  {
    ...secret,
    key: 'exchange.in-secret',
    name: '警务交换接收密钥',
    nameEn: 'Key of incoming exchange messages',
    remark: '校验外部接处警系统的 HMAC-SHA256 签名，为空时不接收；加密保存',
    remarkEn:
      'Checks the HMAC-SHA256 signature of another dispatch system; without it nothing is accepted; kept sealed',
  },
  {
    ...secret,
    key: 'exchange.out-url',
    name: '警务交换发送地址',
    nameEn: 'Address of outgoing exchange messages',
    remark: '接收警单消息的外部系统，为空时不发送；加密保存',
    remarkEn: 'The system that receives messages about incidents; without it nothing is sent; kept sealed',
    fits: isHttp,
  },
  {
    ...secret,
    key: 'exchange.out-secret',
    name: '警务交换发送密钥',
    nameEn: 'Key of outgoing exchange messages',
    remark: '用于 HMAC-SHA256 签名，为空时不发送；加密保存',
    remarkEn: 'For the HMAC-SHA256 signature; without it nothing is sent; kept sealed',
  },
  {
    key: 'exchange.message-days',
    category: 'exchange',
    name: '警务交换消息保留天数',
    nameEn: 'Days that exchange messages are kept',
    value: '180',
    valueType: 'INT',
    remark: '警单结束后，其最后一条交换消息保留的天数，不少于 180 天',
    remarkEn: 'After the last message of an ended incident; at least 180',
    min: LOG_DAYS_MIN,
    max: 36_500,
  },
] as const
