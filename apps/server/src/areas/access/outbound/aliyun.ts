import { createHash, createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { callProvider, PermanentDeliveryError, type SmsParams } from './provider-call.ts'

export type AliyunKeys = { id: string; secret: string }
/** A call as it is signed: query values are text, header names lower case. */
export type AliyunCall = {
  method: string
  path: string
  query: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string>>
  body: string
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** RFC 3986: encodeURIComponent does not encode five characters that are not unreserved. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const byName = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1)

export const queryText = (query: AliyunCall['query']): string =>
  Object.entries(query)
    .toSorted(byName)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')

/** The Authorization header of a call by Alibaba Cloud's signature version 3, ACS3-HMAC-SHA256. */
export const aliyunAuthorization = ({ method, path, query, headers, body }: AliyunCall, keys: AliyunKeys): string => {
  const signed = Object.entries(headers)
    .filter(([name]) => name === 'host' || name === 'content-type' || name.startsWith('x-acs-'))
    .toSorted(byName)
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join('')
  const canonical = [method, path, queryText(query), lines, names, sha256(body)].join('\n')
  const signature = createHmac('sha256', keys.secret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex')
  return `ACS3-HMAC-SHA256 Credential=${keys.id},SignedHeaders=${names},Signature=${signature}`
}

export type AliyunSms = AliyunKeys & { endpoint: string; signName: string; template: string }
export type AliyunVoice = AliyunKeys & { endpoint: string; showNumber: string; template: string }

const Answer = z.object({
  Code: z.string(),
  Message: z.string().optional(),
  BizId: z.string().optional(),
  CallId: z.string().optional(),
})
/** The provider limits the rate; the same message may pass later. */
const passing = /^(isv\.BUSINESS_LIMIT_CONTROL|Throttling.*|ServiceUnavailable|InternalError)$/

type Action = { base: string; action: string; query: Readonly<Record<string, string>> }

const callAliyun = async (keys: AliyunKeys, { base, action, query }: Action): Promise<z.output<typeof Answer>> => {
  const url = new URL(base)
  const headers = {
    host: url.host,
    'x-acs-action': action,
    'x-acs-version': '2017-05-25',
    'x-acs-date': new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    'x-acs-signature-nonce': randomUUID(),
    'x-acs-content-sha256': sha256(''),
  }
  const call = { method: 'POST', path: '/', query, headers, body: '' }
  const { host: _host, ...sent } = headers
  const answer = await callProvider(`${url.origin}/?${queryText(query)}`, {
    method: 'POST',
    headers: { ...sent, authorization: aliyunAuthorization(call, keys) },
  })
  const given = Answer.parse(answer)
  if (given.Code === 'OK') return given
  // Only the code: the provider's message may repeat the number.
  if (passing.test(given.Code)) throw new Error(`Aliyun answered ${given.Code}`)
  throw new PermanentDeliveryError(`Aliyun answered ${given.Code}`)
}

/** One text message by Dysmsapi 2017-05-25, SendSms. @returns the provider's id of it. */
export const sendByAliyun = async (sms: AliyunSms, to: string, params: SmsParams): Promise<string | undefined> => {
  const query = {
    PhoneNumbers: to,
    SignName: sms.signName,
    TemplateCode: sms.template,
    TemplateParam: JSON.stringify(params),
  }
  const base = sms.endpoint || 'https://dysmsapi.aliyuncs.com'
  return (await callAliyun(sms, { base, action: 'SendSms', query })).BizId
}

/** One call by Dyvmsapi 2017-05-25, SingleCallByTts. @returns the provider's id of it. */
export const callByAliyun = async (voice: AliyunVoice, to: string, params: SmsParams): Promise<string | undefined> => {
  const query = {
    CalledNumber: to,
    TtsCode: voice.template,
    TtsParam: JSON.stringify(params),
    ...(voice.showNumber && { CalledShowNumber: voice.showNumber }),
  }
  const base = voice.endpoint || 'https://dyvmsapi.aliyuncs.com'
  return (await callAliyun(voice, { base, action: 'SingleCallByTts', query })).CallId
}
